// What was last found out about the machine and its surroundings.
import type { Ctx } from '#ports/ctx.ts'
import type { Finding } from '#ports/doctor.ts'

export interface Findings {
  /** Milliseconds since the epoch. */
  at: number
  findings: readonly Finding[]
}

const key = 'doctor:findings'
/** Seconds. */
const kept = 7 * 86_400

/** Looks anew, which takes some seconds, and keeps it for a week. Throws `unavailable`. */
export async function checkSurroundings(ctx: Ctx): Promise<Findings> {
  const found = { at: ctx.clock.now(), findings: await ctx.doctor.check() }
  await ctx.kv.set(key, JSON.stringify(found), kept)
  return found
}

/** What was found last; null when nobody looked in a week, or what keeps it is away. */
export async function findFindings(ctx: Ctx): Promise<Findings | null> {
  const text = await ctx.kv.get(key).catch(() => null)
  return text === null ? null : (JSON.parse(text) as Findings)
}
