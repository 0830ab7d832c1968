// What the servers of the fediverse, and archives, are told of local statuses.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { actorUri, statusUri } from '#domain/instance/urls.ts'
import { loadEmojis, type EmojiRow } from '#domain/instance/emojis.ts'
import { loadMedia, type MediaRow } from '#domain/media/load.ts'
import { loadPollLines, loadPolls, type PollLine, type PollRow } from '#domain/polls/load.ts'
import { groupBy, pick } from '#lib/collections.ts'
import { extractShortcodes } from '#lib/text.ts'
import { loadTagsOf } from './load-rows.ts'
import type { StatusVisibility } from './visibility.ts'

/** A local status with all that its ActivityPub object names, by address. */
export interface NoteFacts {
  id: Id
  /** Of its author. */
  username: string
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
  parentUri: string | null
  reblogOf: { uri: string; authorUri: string } | null
  quote: { uri: string; approvalUri: string | null } | null
  mentions: readonly NamedActor[]
  hashtags: readonly string[]
  emojis: readonly EmojiRow[]
  /** In the order shown. */
  media: readonly MediaRow[]
  poll: (PollRow & PollLine) | null
}

export interface NamedActor {
  uri: string
  username: string
  domain: string | null
}

interface Row {
  id: Id
  username: string
  text: string
  content_type: string
  content: string
  spoiler_text: string
  visibility: StatusVisibility
  sensitive: boolean
  language: string | null
  local_only: boolean
  created_at: Date
  edited_at: Date | null
  quote_automatic: string[]
  quote_manual: string[]
  in_reply_to_id: Id | null
  reblog_of_id: Id | null
  media_ids: Id[]
  poll_id: Id | null
  quoted_status_id: Id | null
  approval_uri: string | null
}

/** Local statuses by id, whoever may see them. A constant number of queries. Deleted ones are left out. */
export async function loadNotes(reader: Reader, ids: readonly Id[]): Promise<Map<Id, NoteFacts>> {
  if (ids.length === 0) return new Map()
  const rows = await readRows(reader, ids)
  const named = rows.flatMap((row) => [row.in_reply_to_id, row.reblog_of_id, row.quoted_status_id])
  const pollIds = rows.flatMap((row) => row.poll_id ?? [])
  const [related, mentions, tags, media, polls, lines] = await Promise.all([
    loadRelated(reader, [...new Set(named.filter((id) => id !== null))]),
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
  return new Map(
    rows.map((row) => {
      const [poll, line] = [polls.get(row.poll_id ?? ''), lines.get(row.poll_id ?? '')]
      const facts: NoteFacts = {
        ...ownFacts(row),
        ...relatedFacts(row, related),
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

async function readRows(reader: Reader, ids: readonly Id[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select s.id, a.username, s.text, s.content_type, s.content, s.spoiler_text, s.visibility, s.sensitive,
      s.language, s.local_only, s.created_at, s.edited_at, s.quote_automatic, s.quote_manual, s.in_reply_to_id,
      s.reblog_of_id, s.media_ids, s.poll_id, q.quoted_status_id, q.approval_uri
    from statuses s join accounts a on a.id = s.account_id
    left join quotes q on q.status_id = s.id and q.state in ('pending', 'accepted')
    where s.id = any(${ids}::bigint[]) and s.local and s.deleted_at is null`.execute(reader.db)
  return rows
}

const ownFacts = (row: Row) => ({
  id: row.id,
  username: row.username,
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
})

interface Related {
  uri: string
  authorUri: string
}

function relatedFacts(row: Row, related: ReadonlyMap<Id, Related>) {
  const reblogOf = related.get(row.reblog_of_id ?? '')
  const quoted = related.get(row.quoted_status_id ?? '')
  return {
    parentUri: related.get(row.in_reply_to_id ?? '')?.uri ?? null,
    reblogOf: reblogOf ? { uri: reblogOf.uri, authorUri: reblogOf.authorUri } : null,
    quote: quoted ? { uri: quoted.uri, approvalUri: row.approval_uri } : null,
  }
}

async function loadRelated(reader: Reader, ids: readonly Id[]): Promise<Map<Id, Related>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{
    id: Id
    uri: string | null
    author_uri: string | null
    username: string
  }>`
    select s.id, s.uri, a.uri as author_uri, a.username
    from statuses s join accounts a on a.id = s.account_id
    where s.id = any(${ids}::bigint[]) and s.deleted_at is null`.execute(reader.db)
  return new Map(
    rows.map((row) => {
      const uri = row.uri ?? statusUri(reader.config, row.username, row.id)
      return [row.id, { uri, authorUri: row.author_uri ?? actorUri(reader.config, row.username) }]
    }),
  )
}

/** Whom statuses name, in a stable order; silent mentions are not told. */
async function loadNamedActors(reader: Reader, ids: readonly Id[]): Promise<Map<Id, NamedActor[]>> {
  const { rows } = await sql<{
    status_id: Id
    uri: string | null
    username: string
    domain: string | null
  }>`
    select m.status_id, a.uri, a.username, a.domain
    from mentions m join accounts a on a.id = m.account_id
    where m.status_id = any(${ids}::bigint[]) and not m.silent and a.deleted_at is null
    order by m.status_id, m.account_id`.execute(reader.db)
  const actors = rows.map((row) => ({ ...row, uri: row.uri ?? actorUri(reader.config, row.username) }))
  return groupBy(actors, (row) => row.status_id)
}

async function loadEmojisOf(
  reader: Reader,
  rows: readonly Row[],
  polls: ReadonlyMap<Id, PollRow>,
): Promise<(row: Row) => EmojiRow[]> {
  const codesOf = (row: Row) => [
    ...new Set(
      [row.text, row.spoiler_text, ...(polls.get(row.poll_id ?? '')?.options ?? [])].flatMap(
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
