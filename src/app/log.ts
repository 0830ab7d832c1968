import pino from 'pino'
import type { Config } from '#config/config.ts'
import type { Log } from '#ports/log.ts'

const secret = ['password', 'token', 'access_token', 'client_secret', 'code', 'authorization', 'cookie']
/** The code of an error says what is wrong, and of whom nothing. */
const isErrorCode = (path: readonly string[]) => path.join('.') === 'err.code'

/**
 * JSON lines with the process and its roles, if it has any, on stdout, or on stderr where stdout is for a command's result. Names that hold secrets are cut out
 * wherever they turn up.
 */
export function createLog(
  config: Pick<Config, 'logLevel'> & Partial<Pick<Config, 'roles'>>,
  to: 'stdout' | 'stderr' = 'stdout',
): Log {
  const options = {
    level: config.logLevel,
    // Several processes may write into one log.
    base: config.roles ? { pid: process.pid, roles: config.roles.join(',') } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: secret.flatMap((name) => [name, `*.${name}`]),
      censor: (value: unknown, path: string[]) => (isErrorCode(path) ? value : '[cut]'),
    },
  }
  return pino(options, pino.destination(to === 'stdout' ? 1 : 2)) as Log
}
