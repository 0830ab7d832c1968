// What the servers of the fediverse, and archives, are told of local statuses.
import { sql, type Selectable } from 'kysely'
import type { StatusesTable } from '#db/schema/statuses.ts'
import type { Reader } from '#ports/ctx.ts'
import { actorUri, quoteAuthorizationUri, statusUri } from '#domain/server/instance/urls.ts'
import { loadEmojis, type EmojiRow } from '#domain/server/instance/emojis/emojis.ts'
import { loadMedia, type MediaRow } from '#domain/content/media/load.ts'
import { loadPollLines, loadPolls, type PollLine, type PollRow } from '#domain/content/polls/load.ts'
import { groupBy, pick, valueOf } from '#lib/collections.ts'
import { extractShortcodes } from '#lib/text/text.ts'
import { loadTagsOf } from './load-rows.ts'
import type { StatusVisibility } from './visibility.ts'
import type { AccountId, ConversationId, PollId, StatusId } from '#lib/id.ts'

/** A local status with all that its ActivityPub object names, by address. */
export interface NoteFacts {
  id: StatusId
  accountId: AccountId
  /** Of its author. */
  username: string
  /** Its author is. */
  suspended: boolean
  text: string
  contentType: string
  content: string
  spoilerText: string
  visibility: StatusVisibility
  sensitive: boolean
  language: string | null
  localOnly: boolean
  createdAt: Date
  editedAt: Date | null
  quoteAutomatic: readonly string[]
  quoteManual: readonly string[]
  replyAutomatic: readonly string[] | null
  parentUri: string | null
  /** `uri`: what another server calls it; null where it began here. */
  conversation: { id: ConversationId; uri: string | null } | null
  /** The first answers of its author, by address. Only of what is open to all, as the counters. */
  ownReplies: readonly string[]
  favouritesCount: number
  reblogsCount: number
  reblogOf: Original | null
  quote: { uri: string; approvalUri: string | null } | null
  mentions: readonly NamedActor[]
  hashtags: readonly string[]
  emojis: readonly EmojiRow[]
  /** In the order shown. */
  media: readonly MediaRow[]
  poll: (PollRow & PollLine) | null
}

export interface Original {
  id: StatusId
  uri: string
  authorUri: string
  /** Nobody else can fetch it. */
  ownPrivate: boolean
  localOnly: boolean
}

export interface NamedActor {
  uri: string
  username: string
  domain: string | null
  /** It is sent to them: limited authors reach only those who follow them, or ask to. */
  addressed: boolean
  /** Of a group, which passes on what it gets to them. */
  groupFollowersUri: string | null
}

interface Row extends Pick<
  Selectable<StatusesTable>,
  | 'id'
  | 'account_id'
  | 'text'
  | 'content_type'
  | 'content'
  | 'spoiler_text'
  | 'sensitive'
  | 'language'
  | 'local_only'
  | 'created_at'
  | 'edited_at'
  | 'quote_automatic'
  | 'quote_manual'
  | 'reply_automatic'
  | 'in_reply_to_id'
  | 'reblog_of_id'
  | 'media_ids'
  | 'poll_id'
  | 'conversation_id'
> {
  username: string
  suspended: boolean
  visibility: StatusVisibility
  conversation_uri: string | null
  favourites_count: number
  reblogs_count: number
  quoted_status_id: StatusId | null
  quote_accepted: boolean | null
  approval_uri: string | null
}

/**
 * Local statuses by id, whoever may see them. A constant number of queries. Deleted ones are left out, and boosts of
 * deleted ones.
 */
