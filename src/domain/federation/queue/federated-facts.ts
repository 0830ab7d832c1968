// What happened here, as other servers are told of it: by address, also when its rows are marked as deleted.
import { sql, type Selectable } from 'kysely'
import type { StatusesTable } from '#db/schema/statuses.ts'
import type { Reader } from '#ports/ctx.ts'
import { actorUri, statusUri } from '#domain/server/instance/urls.ts'
import type { StatusVisibility } from '#domain/content/statuses/visibility.ts'
import type {
  AccountId,
  AnyId,
  BlockId,
  FavouriteId,
  FollowId,
  FollowRequestId,
  IdCursor,
  PollId,
  ReportId,
  StatusId,
  StatusReactionId,
  TagId,
} from '#lib/id.ts'

/** A status of anybody's by its address, with its author. */
export interface NamedStatus {
  id: StatusId
  uri: string
  authorId: AccountId
  authorUri: string
  /** Deleted. */
  authorGone: boolean
  /** Of this server. */
  local: boolean
  localOnly: boolean
  deleted: boolean
  visibility: StatusVisibility
  reblogOfId: StatusId | null
}

interface StatusState extends Pick<
  Selectable<StatusesTable>,
  'id' | 'uri' | 'account_id' | 'local' | 'local_only' | 'reblog_of_id'
> {
  author_uri: string | null
  author_gone: boolean
  username: string
  deleted: boolean
  visibility: StatusVisibility
}

/** Statuses by id, deleted ones too. */
export async function loadNamedStatuses(
  reader: Reader,
  ids: readonly (StatusId | null)[],
): Promise<Map<StatusId, NamedStatus>> {
  const { rows } = await sql<StatusState>`
    select s.id, s.uri, s.account_id, a.uri as author_uri, a.deleted_at is not null as author_gone, a.username, s.local, s.local_only,
      s.deleted_at is not null as deleted, s.visibility, s.reblog_of_id
    from statuses s join accounts a on a.id = s.account_id
    where s.id = any(${ids.filter((id) => id !== null)}::bigint[])`.execute(reader.db)
  return new Map(rows.map((row) => [row.id, toNamed(reader, row)]))
}

const toNamed = ({ config }: Reader, row: StatusState): NamedStatus => ({
  id: row.id,
  uri: row.uri ?? statusUri(config, row.username, row.id),
  authorId: row.account_id,
  authorUri: row.author_uri ?? actorUri(config, row.username),
  authorGone: row.author_gone,
  local: row.local,
  localOnly: row.local_only,
  deleted: row.deleted,
  visibility: row.visibility,
  reblogOfId: row.reblog_of_id,
})

/** One side of something between two accounts. */
export interface Party {
  id: AccountId
  username: string
  /** Null: of this server. */
  domain: string | null
  uri: string
  /** Its own one; null where there is nothing to send to. */
  inboxUrl: string | null
}

/** Accounts by id, deleted and suspended ones too. `withDeleted`: deleted ones can still be sent to. */
export async function loadParties(
  reader: Reader,
  ids: readonly AccountId[],
  { withDeleted = false } = {},
): Promise<Map<AccountId, Party>> {
  const { rows } = await sql<Omit<Party, 'uri'> & { uri: string | null }>`
    select a.id, a.username, a.domain, a.uri,
      case when a.domain is not null and (a.deleted_at is null or ${withDeleted}) then a.inbox_url end as "inboxUrl"
    from accounts a where a.id = any(${ids}::bigint[])`.execute(reader.db)
  return new Map(
    rows.map((row) => [row.id, { ...row, uri: row.uri ?? actorUri(reader.config, row.username) }]),
  )
}

/** What there is between an account of another server and one of this one. */
export interface Tie {
  id: AnyId
  /** `follower`: they follow, or ask to. `follow`: ours does. `block`: ours blocks theirs. */
  kind: 'follower' | 'follow' | 'block'
  ourId: AccountId
  theirId: AccountId
  /** The activity it began with. */
  uri: string | null
}

const tiesAtOnce = 100

