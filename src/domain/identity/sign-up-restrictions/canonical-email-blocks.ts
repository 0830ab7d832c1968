// Addresses that nobody signs up with again, kept as hashes: they are known again, and cannot be read.
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { recordActions, type Staff } from '#domain/server/audit/record.ts'
import { canonicalEmail, canonicalEmailHash } from './canonical-email.ts'
import type { AccountId, CanonicalEmailBlockId } from '#lib/id.ts'

export interface CanonicalEmailBlock {
  id: CanonicalEmailBlockId
  canonical_email_hash: string
  /** The suspended account because of which it is there. */
  reference_account_id: AccountId | null
}

const columns = sql`id, canonical_email_hash, reference_account_id`

/** The blocks, newest first. */
export async function listCanonicalEmailBlocks(
  reader: Reader,
  page: PageRequest,
): Promise<Page<CanonicalEmailBlock>> {
  const { rows } = await sql<CanonicalEmailBlock>`
    select ${columns} from canonical_email_blocks where ${inPage('id', page)}
    ${orderAndLimit('id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** Throws `not_found`. */
export async function getCanonicalEmailBlock(
  reader: Reader,
  id: CanonicalEmailBlockId,
): Promise<CanonicalEmailBlock> {
  const { rows } = await sql<CanonicalEmailBlock>`
    select ${columns} from canonical_email_blocks where id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** The blocks that hold for an address, however it is written: one, or none. */
export async function findCanonicalEmailBlocks(
  reader: Reader,
  email: string,
): Promise<CanonicalEmailBlock[]> {
  const { rows } = await sql<CanonicalEmailBlock>`
    select ${columns} from canonical_email_blocks
    where canonical_email_hash = ${canonicalEmailHash(email)}`.execute(reader.db)
  return rows
}

/** Blocks an address, or a hash that somebody else made of one. Throws `invalid` without either, and when it is blocked already. */
export async function createCanonicalEmailBlock(
  ctx: Ctx,
  staff: Staff,
  wanted: { email?: string | undefined; hash?: string | undefined },
): Promise<CanonicalEmailBlock> {
  const hash = requireHash(wanted)
  return ctx.transaction(async (tx) => {
    const made = await insertBlock(tx, hash, null)
    if (!made) throw invalid('canonical_email_hash', 'taken')
    await recordActions(tx, staff, [toAction('create', made)])
    return made
  })
}

function requireHash({ email, hash }: { email?: string | undefined; hash?: string | undefined }): string {
  if (email?.trim()) {
    if (!/^[^@\s]+@[^@\s]+$/.test(email.trim())) throw invalid('email', 'invalid')
    return canonicalEmailHash(email)
  }
  const given = hash?.trim().toLowerCase() ?? ''
  if (given === '') throw invalid('canonical_email_hash', 'blank')
  if (!/^[0-9a-f]{64}$/.test(given)) throw invalid('canonical_email_hash', 'invalid')
  return given
}

async function insertBlock(
  tx: Tx,
  hash: string,
  reference: AccountId | null,
): Promise<CanonicalEmailBlock | null> {
  const { rows } = await sql<CanonicalEmailBlock>`
    insert into canonical_email_blocks (id, canonical_email_hash, reference_account_id, created_at)
    values (${tx.newId()}, ${hash}, ${reference}, ${new Date(tx.clock.now())})
    on conflict (canonical_email_hash) do nothing returning ${columns}`.execute(tx.db)
  return rows[0] ?? null
}

const toAction = (action: string, { id, canonical_email_hash }: CanonicalEmailBlock) => ({
  action,
  targetType: 'canonical_email_block',
  targetId: id,
  label: canonical_email_hash,
})

/** Throws `not_found`. */
export async function deleteCanonicalEmailBlock(
  ctx: Ctx,
  staff: Staff,
  id: CanonicalEmailBlockId,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<CanonicalEmailBlock>`
      delete from canonical_email_blocks where id = ${id} returning ${columns}`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await recordActions(
      tx,
      staff,
      rows.map((block) => toAction('destroy', block)),
    )
  })
}

/** Lifts what holds for an address. Returns whether anything did. */
export async function deleteCanonicalEmailBlocksOf(ctx: Ctx, staff: Staff, email: string): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<CanonicalEmailBlock>`
      delete from canonical_email_blocks where canonical_email_hash = ${canonicalEmailHash(email)}
      returning ${columns}`.execute(tx.db)
    await recordActions(
      tx,
      staff,
      rows.map((block) => toAction('destroy', block)),
    )
    return rows.length > 0
  })
}

/**
 * Blocks the address of an account of this server while it is suspended, and no longer. What staff blocked themselves
 * stays. Safe to run again.
 */
export async function followSuspension(ctx: Ctx, accountId: AccountId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ email: string; suspended: boolean }>`
      select u.email, a.suspended_at is not null as suspended
      from users u join accounts a on a.id = u.account_id where a.id = ${accountId} for update of a`.execute(
      tx.db,
    )
    const user = rows[0]
    // Without a login there is nothing to know; what is blocked because of a suspended account stays when it is deleted.
    if (!user) return
    const hash = canonicalEmailHash(user.email)
    if (user.suspended) return void (await insertBlock(tx, hash, accountId))
    await sql`delete from canonical_email_blocks where reference_account_id = ${accountId}`.execute(tx.db)
    const other = await findSuspendedWith(tx, user.email)
    if (other !== null) await insertBlock(tx, hash, other)
  })
}

/** A suspended account of the same mailbox. */
async function findSuspendedWith(tx: Tx, email: string): Promise<AccountId | null> {
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from users u join accounts a on a.id = u.account_id
    where u.email_canonical = ${canonicalEmail(email)} and a.suspended_at is not null
    order by a.id limit 1 for share of a`.execute(tx.db)
  return rows[0]?.id ?? null
}
