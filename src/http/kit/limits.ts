import type { Ctx } from '#ports/ctx.ts'
import type { Caller } from '#domain/identity/accounts/viewer.ts'
import { addressBlock } from '#lib/net/cidr.ts'
import type { RequestUrl } from '#lib/net/request-path.ts'
import { tooMany, unavailable } from '#lib/errors.ts'
import { nameSecret } from '#lib/secrets.ts'
import { rateLimits, type Family, type FamilyBy } from './rate-limits.ts'

/** One that a family counts. */
export interface Throttle {
  family: Family
  /** Whom it counts: an address, an id, an e-mail address. */
  key: string
}

export interface Standing {
  limit: number
  remaining: number
  /** Milliseconds since the epoch. */
  reset: number
}

/** What the handler of a route may count. */
export interface Limits {
  /** Counts so many of the caller while `work` runs, and gives them back when that fails. Throws `too_many`. */
  spend<T>(family: FamilyBy<'account'>, work: () => Promise<T>, times?: number): Promise<T>
  /** Counts one of `key`. Throws `too_many`, and `unavailable` when it cannot be counted. */
  count(family: Family, key: string): Promise<void>
  /** What the `X-RateLimit-*` headers tell. */
  standing(): Standing | null
}

/** Shared by all routes of one request: the strictest standing wins, unless a family was counted. */
export function createLimits(
  ctx: Ctx,
  caller: Caller,
): Limits & { throttle(list: Throttle[]): Promise<void> } {
  let shown: Standing | null = null
  let fixed = false

  async function charge(list: readonly Throttle[], by = 1): Promise<Standing[]> {
    if (!ctx.config.rateLimits || list.length === 0) return []
    const now = ctx.clock.now()
    const counts = await ctx.kv.incrementMany(
      list.map((item) => ({ key: windowKey(item, now), by, ttlSeconds: rateLimits[item.family].seconds })),
    )
    return list.map((item, index) => standing(item, counts[index] ?? 0, now))
  }

  function show(found: Standing[]): void {
    for (const one of found) {
      if (!fixed && (!shown || one.remaining < shown.remaining)) shown = one
    }
    const spent = found.find((one) => one.remaining < 0)
    if (spent) {
      shown = { ...spent, remaining: 0 }
      const wait = Math.ceil((spent.reset - ctx.clock.now()) / 1000)
      throw tooMany(undefined, undefined, { retryAfter: Math.max(1, wait) })
    }
  }

  return {
    standing: () => shown,
    // What guards the whole must not end the whole: while the store is away it goes on uncounted.
    throttle: async (list) => show(await charge(list).catch((error: Error) => goOn(ctx, error))),
    // What guards a single thing, such as a password, waits until it can be counted.
    count: async (family, key) => show(await charge([{ family, key }]).catch(refuse)),
    async spend(family, work, times = 1) {
      const throttle = { family, key: caller.viewer?.accountId ?? caller.address }
      const [found] = await charge([throttle], times).catch((error: Error) => goOn(ctx, error))
      if (found) {
        shown = found
        fixed = true
      }
      try {
        if (found) show([found])
        return await work()
      } catch (error) {
        await giveBack(ctx, throttle, times).catch((failure: Error) => goOn(ctx, failure))
        throw error
      }
    },
  }
}

function goOn(ctx: Ctx, error: Error): Standing[] {
  ctx.log.warn(
    { error: error.message },
    'requests cannot be counted: the store of rate limits does not answer',
  )
  return []
}

function refuse(cause: unknown): never {
  throw unavailable('temporary_problem', undefined, {
    cause,
  })
}

async function giveBack(ctx: Ctx, throttle: Throttle, times: number): Promise<void> {
  if (!ctx.config.rateLimits) return
  await ctx.kv.increment(windowKey(throttle, ctx.clock.now()), -times, rateLimits[throttle.family].seconds)
}

/** Keys hold a hash: e-mail addresses and tokens do not lie about in the store. */
function windowKey({ family, key }: Throttle, now: number): string {
  const window = Math.floor(now / 1000 / rateLimits[family].seconds)
  return `limit:${family}:${nameSecret(key).slice(0, 16)}:${window}`
}

