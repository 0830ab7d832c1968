export type Part =
  | 'database'
  | 'schema'
  | 'redis'
  | 'worker'
  | 'jobs'
  | 'clock'
  | 'storage'
  | 'disk'
  | 'secrets'
  | 'backup'
  | 'mail'
  | 'domain'
  | 'tls'
  | 'federation'

export interface Finding {
  part: Part
  state: 'ok' | 'warning' | 'problem'
  /** One line. */
  text: string
}

export type Result = Omit<Finding, 'part'>
export const ok = (text: string): Result => ({ state: 'ok', text })
export const warning = (text: string): Result => ({ state: 'warning', text })
export const problem = (text: string): Result => ({ state: 'problem', text })

/** How long another machine may take to answer, in milliseconds. */
export const patience = 5_000
/** How long one check may take, in milliseconds. */
const longest = 20_000

/** Runs one check. One that throws, or does not come to an end, has found a problem. */
export async function check(part: Part, run: () => Promise<Result>): Promise<Finding> {
  const late = Promise.withResolvers<Result>()
  const timer = setTimeout(() => late.resolve(problem(`no answer for ${longest / 1000} s`)), longest)
  const result = run().catch((error: Error) => problem(reasonOf(error)))
  try {
    return { part, ...(await Promise.race([result, late.promise])) }
  } finally {
    clearTimeout(timer)
  }
}

/** `fetch failed` and the like say nothing; their cause does. One line of it. */
export function reasonOf(error: Error): string {
  const message = error.cause instanceof Error ? error.cause.message : error.message
  return message.split('\n')[0] || error.name
}

export const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