export async function loadNotes(reader: Reader, ids: readonly StatusId[]): Promise<Map<StatusId, NoteFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await readRows(reader, ids)
  if (rows.length === 0) return new Map()
  const named = rows.flatMap((row) => [row.in_reply_to_id, row.reblog_of_id, row.quoted_status_id])
  const pollIds = rows.flatMap((row) => row.poll_id ?? [])
  const [related, replies, mentions, tags, media, polls, lines] = await Promise.all([
    loadRelated(reader, [...new Set(named.filter((id) => id !== null))]),
    loadOwnReplies(reader, ids),
    loadNamedActors(reader, ids),
    loadTagsOf(reader, ids),
    loadMedia(
      reader,
      rows.flatMap((row) => row.media_ids),
    ),
    loadPolls(reader, pollIds),
    loadPollLines(reader, null, pollIds),
  ])
  const emojisOf = await loadEmojisOf(reader, rows, polls)
  const whole = rows.filter((row) => row.reblog_of_id === null || related.has(row.reblog_of_id))
  return new Map(
    whole.map((row) => {
      const [poll, line] = [valueOf(polls, row.poll_id), valueOf(lines, row.poll_id)]
      const facts: NoteFacts = {
        ...ownFacts(row),
        ...relatedFacts(reader, row, related),
        ownReplies: replies.get(row.id) ?? [],
        mentions: mentions.get(row.id) ?? [],
        hashtags: (tags.get(row.id) ?? []).map((tag) => tag.name),
        emojis: emojisOf(row),
        media: pick(row.media_ids, media),
        poll: poll && line ? { ...poll, ...line } : null,
      }
      return [row.id, facts]
    }),
  )
}