/** Follows, requests and blocks between an account of another server and people here, by id, after the one given. */
export async function listTies(reader: Reader, accountId: AccountId, after: IdCursor): Promise<Tie[]> {
  const theirs = (table: 'follows' | 'follow_requests') => sql`
    select r.id, 'follower' as kind, r.target_account_id as our_id, r.uri from ${sql.table(table)} r
    where r.account_id = ${accountId} and r.id > ${after}`
  const ours = (table: RelationTable, kind: Tie['kind']) => sql`
    select r.id, ${kind} as kind, r.account_id as our_id, r.uri from ${sql.table(table)} r
    where r.target_account_id = ${accountId} and r.id > ${after}`
  const all = [
    theirs('follows'),
    theirs('follow_requests'),
    ours('follows', 'follow'),
    ours('follow_requests', 'follow'),
    ours('blocks', 'block'),
  ]
  const { rows } = await sql<Tie>`
    select t.id, t.kind, t.our_id as "ourId", ${accountId}::text as "theirId", t.uri
    from (${sql.join(all, sql` union all `)}) t join accounts a on a.id = t.our_id
    where a.domain is null order by t.id limit ${tiesAtOnce}`.execute(reader.db)
  return rows
}

export type RelationTable = 'follows' | 'follow_requests' | 'blocks'

/** The row between two accounts and the activity it began with; null when there is none any more. */
export async function findRelation(
  reader: Reader,
  table: RelationTable,
  pair: { accountId: AccountId; targetAccountId: AccountId },
): Promise<{ id: FollowId | FollowRequestId | BlockId; uri: string | null } | null> {
  const { rows } = await sql<{ id: FollowId | FollowRequestId | BlockId; uri: string | null }>`
    select id, uri from ${sql.table(table)}
    where account_id = ${pair.accountId} and target_account_id = ${pair.targetAccountId}`.execute(reader.db)
  return rows[0] ?? null
}

/** The id of a favourite, null when it was taken back. */
export async function findFavouriteId(
  reader: Reader,
  { accountId, statusId }: { accountId: AccountId; statusId: StatusId },
): Promise<FavouriteId | null> {
  const { rows } = await sql<{ id: FavouriteId }>`
    select id from favourites where account_id = ${accountId} and status_id = ${statusId}`.execute(reader.db)
  return rows[0]?.id ?? null
}

export interface ReactedWith {
  name: string
  /** Of a custom emoji. */
  shortcode: string | null
  domain: string | null
  uri: string | null
  imageKey: string | null
  remoteImageUrl: string | null
  updatedAt: Date | null
}

/** What a reaction says, null when it was taken back. */
export async function findReaction(reader: Reader, id: StatusReactionId): Promise<ReactedWith | null> {
  const { rows } = await sql<ReactedWith>`
    select r.name, e.shortcode, e.domain, e.uri, e.image_key as "imageKey", e.remote_image_url as "remoteImageUrl",
      e.updated_at as "updatedAt"
    from status_reactions r left join custom_emojis e on e.id = r.custom_emoji_id
    where r.id = ${id}`.execute(reader.db)
  return rows[0] ?? null
}

export interface CastVotes {
  statusId: StatusId
  authorId: AccountId
  /** The texts of the options. */
  choices: { index: number; text: string }[]
}

/** What somebody chose in a poll. */
export async function findVotes(
  reader: Reader,
  { pollId, accountId }: { pollId: PollId; accountId: AccountId },
): Promise<CastVotes | null> {
  const { rows } = await sql<{ status_id: StatusId; account_id: AccountId; index: number; text: string }>`
    select p.status_id, p.account_id, v.choice::int as index, p.options[v.choice + 1] as text
    from polls p join poll_votes v on v.poll_id = p.id
    where p.id = ${pollId} and v.account_id = ${accountId} order by v.choice`.execute(reader.db)
  if (!rows[0]) return null
  const choices = rows.map(({ index, text }) => ({ index, text }))
  return { statusId: rows[0].status_id, authorId: rows[0].account_id, choices }
}

