// How often one person has other servers asked: each look-up costs this server a request, and another one an answer.
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'

const max = 30
const seconds = 300

/**
 * Whether a person may have one thing more looked up elsewhere now, which counts it: 30 in five minutes, whatever for.
 * What is known here needs no look-up and must not be counted. While nothing can be counted everybody may.
 */
export async function mayLookUp(
  ctx: Pick<Ctx, 'config' | 'kv' | 'log'>,
  accountId: AccountId,
): Promise<boolean> {
  if (!ctx.config.rateLimits) return true
  try {
    return (await ctx.kv.increment(`look-ups:${accountId}`, 1, seconds)) <= max
  } catch (error) {
    ctx.log.warn({ error: String(error) }, 'look-ups cannot be counted: the store does not answer')
    return true
  }
}
