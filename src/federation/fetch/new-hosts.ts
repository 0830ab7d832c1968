// Whoever owns a domain has as many servers below it as they like, and each of them can lead to the next.
import { getDomain } from 'tldts'
import { isKnownHost } from '#domain/server/hosts/host-info.ts'
import type { Ctx } from '#ports/ctx.ts'
import { countUp, mayTry } from './failures.ts'

const seconds = 60
/** New servers below one domain in that time, and on one address, where only the ports differ. */
const max = { domain: 10, address: 200 }

/**
 * Whether a server may be asked that was never heard of: only some of each domain in a minute. Those that share a
 * domain without knowing each other (https://publicsuffix.org) do not count together, and who has a domain of their
 * own is not counted at all, so that nobody else can use it up. `host` is normalised.
 */
export async function mayMeet(ctx: Ctx, host: string): Promise<boolean> {
  const bare = host.replace(/:\d+$/, '')
  const domain = getDomain(bare, { allowPrivateDomains: true })
  if (host === domain || (await isKnownHost(ctx, host))) return true
  const isFirst = await mayTry(ctx, { kind: 'new-host', name: host, max: 1, seconds })
  const counter = { kind: 'new-hosts', name: domain ?? bare, seconds }
  return (await countUp(ctx, counter, isFirst ? 1 : 0)) <= (domain === null ? max.address : max.domain)
}
