import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { AccountConversationId, AccountId, ConversationId, StatusId } from '#lib/id.ts'

/** A direct status and who hears of it. */
interface DirectStatus {
  author_id: AccountId
  conversation_id: ConversationId
  /** The author and all it names, but for those named silently. */
  people: AccountId[]
  /** Those of this server among them who do not have it yet. */
  receivers: AccountId[]
}

/**
 * Puts a direct status into the conversations of its author and of those it names, as far as they were told of the
 * mention: what somebody blocks, mutes or sets aside does not come to them this way either. It makes the conversation
 * unread for all but its author, for whom it becomes read. Idempotent. Other statuses are passed over. `onlyFor`: an
 * edit has named this account; the others have the status already.
 */
export async function addToConversations(ctx: Ctx, statusId: StatusId, onlyFor?: AccountId): Promise<void> {
  const direct = await ctx.db
    .selectFrom('statuses')
    .select('id')
    .where('id', '=', statusId)
    .where('visibility', '=', 'direct')
    .executeTakeFirst()
  if (!direct) return
  await ctx.transaction(async (tx) => {
    const status = await lockDirect(tx, statusId, onlyFor)
    if (!status || status.receivers.length === 0) return
    const rowIds = await ensureRows(tx, statusId, status)
    await addTo(tx, rowIds, { id: statusId, authorId: status.author_id })
  })
}

/** Puts in what a sender wrote directly to an account while it was set aside, once it no longer is. Safe to run again. */
export async function addAcceptedToConversations(
  ctx: Ctx,
  { accountId, fromAccountId }: { accountId: AccountId; fromAccountId: AccountId },
): Promise<void> {
  const { rows } = await sql<{ id: StatusId }>`
    select s.id from notifications n join statuses s on s.id = n.status_id
    where n.account_id = ${accountId} and n.from_account_id = ${fromAccountId} and n.type = 'mention'
      and not n.filtered and s.visibility = 'direct' and s.deleted_at is null
      and not exists (
        select 1 from account_conversation_statuses k join account_conversations c on c.id = k.account_conversation_id
        where k.status_id = s.id and c.account_id = n.account_id offset 0)
    order by s.id`.execute(ctx.db)
  for (const { id } of rows) await addToConversations(ctx, id, accountId)
}

/** Locked, so that its deletion comes after and finds it in the conversations. Null when there is none any more. */
async function lockDirect(
  tx: Tx,
  statusId: StatusId,
  onlyFor: AccountId | undefined,
): Promise<DirectStatus | null> {
  const { rows } = await sql<DirectStatus>`
    with s as (
      select id, account_id, conversation_id from statuses
      where id = ${statusId} and visibility = 'direct' and reblog_of_id is null and conversation_id is not null
        and deleted_at is null
      for share),
    people as (
      select account_id as id from s
      union select m.account_id from s join mentions m on m.status_id = s.id and not m.silent),
    receivers as (
      select p.id from people p join s on true join accounts a on a.id = p.id and a.domain is null
      where (${onlyFor ?? null}::bigint is null or p.id = ${onlyFor ?? null})
        and (p.id = s.account_id or exists (
          select 1 from notifications n
          where n.account_id = p.id and n.status_id = s.id and n.type = 'mention' and not n.filtered offset 0))
        and not exists (
          select 1 from account_conversation_statuses k join account_conversations c on c.id = k.account_conversation_id
          where k.status_id = s.id and c.account_id = p.id offset 0))
    select s.account_id as author_id, s.conversation_id, array(select id from people order by id) as people,
      array(select id from receivers order by id) as receivers
    from s`.execute(tx.db)
  return rows[0] ?? null
}

/** The receivers' conversations with these people in this thread, locked; new ones where there are none. */
async function ensureRows(
  tx: Tx,
  statusId: StatusId,
  status: DirectStatus,
): Promise<AccountConversationId[]> {
  const { people, receivers } = status
  const newIds = receivers.map(() => tx.newId())
  const { rows } = await sql<{ id: AccountConversationId }>`
    insert into account_conversations (id, account_id, conversation_id, participant_ids, last_status_id, created_at)
    select r.id, r.account_id, ${status.conversation_id}::bigint,
      array(select p from unnest(${people}::bigint[]) p where p <> r.account_id order by p),
      ${statusId}, ${new Date(tx.clock.now())}
    from unnest(${newIds}::bigint[], ${receivers}::bigint[]) r (id, account_id)
    order by r.account_id
    on conflict (account_id, conversation_id, participant_ids) do update set version = account_conversations.version
    returning id`.execute(tx.db)
  return rows.map((row) => row.id)
}

async function addTo(
  tx: Tx,
  rowIds: readonly AccountConversationId[],
  status: { id: StatusId; authorId: AccountId },
): Promise<void> {
  const { rows } = await sql<{ id: AccountConversationId; account_id: AccountId }>`
    with fresh as (
      insert into account_conversation_statuses (account_conversation_id, status_id)
      select unnest(${rowIds}::bigint[]), ${status.id}
      on conflict do nothing returning account_conversation_id)
    update account_conversations c set last_status_id = greatest(c.last_status_id, ${status.id}::bigint),
      unread = (c.account_id <> ${status.authorId}), version = c.version + 1
    from fresh where c.id = fresh.account_conversation_id
    returning c.id, c.account_id`.execute(tx.db)
  for (const row of rows) {
    await tx.emit({ type: 'conversation.updated', accountId: row.account_id, conversationId: row.id })
  }
}
