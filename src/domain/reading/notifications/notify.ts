import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { insertingEvents, type EventFromRows } from '#db/outbox.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { entersHome } from '#domain/reading/timelines/home-rules.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { groupKey, previousGroupKey } from './group-key.ts'
import { mayNotify } from './may-notify.ts'
import { mergeAllowed, type SetAside } from './merge.ts'
import { candidateFacts, policyAnswer } from './policy-answer.ts'
import { reactionKind } from './queries.ts'
import type {
  AccountId,
  AccountSeveranceId,
  AccountWarningId,
  AnnualReportId,
  CollectionId,
  CollectionItemId,
  FavouriteId,
  ReportId,
  StatusId,
  StatusReactionId,
} from '#lib/id.ts'

/** What notifications are about, next to a status or in its place: an id, or a term of the row `n`. */
export interface Subject {
  collectionId?: CollectionId | RawBuilder<CollectionId>
  reactionId?: StatusReactionId
  annualReportId?: AnnualReportId
  severanceId?: RawBuilder<AccountSeveranceId>
  warningId?: AccountWarningId
  reportId?: ReportId
}

const notificationCreated: EventFromRows<EventOf<'notification.created'>> = {
  type: 'notification.created',
  columns: { notificationId: 'id', accountId: 'account_id', kind: 'type' },
  from: 'shown',
}

/**
 * Writes the notifications that `candidates` propose, a SELECT of account_id, from_account_id, type, status_id and
 * the time of the act. Idempotent. What may be undone is locked by the SELECT while this writes, so that the undo
 * comes after and finds the notification. Each that is shown is an event of its own, in the same statement. What the recipient's policy sets aside raises a request of its sender.
 */
export async function notify(
  ctx: Ctx,
  candidates: RawBuilder<unknown>,
  subject: Subject = {},
): Promise<void> {
  const now = ctx.clock.now()
  const { rows } = await sql<SetAside>`
    with made as (${insertion(candidates, subject, now)}),
    shown as (select * from made where not filtered),
    told as (${insertingEvents(notificationCreated, ctx.trace.carry())}),
    aside as (
      select account_id, from_account_id, max(id) as id from made where filtered group by account_id, from_account_id)
    insert into notification_requests (id, account_id, from_account_id, created_at, updated_at)
    select id, account_id, from_account_id, ${new Date(now)}, ${new Date(now)} from aside
    order by account_id, from_account_id
    on conflict (account_id, from_account_id) do update set updated_at = excluded.updated_at
    returning account_id as "accountId", from_account_id as "fromAccountId"`.execute(ctx.db)
  await mergeAllowed(ctx, rows)
}

const candidateRows = { candidate: 'c', sender: 'sender', status: 's', policy: 'p', facts: 'f' }

function insertion(candidates: RawBuilder<unknown>, subject: Subject, now: number): RawBuilder<unknown> {
  return sql`
    insert into notifications (id, account_id, from_account_id, type, status_id, group_key, filtered,
      collection_id, reaction_id, annual_report_id, severance_id, warning_id, report_id, created_at)
    select n.id, n.account_id, n.from_account_id, n.type, n.status_id, ${groupKey('n')}, n.answer = 'filter',
      ${subject.collectionId ?? null}::bigint, ${subject.reactionId ?? null}::bigint,
      ${subject.annualReportId ?? null}::bigint, ${subject.severanceId ?? null}::bigint,
      ${subject.warningId ?? null}::bigint, ${subject.reportId ?? null}::bigint, ${new Date(now)}
    from (
      select nextval('notification_ids') as id, c.account_id, c.from_account_id, c.type, c.status_id, c.at,
        ${previousGroupKey('c')} as previous_key, ${policyAnswer(candidateRows)} as answer
      from (${candidates}) c (account_id, from_account_id, type, status_id, at)
      join accounts sender on sender.id = c.from_account_id
      left join statuses s on s.id = c.status_id
      left join notification_policies p on p.account_id = c.account_id
      ${candidateFacts(candidateRows, new Date(now))}
      where ${mayNotify(candidateRows, new Date(now))}) n
    where n.answer <> 'drop'
    on conflict do nothing
    returning id, account_id, from_account_id, type, filtered`
}

/** So many acts are told of by one statement at most: to begin it costs more than a further candidate. */
const atOnce = 50

/**
 * Tells those whom a new status names (`mention`), those who asked to hear of its author's posts (`status`), the author
 * of what it boosts (`reblog`) and, where they consent, of what it quotes (`quote`). Who is named does not hear of it as
 * `status` too. Statuses that come together are one statement, and told of in their order.
 */
export const notifyOfStatus = createBatchLoader<Ctx, StatusId, void>({
  max: atOnce,
  run: (ctx, statusIds) => notify(ctx, candidatesOf(statusIds, new Date(ctx.clock.now()))),
})

