import type { Ctx } from '#ports/ctx.ts'
import type { Caller } from '#domain/identity/accounts/viewer.ts'
import { addressBlock } from '#lib/net/cidr.ts'
import { tooMany, unavailable } from '#lib/errors.ts'
import { hashSecret } from '#lib/secrets.ts'

/** One fixed window, aligned to the epoch. */
export interface Throttle {
  name: string
  /** Whom it counts: an address, an account, an e-mail address. */
  key: string
  limit: number
  seconds: number
}

export interface Standing {
  limit: number
  remaining: number
  /** Milliseconds since the epoch. */
  reset: number
}

/** What the handler of a route may count. */
export interface Limits {
  /** Counts one against a family while `work` runs, and gives it back when that fails. Throws `too_many`. */
  spend<T>(family: Family, work: () => Promise<T>): Promise<T>
  /** Counts one against a throttle of its own. Throws `too_many`. */
  count(throttle: Throttle): Promise<void>
  /** What the `X-RateLimit-*` headers tell. */
  standing(): Standing | null
}

export type Family = 'statuses' | 'follows' | 'reports'

const families: Record<Family, { limit: number; seconds: number }> = {
  statuses: { limit: 300, seconds: 3 * 3600 },
  follows: { limit: 400, seconds: 24 * 3600 },
  reports: { limit: 400, seconds: 24 * 3600 },
}

/** Shared by all routes of one request: the strictest standing wins, unless a family was counted. */
export function createLimits(
  ctx: Ctx,
  caller: Caller,
): Limits & { throttle(list: Throttle[]): Promise<void> } {
  let shown: Standing | null = null
  let fixed = false

  async function charge(list: readonly Throttle[]): Promise<Standing[]> {
    if (!ctx.config.rateLimits || list.length === 0) return []
    const now = ctx.clock.now()
    const counts = await ctx.kv.incrementMany(
      list.map((item) => ({ key: windowKey(item, now), by: 1, ttlSeconds: item.seconds })),
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
    count: async (throttle) => show(await charge([throttle]).catch(refuse)),
    async spend(family, work) {
      const throttle = { name: family, key: caller.viewer?.accountId ?? caller.address, ...families[family] }
      const [found] = await charge([throttle]).catch((error: Error) => goOn(ctx, error))
      if (found) {
        shown = found
        fixed = true
        show([found])
      }
      try {
        return await work()
      } catch (error) {
        await giveBack(ctx, throttle).catch((failure: Error) => goOn(ctx, failure))
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

async function giveBack(ctx: Ctx, throttle: Throttle): Promise<void> {
  if (!ctx.config.rateLimits) return
  await ctx.kv.increment(windowKey(throttle, ctx.clock.now()), -1, throttle.seconds)
}

/** Keys hold a hash: e-mail addresses and tokens do not lie about in the store. */
function windowKey(throttle: Throttle, now: number): string {
  const window = Math.floor(now / 1000 / throttle.seconds)
  return `limit:${throttle.name}:${hashSecret(throttle.key).toString('base64url', 0, 12)}:${window}`
}

function standing(throttle: Throttle, count: number, now: number): Standing {
  const length = throttle.seconds * 1000
  return {
    limit: throttle.limit,
    remaining: throttle.limit - count,
    reset: (Math.floor(now / length) + 1) * length,
  }
}

const loopback = new Set(['127.0.0.1', '::1'])
const fiveMinutes = 300
const uploadPaths: ReadonlySet<string> = new Set(['/api/v1/media', '/api/v2/media'])

type Kind = 'api' | 'oauth' | 'page' | 'file' | 'document' | 'media-proxy' | 'proxied-picture'

/** What a path is, by how it begins. All that is nothing else is a page. */
const kinds: readonly (readonly [start: string, kind: Kind])[] = [
  ['/api/', 'api'],
  ['/oauth/', 'oauth'],
  ['/media_proxy/accounts/', 'proxied-picture'],
  ['/media_proxy/emojis/', 'proxied-picture'],
  ['/media_proxy/', 'media-proxy'],
  ['/media/', 'file'],
  ['/assets/', 'file'],
  ['/avatars/', 'file'],
  ['/headers/', 'file'],
  ['/instance/', 'file'],
  ['/.well-known/', 'document'],
  ['/nodeinfo/', 'document'],
]

const kindOf = (path: string): Kind => kinds.find(([start]) => path.startsWith(start))?.[1] ?? 'page'

/** By address alone: a timeline has a hundred pictures, and of other servers each asks for many people. */
const byAddress: Partial<Record<Kind, { limit: number; seconds: number }>> = {
  'media-proxy': { limit: 30, seconds: 600 },
  'proxied-picture': { limit: 600, seconds: 600 },
  file: { limit: 10_000, seconds: fiveMinutes },
  document: { limit: 3_000, seconds: fiveMinutes },
}

/**
 * The throttles that every request passes (for the API, behaviour of rack-attack in Mastodon). Strangers on this
 * machine are not counted.
 */
export function generalThrottles(
  route: { method: string; path: string },
  caller: Caller,
  url: URL,
): Throttle[] {
  const address = addressBlock(caller.address)
  const isNear = loopback.has(address)
  const kind = kindOf(route.path)
  const flat = byAddress[kind]
  if (flat)
    return isNear ? [] : [{ name: kind === 'media-proxy' ? kind : `${kind}s-ip`, key: address, ...flat }]
  const user = caller.viewer?.userId
  const list: Throttle[] = []
  if (user) list.push({ name: `${kind}-user`, key: user, limit: 1500, seconds: fiveMinutes })
  if (caller.token)
    list.push({ name: `${kind}-token`, key: caller.token.id, limit: 300, seconds: fiveMinutes })
  if (!user && !isNear) list.push({ name: `${kind}-ip`, key: address, limit: 300, seconds: fiveMinutes })
  // Counted before the upload is read: it costs most of what is to be limited.
  if (user && route.method === 'POST' && uploadPaths.has(route.path))
    list.push({ name: 'media-user', key: user, limit: 30, seconds: 1800 })
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
  if (user) return [{ name: 'paging-user', key: user, limit: 300, seconds: 900 }]
  const address = addressBlock(caller.address)
  return loopback.has(address) ? [] : [{ name: 'paging-ip', key: address, limit: 300, seconds: 900 }]
}

/** Other servers come often, and many people stand behind each; this is against floods only. */
export function federationThrottles(method: string, caller: Caller): Throttle[] {
  const key = addressBlock(caller.address)
  if (loopback.has(key)) return []
  return method === 'POST'
    ? [{ name: 'inbox-ip', key, limit: 30_000, seconds: fiveMinutes }]
    : [{ name: 'documents-ip', key, limit: 3_000, seconds: fiveMinutes }]
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
