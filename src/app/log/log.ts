import pino from 'pino'
import type { Config } from '#config/config.ts'
import type { Log } from '#ports/log.ts'
import { createGatheredOutput } from './gathered-output.ts'
import { createIsoClock } from './iso-clock.ts'

const secrets: ReadonlySet<string> = new Set([
  'password',
  'token',
  'access_token',
  'client_secret',
  'code',
  'authorization',
  'cookie',
])
const cut = '[cut]'

/**
 * Returns the facts without what has the name of a secret, at the top and one level below: the same object where there is
 * nothing. Pino's own way makes a copy and looks for each name in each of its parts, which was a tenth of what a small
 * answer costs.
 */
function withoutSecrets(facts: object, depth = 1): Record<string, unknown> {
  let clean: Record<string, unknown> | null = null
  for (const name in facts) {
    const value = (facts as Record<string, unknown>)[name]
    // What is not defined is not written.
    const shown = secrets.has(name) && value !== undefined ? cut : shownOf(value, depth)
    if (shown !== value) clean = { ...(clean ?? facts), [name]: shown }
  }
  return clean ?? (facts as Record<string, unknown>)
}

/** An error is written by pino, and its secrets are cut there. */
const shownOf = (value: unknown, depth: number): unknown =>
  depth > 0 && typeof value === 'object' && value !== null && !(value instanceof Error)
    ? withoutSecrets(value, depth - 1)
    : value

/**
 * JSON lines with the process and its roles, if it has any, on stdout, or on stderr where stdout is for a command's result. Names that hold secrets are cut out
 * wherever they turn up.
 */
export function createLog(
  config: Pick<Config, 'logLevel'> & Partial<Pick<Config, 'roles'>>,
  to: 'stdout' | 'stderr' = 'stdout',
): Log {
  const now = createIsoClock()
  const options = {
    level: config.logLevel,
    // Several processes may write into one log.
    base: config.roles ? { pid: process.pid, roles: config.roles.join(',') } : null,
    timestamp: () => `,"time":"${now()}"`,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (facts: object) => withoutSecrets(facts),
    },
    // The code of an error says what is wrong, and of whom nothing.
    redact: {
      paths: [...secrets].filter((name) => name !== 'code').map((name) => `err.${name}`),
      censor: cut,
    },
  }
  // Who has somebody to tell things was started by `supervise`, with others.
  const shared = process.send !== undefined
  return pino(options, to === 'stdout' ? createGatheredOutput(1, { shared }) : pino.destination(2)) as Log
}