const candidatesOf = (statusIds: readonly StatusId[], now: Date) => sql`
  with made as (
    select id, account_id, reblog_of_id, reply, in_reply_to_account_id, language, visibility, created_at, deleted_at
    from statuses
    where id = any(${statusIds}::bigint[]) and deleted_at is null order by id for share),
  quoted as (
    select status_id, quoted_account_id from quotes
    where status_id = any(${statusIds}::bigint[]) and state = 'accepted' order by status_id for share)
  select account_id, from_account_id, type, status_id, at from (
    select o.account_id, s.account_id, 'reblog', o.id, s.created_at, s.id
    from made s join statuses o on o.id = s.reblog_of_id
    union all
    select m.account_id, s.account_id, 'mention', s.id, s.created_at, s.id
    from made s join mentions m on m.status_id = s.id where s.reblog_of_id is null and not m.silent
    union all
    select q.quoted_account_id, s.account_id, 'quote', s.id, s.created_at, s.id
    from made s join quoted q on q.status_id = s.id
    union all
    select f.account_id, s.account_id, 'status', s.id, s.created_at, s.id
    from made s join follows f on f.target_account_id = s.account_id and f.notify
    left join statuses o on o.id = s.reblog_of_id
    where s.reblog_of_id is null and (not s.reply or s.in_reply_to_account_id = s.account_id) and ${entersHome({ status: 's', original: 'o', follow: 'f' }, now)}
      and not exists (
        select 1 from mentions m where m.status_id = s.id and m.account_id = f.account_id and not m.silent)
  ) told (account_id, from_account_id, type, status_id, at, place)
  order by place`

/** Tells an author of a favourite, while there is one. Favourites that come together are one statement. */
export const notifyOfFavourite = createBatchLoader<
  Ctx,
  { accountId: AccountId; statusId: StatusId; favouriteId: FavouriteId },
  void
>({
  max: atOnce,
  async run(ctx, favourites) {
    await notify(
      ctx,
      sql`
      select s.account_id, f.account_id, 'favourite', s.id, f.created_at
      from favourites f join statuses s on s.id = f.status_id
      where f.id = any(${favourites.map(({ favouriteId }) => favouriteId)}::bigint[]) order by f.id for key share of f`,
    )
  },
})

/** Tells somebody of a new follower, while they follow. */
export async function notifyOfFollow(
  ctx: Ctx,
  pair: { accountId: AccountId; targetAccountId: AccountId },
): Promise<void> {
  await notify(
    ctx,
    sql`
    select f.target_account_id, f.account_id, 'follow', null::bigint, f.created_at from follows f
    where f.account_id = ${pair.accountId} and f.target_account_id = ${pair.targetAccountId} for key share of f`,
  )
}

/** Tells somebody that a follower waits for their answer, while one does. */
export async function notifyOfFollowRequest(
  ctx: Ctx,
  pair: { accountId: AccountId; targetAccountId: AccountId },
): Promise<void> {
  await notify(
    ctx,
    sql`
    select f.target_account_id, f.account_id, 'follow_request', null::bigint, f.created_at from follow_requests f
    where f.account_id = ${pair.accountId} and f.target_account_id = ${pair.targetAccountId} for key share of f`,
  )
}

/** Tells an account that it was put into a collection, while it is in it. */
export async function notifyOfCollectionItem(ctx: Ctx, itemId: CollectionItemId): Promise<void> {
  const item = await ctx.db
    .selectFrom('collection_items')
    .select('collection_id')
    .where('id', '=', itemId)
    .executeTakeFirst()
  if (!item) return
  await notify(
    ctx,
    sql`
    select i.account_id, c.account_id, 'added_to_collection', null::bigint, i.created_at
    from collection_items i join collections c on c.id = i.collection_id
    where i.id = ${itemId} and i.state = 'accepted' for key share of i`,
    { collectionId: item.collection_id },
  )
}

/**
 * Tells the accounts in a collection that it was changed. What they were told of an earlier change goes: they are told
 * anew, on top of their list.
 */
export async function notifyOfCollectionUpdate(ctx: Ctx, collectionId: CollectionId): Promise<void> {
  await sql`
    delete from notifications n using collections c
    where c.id = ${collectionId} and n.collection_id = c.id and n.type = 'collection_update'
      and n.created_at < c.updated_at`.execute(ctx.db)
  await notify(
    ctx,
    sql`
    select i.account_id, c.account_id, 'collection_update', null::bigint, c.updated_at
    from collection_items i join collections c on c.id = i.collection_id
    where c.id = ${collectionId} and i.state = 'accepted' for key share of i`,
    { collectionId },
  )
}

/** Tells an author of a reaction, while there is one and the extension is on. */
export async function notifyOfReaction(ctx: Ctx, reactionId: StatusReactionId): Promise<void> {
  if (!(await getSettings(ctx)).emoji_reactions) return
  await notify(
    ctx,
    sql`
    select s.account_id, r.account_id, ${reactionKind}, s.id, r.created_at
    from status_reactions r join statuses s on s.id = r.status_id
    where r.id = ${reactionId} for key share of r`,
    { reactionId },
  )
}

/** Tells somebody that the report of their year is there. */
export async function notifyOfAnnualReport(ctx: Ctx, reportId: AnnualReportId): Promise<void> {
  await notify(
    ctx,
    sql`
    select r.account_id, r.account_id, 'annual_report', null::bigint, r.created_at
    from annual_reports r where r.id = ${reportId} and r.data is not null for key share of r`,
    { annualReportId: reportId },
  )
}