/** The status of a poll, null when the poll is gone. */
export async function findPollStatusId(reader: Reader, pollId: PollId): Promise<StatusId | null> {
  const { rows } = await sql<{
    status_id: StatusId
  }>`select status_id from polls where id = ${pollId}`.execute(reader.db)
  return rows[0]?.status_id ?? null
}

export interface MadeQuote {
  statusId: StatusId
  accountId: AccountId
  quotedStatusId: StatusId | null
  quotedAccountId: AccountId | null
  state: string
}

/** The quote that a status makes. */
export async function findQuote(reader: Reader, statusId: StatusId): Promise<MadeQuote | null> {
  const { rows } = await sql<MadeQuote>`
    select status_id as "statusId", account_id as "accountId", quoted_status_id as "quotedStatusId",
      quoted_account_id as "quotedAccountId", state
    from quotes where status_id = ${statusId}`.execute(reader.db)
  return rows[0] ?? null
}

/** When a local account last changed, in milliseconds, and whether it is suspended; null when it is none or gone. */
export async function findAccountState(
  reader: Reader,
  accountId: AccountId,
): Promise<{ changedAt: number; suspended: boolean; username: string; movedToUri: string | null } | null> {
  const { rows } = await sql<{
    updated_at: Date
    suspended: boolean
    username: string
    moved_uri: string | null
    moved_name: string | null
  }>`
    select a.updated_at, a.suspended_at is not null as suspended, a.username, m.uri as moved_uri, m.username as moved_name
    from accounts a left join accounts m on m.id = a.moved_to_account_id
    where a.id = ${accountId} and a.domain is null and a.deleted_at is null`.execute(reader.db)
  const row = rows[0]
  if (!row) return null
  const { suspended, username } = row
  const movedToUri =
    row.moved_uri ?? (row.moved_name === null ? null : actorUri(reader.config, row.moved_name))
  return { changedAt: row.updated_at.getTime(), suspended, username, movedToUri }
}

/** Remembers with which id the consent to a quote was asked for: the answer may name only that. */
export async function setQuoteRequest(reader: Reader, statusId: StatusId, uri: string): Promise<void> {
  await sql`
    update quotes set uri = ${uri} where status_id = ${statusId} and uri is distinct from ${uri}`.execute(
    reader.db,
  )
}

export interface ForwardedReport {
  uri: string
  accountUri: string
  statusUris: string[]
  comment: string
}

/** A report by somebody here about an account of another server that is to be passed on; null for others. */
export async function findForwarded(reader: Reader, reportId: ReportId): Promise<ForwardedReport | null> {
  const { rows } = await sql<{
    account_uri: string
    uri: string | null
    comment: string
    status_uris: string[]
  }>`
    select t.uri as account_uri, r.uri, r.comment, array(
      select s.uri from statuses s where s.id = any(r.status_ids) and s.uri is not null and s.deleted_at is null
      order by s.id) as status_uris
    from reports r join accounts t on t.id = r.target_account_id left join accounts a on a.id = r.account_id
    where r.id = ${reportId} and r.forwarded and t.domain is not null and t.uri is not null and a.domain is null`.execute(
    reader.db,
  )
  const row = rows[0]
  if (!row) return null
  const uri = row.uri ?? `${reader.config.baseUrl}/ap/reports/${reportId}`
  return { uri, accountUri: row.account_uri, statusUris: row.status_uris, comment: row.comment }
}

/** Whether a status stands on its author's profile now. */
export async function isPinned(reader: Reader, statusId: StatusId): Promise<boolean> {
  const { rows } = await sql`select 1 from status_pins where status_id = ${statusId}`.execute(reader.db)
  return rows.length > 0
}

/** A tag as its address and as people write it. `featured`: it stands on the account's profile now. */
export async function findTagNames(
  reader: Reader,
  { accountId, tagId }: { accountId: AccountId; tagId: TagId },
): Promise<{ name: string; displayName: string; featured: boolean } | null> {
  const { rows } = await sql<{ name: string; displayName: string; featured: boolean }>`
    select name, display_name as "displayName", exists (
      select 1 from featured_tags f where f.account_id = ${accountId} and f.tag_id = t.id) as featured
    from tags t where id = ${tagId}`.execute(reader.db)
  return rows[0] ?? null
}