function standing({ family }: Throttle, count: number, now: number): Standing {
  const { limit, seconds } = rateLimits[family]
  const length = seconds * 1000
  return { limit, remaining: limit - count, reset: (Math.floor(now / length) + 1) * length }
}

/** Strangers on this machine, which nothing counts by address: its own people, and tests. */
export const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1'])
const uploadPaths: ReadonlySet<string> = new Set(['/api/v1/media', '/api/v2/media'])

/** What counts by who asks, in three families each. */
type Kind = 'api' | 'oauth' | 'page'

/** What counts by address alone, by how its path begins; the first that fits holds. */
const byAddress: readonly (readonly [start: string, family: FamilyBy<'address'>])[] = [
  ['/media_proxy/accounts/', 'proxied-pictures-ip'],
  ['/media_proxy/emojis/', 'proxied-pictures-ip'],
  ['/media_proxy/', 'media-proxy'],
  ['/media/', 'files-ip'],
  ['/assets/', 'files-ip'],
  ['/avatars/', 'files-ip'],
  ['/headers/', 'files-ip'],
  ['/instance/', 'files-ip'],
  ['/.well-known/', 'documents-ip'],
  ['/nodeinfo/', 'documents-ip'],
]

/** All that is nothing else is a page. */
function kindOf(path: string): Kind {
  if (path.startsWith('/api/')) return 'api'
  return path.startsWith('/oauth/') ? 'oauth' : 'page'
}

/**
 * The throttles that every request passes (for the API, behaviour of rack-attack in Mastodon). Strangers on this
 * machine are not counted.
 */
export function generalThrottles(
  route: { method: string; path: string },
  caller: Caller,
  url: RequestUrl,
): Throttle[] {
  const address = addressBlock(caller.address)
  const isNear = loopback.has(address)
  const flat = byAddress.find(([start]) => route.path.startsWith(start))?.[1]
  if (flat) return isNear ? [] : [{ family: flat, key: address }]
  const kind = kindOf(route.path)
  const user = caller.viewer?.userId
  const list: Throttle[] = []
  if (user) list.push({ family: `${kind}-user`, key: user })
  if (caller.token) list.push({ family: `${kind}-token`, key: caller.token.id })
  if (!user && !isNear) list.push({ family: `${kind}-ip`, key: address })
  // Counted before the upload is read: it costs most of what is to be limited.
  if (user && route.method === 'POST' && uploadPaths.has(route.path))
    list.push({ family: 'media-user', key: user })
  return isPaging(url.searchParams.keys()) ? [...list, ...pagingThrottles(caller)] : list
}

const pagingParams: ReadonlySet<string> = new Set(['page', 'min_id', 'max_id', 'since_id'])

/** Whether parameters of these names ask for a further page. */
export function isPaging(names: Iterable<string>): boolean {
  for (const name of names) if (pagingParams.has(name)) return true
  return false
}

/** What requests for further pages pass besides. */
export function pagingThrottles(caller: Caller): Throttle[] {
  const user = caller.viewer?.userId
  if (user) return [{ family: 'paging-user', key: user }]
  const address = addressBlock(caller.address)
  return loopback.has(address) ? [] : [{ family: 'paging-ip', key: address }]
}

/** Other servers come often, and many people stand behind each; this is against floods only. */
export function federationThrottles(method: string, caller: Caller): Throttle[] {
  const key = addressBlock(caller.address)
  if (loopback.has(key)) return []
  return [{ family: method === 'POST' ? 'inbox-ip' : 'documents-ip', key }]
}

/** The `X-RateLimit-*` headers. The reset time is ISO 8601 with microseconds, as clients know it. */
export function limitHeaders(standing: Standing | null): Record<string, string> {
  if (!standing) return {}
  return {
    'x-ratelimit-limit': String(standing.limit),
    'x-ratelimit-remaining': String(Math.max(0, standing.remaining)),
    'x-ratelimit-reset': new Date(standing.reset).toISOString().replace('Z', '000Z'),
  }
}
