// Quotes that statuses of other servers make, and the consent to quotes across servers (https://w3id.org/fep/044f).
import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

export interface RemoteQuote {
  statusId: StatusId
  accountId: AccountId
}

/**
 * The row of a quote. It is accepted where people quote themselves, and waits for consent otherwise. Nobody is named by
 * it: who may see the status is for its server to say. Idempotent.
 */
export async function insertRemoteQuote(
  tx: Tx,
  status: { id: StatusId; accountId: AccountId },
  quote: RemoteQuote,
): Promise<void> {
  const now = new Date(tx.clock.now())
  const state = quote.accountId === status.accountId ? 'accepted' : 'pending'
  await sql`
    with quoted as (select id from statuses where id = ${quote.statusId} and deleted_at is null for share),
    made as (
      insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state, created_at, updated_at)
      select ${status.id}, ${status.accountId}, q.id, ${quote.accountId}, ${state}, ${now}, ${now} from quoted q
      on conflict (status_id) do nothing returning quoted_status_id)
    insert into status_stats (status_id, quotes_count) select quoted_status_id, 1 from made
    where ${state === 'accepted'}
    on conflict (status_id) do update set quotes_count = status_stats.quotes_count + 1`.execute(tx.db)
}

/** As `insertRemoteQuote`, of a status that is stored already. */
export async function attachRemoteQuote(ctx: Ctx, statusId: StatusId, quotedId: StatusId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ account_id: AccountId; quoted_id: StatusId; quoted_account_id: AccountId }>`
      select s.account_id, q.id as quoted_id, q.account_id as quoted_account_id
      from statuses s join statuses q on q.id = ${quotedId} and q.id <> s.id and q.reblog_of_id is null
      where s.id = ${statusId} and s.deleted_at is null and not s.local
        and not exists (select 1 from quotes k where k.status_id = s.id)
      for no key update of s`.execute(tx.db)
    const row = rows[0]
    if (!row) return
    const quote = { statusId: row.quoted_id, accountId: row.quoted_account_id }
    await insertRemoteQuote(tx, { id: statusId, accountId: row.account_id }, quote)
    await sql`update statuses set version = version + 1 where id = ${statusId}`.execute(tx.db)
    await tx.emit({ type: 'status.updated', statusId, editId: null })
  })
}

/**
 * Lets go of the quote that a status made and, as its author now says, does not make any more: `quotedId` is what it
 * quotes now. One that was refused stays: nobody asks again by an edit. Emits `quote.revoked`.
 */
export async function endOtherQuote(tx: Tx, statusId: StatusId, quotedId: StatusId | null): Promise<void> {
  const { rows } = await sql<{ quoted_status_id: StatusId }>`
    with gone as (
      delete from quotes q using statuses o
      where q.status_id = ${statusId} and q.state in ('accepted', 'pending') and o.id = q.quoted_status_id
        and o.deleted_at is null and o.id is distinct from ${quotedId}::bigint
      returning q.quoted_status_id, q.state),
    shown as (update statuses set version = version + 1 where id = ${statusId} and exists (select 1 from gone)),
    counted as (
      update status_stats set quotes_count = greatest(0, quotes_count - 1)
      where status_id in (select quoted_status_id from gone where state = 'accepted'))
    select quoted_status_id from gone`.execute(tx.db)
  for (const row of rows) {
    await tx.emit({ type: 'quote.revoked', statusId, quotedStatusId: row.quoted_status_id })
  }
}

/**
 * Accepts a quote that waits for it. Idempotent. `approvalUri`: the stamp that proves the consent, null where this
 * server gave it. Emits `quote.accepted`. Returns whether the quote is accepted now.
 */
