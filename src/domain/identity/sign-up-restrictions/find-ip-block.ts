// What is said of an address, asked at every request: from memory, and never long after it was said.
import { sql } from 'kysely'
import type { Config, Reader } from '#ports/ctx.ts'
import { cidrContains, parseCidr, type Cidr } from '#lib/net/cidr.ts'
import { createIpMatcher, type IpMatcher } from '#lib/net/ip-matcher.ts'
import { withTimeout } from '#lib/concurrency/with-timeout.ts'

/** `no_access` includes `sign_up_block`, and that `sign_up_requires_approval`. */
export type IpSeverity = 'sign_up_requires_approval' | 'sign_up_block' | 'no_access'

const strictness: Readonly<Record<IpSeverity, number>> = {
  sign_up_requires_approval: 1,
  sign_up_block: 2,
  no_access: 3,
}

/** Milliseconds after which it is looked whether anything has changed, while requests go on. */
const freshFor = 2_000
/** Milliseconds after which requests wait for that. */
const usableFor = 5_000
/** Milliseconds for which they wait: without a database there are other troubles. */
const patience = 1_000
/** Ranges that are kept at most, the strictest first. */
const max = 100_000

interface Rule {
  severity: IpSeverity
  /** Milliseconds since the epoch; null: no end. */
  endsAt: number | null
}

interface Known {
  matcher: IpMatcher<Rule>
  /** Changes with every change of the list. */
  stamp: string
  checkedAt: number
  checking: Promise<void> | null
  /** The last look failed. */
  isOld: boolean
}

const unread: Omit<Known, 'matcher'> = { stamp: '', checkedAt: -Infinity, checking: null, isOld: false }

/** By configuration, of which each server in a process has its own. */
const known = new WeakMap<Config, Known>()

const loopback = ['127.0.0.0/8', '::1/128'].map((text) => parseCidr(text) as Cidr)

/** Ranges that can never be shut out: this machine, and the proxies in front of it. */
export function ownRanges({ config }: Pick<Reader, 'config'>): readonly Cidr[] {
  return [...loopback, ...config.trustedProxies]
}

/**
 * The strictest block that holds for an address, or null. At most five seconds late, where the news of a change are lost; while the database is away what
 * was known last. Loopback and trusted proxies have none.
 */
export async function findIpBlock(reader: Reader, address: string): Promise<{ severity: IpSeverity } | null> {
  const list = getKnown(reader)
  const age = Math.abs(reader.clock.now() - list.checkedAt)
  if (age >= freshFor) await look(reader, list, age)
  const now = reader.clock.now()
  const rules = list.matcher.find(address).filter(({ endsAt }) => endsAt === null || endsAt > now)
  if (rules.length === 0 || ownRanges(reader).some((range) => cidrContains(range, address))) return null
  return rules.reduce((a, b) => (strictness[b.severity] > strictness[a.severity] ? b : a))
}

/** Has the list read again at the next request: it has changed. Until it is read, the old one holds. */
export function invalidateIpBlocks({ config }: Pick<Reader, 'config'>): void {
  const list = known.get(config)
  if (list) known.set(config, { ...unread, matcher: list.matcher })
}

function getKnown({ config }: Pick<Reader, 'config'>): Known {
  let list = known.get(config)
  if (!list) known.set(config, (list = { ...unread, matcher: createIpMatcher<Rule>([]) }))
  return list
}

/** Looks whether the list has changed, and waits for it where what is known is too old. */
async function look(reader: Reader, list: Known, age: number): Promise<void> {
  const checking = (list.checking ??= check(reader, list))
  if (age >= usableFor) await withTimeout(patience, checking)
}

/** One small query while nothing has changed. */
async function check(reader: Reader, list: Known): Promise<void> {
  const now = reader.clock.now()
  try {
    const stamp = await readStamp(reader)
    if (stamp !== list.stamp) {
      list.matcher = await readMatcher(reader)
      list.stamp = stamp
    }
    list.isOld = false
  } catch (error) {
    // Told once: while the database is away, each request looks.
    if (!list.isOld)
      reader.log.warn({ error: String(error) }, 'blocks of addresses cannot be read: those known last hold')
    list.isOld = true
  } finally {
    list.checkedAt = now
    list.checking = null
  }
}

async function readStamp(reader: Reader): Promise<string> {
  // A sum, not the newest time: machines whose clocks differ change them, too.
  const { rows } = await sql<{ count: string; times: string }>`
    select count(*) as count, coalesce(sum(extract(epoch from updated_at)), 0)::text as times from ip_blocks`.execute(
    reader.db,
  )
  return `${rows[0]?.count ?? 0} ${rows[0]?.times ?? ''}`
}

async function readMatcher(reader: Reader): Promise<IpMatcher<Rule>> {
  const { rows } = await sql<{ ip: string; severity: IpSeverity; expires_at: Date | null }>`
    select ip::text as ip, severity, expires_at from ip_blocks
    order by severity = 'no_access' desc, id desc limit ${max}`.execute(reader.db)
  if (rows.length === max) reader.log.warn({ max }, 'there are more blocks of addresses than are applied')
  return createIpMatcher(
    rows.flatMap(({ ip, severity, expires_at }) => {
      const range = parseCidr(ip)
      return range ? [[range, { severity, endsAt: expires_at?.getTime() ?? null }] as const] : []
    }),
  )
}
