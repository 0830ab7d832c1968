// Addresses that may not sign up, or may not come in at all.
import { sql, type Selectable } from 'kysely'
import type { IpBlocksTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { cidrContains, formatCidr, parseCidr, type Cidr } from '#lib/net/cidr.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { cidrsOverlap } from '#lib/net/ip-matcher.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { recordActions, type Staff } from '#domain/server/audit/record.ts'
import { ownRanges, type IpSeverity } from './find-ip-block.ts'
import type { IpBlockId } from '#lib/id.ts'

/** From the mildest to the strictest, which includes the others. */
export const ipSeverities = ['sign_up_requires_approval', 'sign_up_block', 'no_access'] as const

export interface IpBlock extends Pick<
  Selectable<IpBlocksTable>,
  'id' | 'comment' | 'expires_at' | 'created_at'
> {
  /** A range such as `10.0.0.0/8`, in its one spelling. */
  ip: string
  severity: IpSeverity
}

/** What is not given has its default, or stays. */
export interface IpBlockTerms {
  ip?: string | undefined
  severity?: IpSeverity | undefined
  comment?: string | undefined
  /** Seconds from now; null: no end. */
  expiresIn?: number | null | undefined
  /** The address of whoever asks, which they cannot shut out. */
  from?: string | undefined
}

/** Nobody's address: what is blocked when none is named, as in Mastodon. */
const nowhere = '0.0.0.0/32'
/** Ten years, in seconds. */
const maxLifetime = 10 * 366 * 86_400

const columns = sql`id, ip::text as ip, severity, comment, expires_at, created_at`

/** The blocks, newest first. */
export async function listIpBlocks(reader: Reader, page: PageRequest): Promise<Page<IpBlock>> {
  const { rows } = await sql<IpBlock>`
    select ${columns} from ip_blocks where ${inPage('id', page)} ${orderAndLimit('id', page)}`.execute(
    reader.db,
  )
  return toPage(rows, page, (row) => row.id)
}

/** Throws `not_found`. */
export async function getIpBlock(reader: Reader, id: IpBlockId): Promise<IpBlock> {
  const { rows } = await sql<IpBlock>`select ${columns} from ip_blocks where id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** The block of just this range; with `covering` the widest one that holds it. Throws `invalid` for what is no range. */
export async function findBlockOfRange(
  reader: Reader,
  range: string,
  covering = false,
): Promise<IpBlock | null> {
  const wanted = requireRange(range)
  const { rows } = await sql<IpBlock>`
    select ${columns} from ip_blocks
    where ${covering ? sql`ip >>= ${wanted}::cidr` : sql`ip = ${wanted}::cidr`}
    order by masklen(ip) limit 1`.execute(reader.db)
  return rows[0] ?? null
}

/**
 * Blocks a range. Throws `invalid` for what is no range, without a severity, for a range that is blocked already, and
 * for one from which those who run the server come.
 */
export async function createIpBlock(ctx: Ctx, staff: Staff, terms: IpBlockTerms): Promise<IpBlock> {
  const { severity } = terms
  if (!severity) throw invalid('severity', 'blank')
  const ip = requireRange(terms.ip?.trim() || nowhere)
  assertNotOwn(ctx, { ip, severity, from: terms.from })
  return ctx.transaction(async (tx) => {
    const now = tx.clock.now()
    await sql`delete from ip_blocks where ip = ${ip}::cidr and expires_at <= ${new Date(now)}`.execute(tx.db)
    const { rows } = await sql<IpBlock>`
      insert into ip_blocks (id, ip, severity, comment, expires_at, created_at, updated_at)
      values (${tx.newId()}, ${ip}::cidr, ${severity}, ${terms.comment?.trim() ?? ''},
        ${endOf(terms.expiresIn ?? null, now)}, ${new Date(now)}, ${new Date(now)})
      on conflict (ip) do nothing returning ${columns}`.execute(tx.db)
    if (!rows[0]) throw invalid('ip', 'taken')
    await recordActions(tx, staff, [toAction('create', rows[0])])
    return rows[0]
  })
}

/** Throws `not_found`, and `invalid` as `createIpBlock`. */
export async function updateIpBlock(
  ctx: Ctx,
  staff: Staff,
  id: IpBlockId,
  terms: IpBlockTerms,
): Promise<IpBlock> {
  return ctx.transaction(async (tx) => {
    const now = tx.clock.now()
    const before = await getIpBlock(tx, id)
    const ip = terms.ip?.trim() ? requireRange(terms.ip) : before.ip
    const severity = terms.severity ?? before.severity
    assertNotOwn(tx, { ip, severity, from: terms.from })
    const { rows: others } = await sql`
      select 1 from ip_blocks where ip = ${ip}::cidr and id <> ${id}`.execute(tx.db)
    if (others.length > 0) throw invalid('ip', 'taken')
    const { rows } = await sql<IpBlock>`
      update ip_blocks set ip = ${ip}::cidr, severity = ${severity},
        comment = ${terms.comment?.trim() ?? before.comment}, updated_at = ${new Date(now)},
        expires_at = ${terms.expiresIn === undefined ? before.expires_at : endOf(terms.expiresIn, now)}
      where id = ${id} returning ${columns}`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await recordActions(tx, staff, [toAction('update', rows[0])])
    return rows[0]
  })
}

/** Throws `not_found`. */
export async function deleteIpBlock(ctx: Ctx, staff: Staff, id: IpBlockId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<IpBlock>`
      delete from ip_blocks where id = ${id} returning ${columns}`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await recordActions(
      tx,
      staff,
      rows.map((block) => toAction('destroy', block)),
    )
  })
}

/** Removes the blocks that have ended. They have not been applied since then. Returns how many. */
export async function purgeIpBlocks(ctx: Ctx): Promise<number> {
  const { rows } = await sql`
    delete from ip_blocks where expires_at <= ${new Date(ctx.clock.now())} returning id`.execute(ctx.db)
  return rows.length
}

function requireRange(text: string): string {
  const range = parseCidr(text)
  if (!range) throw invalid('ip', 'invalid')
  return formatCidr(range)
}

/** Nobody locks themselves out, nor the machine and its proxies, behind which everybody is. */
function assertNotOwn(
  reader: Pick<Reader, 'config'>,
  { ip, severity, from }: { ip: string; severity: IpSeverity; from: string | undefined },
): void {
  if (severity !== 'no_access') return
  const range = parseCidr(ip) as Cidr
  if (ownRanges(reader).some((own) => cidrsOverlap(range, own))) {
    throw invalid('ip', 'own_addresses')
  }
  if (from !== undefined && cidrContains(range, from)) {
    throw invalid('ip', 'own_address')
  }
}

function endOf(seconds: number | null, now: number): Date | null {
  if (seconds === null || seconds === 0) return null
  if (seconds < 0 || seconds > maxLifetime) throw invalid('expires_in', 'invalid')
  return new Date(now + seconds * 1000)
}

const toAction = (action: string, { id, ip, severity, comment, expires_at }: IpBlock) => ({
  action,
  targetType: 'ip_block',
  targetId: id,
  label: ip,
  details: { severity, comment, expires_at: expires_at?.toISOString() ?? null },
})