export async function acceptQuote(
  ctx: Ctx,
  { statusId, approvalUri }: { statusId: StatusId; approvalUri: string | null },
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ state: string }>`
      select q.state from quotes q join statuses s on s.id = q.status_id
      where q.status_id = ${statusId} and s.deleted_at is null for no key update`.execute(tx.db)
    const state = rows[0]?.state
    if (state !== 'pending') return state === 'accepted'
    await sql`
      with made as (
        update quotes set state = 'accepted', approval_uri = ${approvalUri}, updated_at = ${new Date(tx.clock.now())}
        where status_id = ${statusId} returning quoted_status_id),
      shown as (update statuses set version = version + 1 where id = ${statusId})
      insert into status_stats (status_id, quotes_count) select quoted_status_id, 1 from made
      where quoted_status_id is not null
      on conflict (status_id) do update set quotes_count = status_stats.quotes_count + 1`.execute(tx.db)
    await tx.emit({ type: 'quote.accepted', statusId })
    return true
  })
}

/** Ends a quote whose consent was refused, or taken back. Idempotent. Returns whether it had not ended before. */
export const refuseQuote = (ctx: Ctx, statusId: StatusId): Promise<boolean> =>
  endConsent(ctx, statusId, { accepted: 'revoked', pending: 'rejected' })

/** Has a quote wait for consent again of which the proof is no longer shown. Idempotent. Returns as `refuseQuote`. */
export const withdrawConsent = (ctx: Ctx, statusId: StatusId): Promise<boolean> =>
  endConsent(ctx, statusId, { accepted: 'pending' })

/**
 * `next`: which state follows on which; others stay. A quote whose consent was proved once counts as accepted: that the
 * proof is no longer shown, and that it was taken back, come in any order. Emits `quote.revoked`.
 */
function endConsent(ctx: Ctx, statusId: StatusId, next: Readonly<Record<string, string>>): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ state: string; proved: boolean; quoted_status_id: StatusId | null }>`
      select q.state, q.approval_uri is not null as proved, q.quoted_status_id from quotes q join statuses s on s.id = q.status_id
      where q.status_id = ${statusId} and q.state = any(${Object.keys(next)}::text[]) for no key update`.execute(
      tx.db,
    )
    const held = rows[0]
    if (!held) return false
    await sql`
      with ended as (
        update quotes set updated_at = ${new Date(tx.clock.now())}, state = ${next[held.proved ? 'accepted' : held.state]}
        where status_id = ${statusId}),
      shown as (update statuses set version = version + 1 where id = ${statusId})
      update status_stats set quotes_count = greatest(0, quotes_count - 1)
      where status_id = ${held.quoted_status_id}::bigint and ${held.state === 'accepted'}`.execute(tx.db)
    if (held.quoted_status_id !== null) {
      await tx.emit({ type: 'quote.revoked', statusId, quotedStatusId: held.quoted_status_id })
    }
    return true
  })
}

export interface QuoteParties {
  statusId: StatusId
  state: string
  approvalUri: string | null
  quotingUri: string | null
  quotingAccountId: AccountId
  quotingUsername: string
  quotingLocal: boolean
  quotingVisibility: string
  quotedId: StatusId
  quotedUri: string | null
  quotedAccountId: AccountId
  quotedUsername: string
  quotedLocal: boolean
  quotedAuthorUri: string | null
}

/** A quote with those on both sides; null when there is none, or what is quoted is gone. */
export async function findQuoteParties(
  reader: Reader,
  by: { statusId: StatusId } | { approvalUri: string },
): Promise<QuoteParties | null> {
  const condition =
    'statusId' in by ? sql`q.status_id = ${by.statusId}` : sql`q.approval_uri = ${by.approvalUri}`
  const { rows } = await sql<QuoteParties>`
    select q.status_id as "statusId", q.state, q.approval_uri as "approvalUri", s.uri as "quotingUri",
      s.account_id as "quotingAccountId", sa.username as "quotingUsername", s.local as "quotingLocal",
      s.visibility as "quotingVisibility",
      o.id as "quotedId", o.uri as "quotedUri", o.account_id as "quotedAccountId", oa.username as "quotedUsername",
      o.local as "quotedLocal", oa.uri as "quotedAuthorUri"
    from quotes q
    join statuses s on s.id = q.status_id and s.deleted_at is null
    join statuses o on o.id = q.quoted_status_id and o.deleted_at is null
    join accounts sa on sa.id = s.account_id
    join accounts oa on oa.id = o.account_id
    where ${condition}`.execute(reader.db)
  return rows[0] ?? null
}