async function readRows(reader: Reader, ids: readonly StatusId[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select s.id, s.account_id, a.username, a.suspended_at is not null as suspended, s.text, s.content_type, s.content, s.spoiler_text, s.visibility,
      s.sensitive or a.sensitized_at is not null as sensitive,
      s.language, s.local_only, s.created_at, s.edited_at, s.quote_automatic, s.quote_manual, s.reply_automatic,
      s.in_reply_to_id, s.reblog_of_id, s.media_ids, s.poll_id, s.conversation_id, c.uri as conversation_uri,
      coalesce(t.favourites_count, 0) as favourites_count, coalesce(t.reblogs_count, 0) as reblogs_count,
      q.quoted_status_id, q.state = 'accepted' as quote_accepted, q.approval_uri
    from statuses s join accounts a on a.id = s.account_id
    left join status_stats t on t.status_id = s.id
    left join conversations c on c.id = s.conversation_id
    left join quotes q on q.status_id = s.id
    where s.id = any(${ids}::bigint[]) and s.local and s.deleted_at is null`.execute(reader.db)
  return rows
}

const ownFacts = (row: Row) => ({
  id: row.id,
  accountId: row.account_id,
  username: row.username,
  suspended: row.suspended,
  text: row.text,
  contentType: row.content_type,
  content: row.content,
  spoilerText: row.spoiler_text,
  visibility: row.visibility,
  sensitive: row.sensitive,
  language: row.language,
  localOnly: row.local_only,
  createdAt: row.created_at,
  editedAt: row.edited_at,
  quoteAutomatic: row.quote_automatic,
  quoteManual: row.quote_manual,
  replyAutomatic: row.reply_automatic,
  conversation: row.conversation_id === null ? null : { id: row.conversation_id, uri: row.conversation_uri },
  favouritesCount: row.favourites_count,
  reblogsCount: row.reblogs_count,
})

interface Related extends Original {
  /** Of a local author. */
  localName: string | null
}

function relatedFacts({ config }: Reader, row: Row, related: ReadonlyMap<StatusId, Related>) {
  const quoted = valueOf(related, row.quoted_status_id)
  const stamp = quoted?.localName ? quoteAuthorizationUri(config, quoted.localName, row.id) : row.approval_uri
  const approvalUri = row.quote_accepted ? stamp : null
  return {
    parentUri: valueOf(related, row.in_reply_to_id)?.uri ?? null,
    reblogOf: valueOf(related, row.reblog_of_id) ?? null,
    quote: quoted ? { uri: quoted.uri, approvalUri } : null,
  }
}

/** Whoever gets the status sees these at once. */
export const maxOwnReplies = 5

async function loadOwnReplies(reader: Reader, ids: readonly StatusId[]): Promise<Map<StatusId, string[]>> {
  const { rows } = await sql<{ status_id: StatusId; id: StatusId; username: string }>`
    select s.id as status_id, r.id, a.username from statuses s join accounts a on a.id = s.account_id
    cross join lateral (
      select r.id from statuses r
      where r.in_reply_to_id = s.id and r.account_id = s.account_id and r.visibility in ('public', 'unlisted')
        and not r.local_only and r.deleted_at is null
      order by r.id limit ${maxOwnReplies}) r
    where s.id = any(${ids}::bigint[]) and s.visibility in ('public', 'unlisted')
    order by r.id`.execute(reader.db)
  const byStatus = groupBy(rows, (row) => row.status_id)
  const toUri = (row: { id: StatusId; username: string }) => statusUri(reader.config, row.username, row.id)
  return new Map(byStatus.entries().map(([id, replies]) => [id, replies.map(toUri)]))
}

async function loadRelated(reader: Reader, ids: readonly StatusId[]): Promise<Map<StatusId, Related>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{
    id: StatusId
    uri: string | null
    author_uri: string | null
    username: string
    local: boolean
    private: boolean
    local_only: boolean
  }>`
    select s.id, s.uri, a.uri as author_uri, a.username, s.local, s.visibility = 'private' as private, s.local_only
    from statuses s join accounts a on a.id = s.account_id
    where s.id = any(${ids}::bigint[]) and s.deleted_at is null`.execute(reader.db)
  return new Map(
    rows.map((row) => {
      const uri = row.uri ?? statusUri(reader.config, row.username, row.id)
      const authorUri = row.author_uri ?? actorUri(reader.config, row.username)
      const { id, local, local_only: localOnly } = row
      const ownPrivate = local && row.private
      return [id, { id, uri, authorUri, ownPrivate, localOnly, localName: local ? row.username : null }]
    }),
  )
}

/** Whom statuses name, in a stable order; silent mentions are not told. */
async function loadNamedActors(
  reader: Reader,
  ids: readonly StatusId[],
): Promise<Map<StatusId, NamedActor[]>> {
  const { rows } = await sql<{
    status_id: StatusId
    uri: string | null
    username: string
    domain: string | null
    addressed: boolean
    groupFollowersUri: string | null
  }>`
    select m.status_id, a.uri, a.username, a.domain,
      case when a.actor_type = 'Group' and a.domain is not null then a.followers_url end as "groupFollowersUri",
      author.silenced_at is null
        or exists (
          select 1 from follows f where f.account_id = a.id and f.target_account_id = author.id offset 0)
        or exists (
          select 1 from follow_requests r where r.account_id = a.id and r.target_account_id = author.id offset 0)
        as addressed
    from mentions m join accounts a on a.id = m.account_id
    join statuses s on s.id = m.status_id join accounts author on author.id = s.account_id
    where m.status_id = any(${ids}::bigint[]) and not m.silent and a.deleted_at is null
    order by m.status_id, m.account_id`.execute(reader.db)
  const actors = rows.map((row) => ({ ...row, uri: row.uri ?? actorUri(reader.config, row.username) }))
  return groupBy(actors, (row) => row.status_id)
}

async function loadEmojisOf(
  reader: Reader,
  rows: readonly Row[],
  polls: ReadonlyMap<PollId, PollRow>,
): Promise<(row: Row) => EmojiRow[]> {
  const codesOf = (row: Row) => [
    ...new Set(
      [row.text, row.spoiler_text, ...(valueOf(polls, row.poll_id)?.options ?? [])].flatMap(
        extractShortcodes,
      ),
    ),
  ]
  const wanted = [...new Set(rows.flatMap(codesOf))]
  if (wanted.length === 0) return () => []
  const own = (await loadEmojis(reader, wanted)).filter((emoji) => emoji.domain === null)
  const byCode = new Map(own.map((emoji) => [emoji.shortcode, emoji]))
  return (row) => pick(codesOf(row), byCode)
}
