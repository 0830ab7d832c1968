import pino from 'pino'
import type { Config } from '#config/config.ts'
import type { Log } from '#ports/log.ts'

const secret = ['password', 'token', 'access_token', 'client_secret', 'code', 'authorization', 'cookie']

/**
 * JSON lines on stdout, or on stderr where stdout is for a command's result. Names that hold secrets are cut out
 * wherever they turn up.
 */
export function createLog(config: Pick<Config, 'logLevel'>, to: 'stdout' | 'stderr' = 'stdout'): Log {
  const options = {
    level: config.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secret.flatMap((name) => [name, `*.${name}`]), censor: '[cut]' },
  }
  return pino(options, pino.destination(to === 'stdout' ? 1 : 2)) as Log
}
