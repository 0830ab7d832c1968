// To whom a status is told as it happens. Decides nothing anew: feeds hold what fan-out has written.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { isUnblocked } from '#domain/identity/accounts/is-blocked.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import { keyBy } from '#lib/collections.ts'
import type { AccountId, ListId, StatusId } from '#lib/id.ts'

/** Where a status is to be told. */
export interface StatusPlaces {
  id: StatusId
  /** Accounts whose home feed has it. */
  homes: AccountId[]
  /** Lists whose feed has it. */
  lists: AccountId[]
  /** Accounts of this server that it names, without those who are not to hear of its author. */
  mentioned: AccountId[]
  /** Public and no boost: the public streams have it. */
  open: boolean
  /** A reply to others: only the streams of its hashtags have it. */
  tagsOnly: boolean
  local: boolean
  media: boolean
  tags: string[]
  /** When it was written. */
  created_at: Date
}

/** As in the public timelines: nobody limited. */
const publicAuthor: RawBuilder<boolean> = sql`(a.silenced_at is null and a.suspended_at is null and a.deleted_at is null)`

/** The owner of the mention `m` and the author `a` do not block each other, and it hears of what the author does. */
const hearsOfAuthor = (now: Date): RawBuilder<boolean> => sql`(
  ${isUnblocked(sql`m.account_id`, sql`a.id`)}
  and not ${isMuted({ muter: sql`m.account_id`, muted: sql`a.id` }, now, 'notifications')}
  and (a.domain is null
    or not exists (
      select 1 from account_domain_blocks d where d.account_id = m.account_id and d.domain = a.domain offset 0)
    or exists (select 1 from follows f where f.account_id = m.account_id and f.target_account_id = a.id offset 0)))`

/** The places of statuses by id, in one query; those of deleted ones too, as long as their rows and entries are there. */
export async function loadStatusPlaces(
  reader: Reader,
  ids: readonly StatusId[],
): Promise<Map<StatusId, StatusPlaces>> {
  const { rows } = await sql<StatusPlaces>`
    select s.id, s.local, s.created_at, s.media_ids <> '{}' as media,
      (s.visibility = 'public' and s.reblog_of_id is null and (s.deleted_at is not null or ${publicAuthor})) as open,
      (s.reply and s.in_reply_to_account_id is distinct from s.account_id) as "tagsOnly",
      array(select h.account_id from home_entries h where h.status_id = s.id) as homes,
      array(select e.list_id from list_entries e where e.status_id = s.id) as lists,
      array(select m.account_id from mentions m join accounts l on l.id = m.account_id
        where m.status_id = s.id and not m.silent and l.domain is null
          and ${hearsOfAuthor(new Date(reader.clock.now()))}) as mentioned,
      array(select g.name from status_tags st join tags g on g.id = st.tag_id where st.status_id = s.id) as tags
    from statuses s join accounts a on a.id = s.account_id
    where s.id = any(${ids}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}

/**
 * Has what is posted from now on written into these home feeds, whether they were ever read or not: what is older is
 * added when they are.
 */
export async function keepHomes(reader: Reader, accountIds: readonly AccountId[]): Promise<void> {
  await sql`
    insert into home_feeds (account_id)
    select account_id from users where account_id = any(${accountIds}::bigint[]) on conflict do nothing`.execute(
    reader.db,
  )
}

/** The same for the feeds of lists. */
export async function keepLists(reader: Reader, listIds: readonly ListId[]): Promise<void> {
  await sql`
    insert into list_feeds (list_id, account_id)
    select id, account_id from lists where id = any(${listIds}::bigint[]) on conflict do nothing`.execute(
    reader.db,
  )
}

/** Whether the list is the account's. */
export async function ownsList(reader: Reader, accountId: AccountId, listId: ListId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from lists where id = ${listId} and account_id = ${accountId}`.execute(reader.db)
  return rows.length > 0
}
