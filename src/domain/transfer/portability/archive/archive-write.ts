// The rows of what an archive brings: complete, backdated, and without any event, so that nobody is told of it.
import { createHash } from 'node:crypto'
import { sql, type Selectable } from 'kysely'
import type { StatusesTable } from '#db/schema/statuses.ts'
import type { Reader, Tx } from '#ports/ctx.ts'
import type { Visibility } from '#domain/identity/accounts/viewer.ts'
import { setOriginal, setPreview, type NamedMedia } from '#domain/content/media/processed.ts'
import type { Focus } from '#domain/content/media/rules.ts'
import { indexStatuses } from '#domain/reading/search/index-statuses.ts'
import { readStatusUrl } from '#domain/reading/search/read-status-url.ts'
import { namedCollections } from '#domain/content/statuses/publish/named-collections.ts'
import { insertQuote } from '#domain/content/statuses/quotes/make-quote.ts'
import { ensureTags } from '#domain/content/tags/ensure-tags.ts'
import { countFeatured } from '#domain/content/tags/featured-tags.ts'
import { conflict } from '#lib/errors.ts'
import type { ArchivedPoll } from './archive-post.ts'
import { asId, type AccountId, type MediaId, type PollId, type StatusId } from '#lib/id.ts'

/** A status of the account that something of the archive belongs to. */
export interface OwnStatus extends Pick<
  Selectable<StatusesTable>,
  'id' | 'reply' | 'in_reply_to_account_id' | 'conversation_id'
> {
  visibility: Visibility
}

const hashUri = (uri: string): Buffer => createHash('sha256').update(uri).digest()

/** The account's own status that had this address elsewhere, or has it here. */
export async function findOwnStatus(
  reader: Reader,
  accountId: AccountId,
  uri: string,
): Promise<OwnStatus | null> {
  const { rows } = await sql<OwnStatus>`
    select s.id, s.visibility, s.reply, s.in_reply_to_account_id, s.conversation_id
    from statuses s
    where s.id = coalesce(
        (select status_id from imported_statuses where account_id = ${accountId} and uri_hash = ${hashUri(uri)}),
        ${readStatusUrl(reader.config, uri)}::bigint)
      and s.account_id = ${accountId} and s.deleted_at is null and s.reblog_of_id is null`.execute(reader.db)
  return rows[0] ?? null
}

/** Whether what had this address came in before, or never left. */
export async function isPresent(reader: Reader, accountId: AccountId, uri: string): Promise<boolean> {
  const id = readStatusUrl(reader.config, uri.replace(/\/activity$/, ''))
  const { rows } = await sql`
    select 1 from imported_statuses where account_id = ${accountId} and uri_hash = ${hashUri(uri)}
    union all
    select 1 from statuses where id = ${id}::bigint and account_id = ${accountId} and deleted_at is null`.execute(
    reader.db,
  )
  return rows.length > 0
}

export interface ImportedMedia {
  id: MediaId
  named: NamedMedia
  description: string
  focus: Focus | null
  /** As it was: a picture that is written anew is not the same to the last bit. */
  blurhash: string | null
}

export interface ImportedPost {
  /** The id it shall have; when it is taken, the next that is free. */
  wantedId: StatusId
  uri: string
  accountId: AccountId
  text: string
  content: string
  contentType: string
  spoilerText: string
  visibility: Visibility
  sensitive: boolean
  language: string | null
  localOnly: boolean
  /** It answers something, whether or not that is here. */
  reply: boolean
  parent: OwnStatus | null
  quoted: OwnStatus | null
  quoteUrl: string
  quoteAutomatic: readonly string[]
  replyAutomatic: readonly string[] | null
  hashtags: readonly { name: string; display: string }[]
  media: readonly ImportedMedia[]
  poll: ArchivedPoll | null
  createdAt: Date
  editedAt: Date | null
}

/** Writes a post in the transaction that stores its files. Throws `conflict` when it came in meanwhile. */
export async function writePost(tx: Tx, post: ImportedPost): Promise<StatusId> {
  const id = await insertFree(post.wantedId, (free) => insertPost(tx, free, post))
  await recordImported(tx, post.accountId, post.uri, id)
  await insertMedia(tx, id, post)
  if (post.poll) await insertClosedPoll(tx, id, post, post.poll)
  await insertTags(tx, id, post)
  if (post.quoted) {
    const { id: statusId, visibility } = post.quoted
    const { accountId, quoteUrl: url, localOnly } = post
    const quote = { statusId, accountId, url, state: 'accepted', visibility, localOnly } as const
    await insertQuote(tx, { id, accountId }, quote)
  }
  await indexStatuses(tx, [id])
  return id
}

/** Ids that lie close together are tried in their order: those that come later stay later. */
const maxTries = 1000

async function insertFree(wanted: StatusId, insert: (id: StatusId) => Promise<boolean>): Promise<StatusId> {
  for (let id = BigInt(wanted), tries = 0; tries < maxTries; id++, tries++) {
    if (await insert(asId<StatusId>(String(id)))) return asId<StatusId>(String(id))
  }
  throw conflict('no_free_id')
}

/** The row, its conversation and the counters, by one statement. No home feed. False when the id is taken. */
async function insertPost(tx: Tx, id: StatusId, post: ImportedPost): Promise<boolean> {
  const { parent, accountId, createdAt } = post
  const conversationId = parent?.conversation_id ?? tx.newId()
  const isOpen = post.visibility === 'public' || post.visibility === 'unlisted'
  const { rows } = await sql`
    with conversation as (
      insert into conversations (id, created_at) values (${conversationId}, ${createdAt}) on conflict do nothing),
    status as (
      insert into statuses (id, account_id, text, content, spoiler_text, visibility, sensitive, language, reply,
        in_reply_to_id, in_reply_to_account_id, conversation_id, media_ids, quote_automatic, reply_automatic,
        content_type, local_only, collection_ids, edited_at, created_at)
      values (${id}, ${accountId}, ${post.text}, ${post.content}, ${post.spoilerText}, ${post.visibility},
        ${post.sensitive}, ${post.language}, ${post.reply}, ${parent?.id ?? null}, ${answered(post)}, ${conversationId},
        ${post.media.map((media) => media.id)}::bigint[], ${post.quoteAutomatic}::text[], ${post.replyAutomatic}::text[],
        ${post.contentType}, ${post.localOnly}, ${namedCollections(tx.config, post.text)}, ${post.editedAt}, ${createdAt})
      on conflict (id) do nothing returning id),
    parent as (
      insert into status_stats (status_id, replies_count)
      select ${parent?.id ?? null}::bigint, 1 from status where ${parent !== null && isOpen}
      on conflict (status_id) do update set replies_count = status_stats.replies_count + 1),
    author as (
      update account_stats set statuses_count = statuses_count + 1,
        last_status_at = greatest(last_status_at, ${createdAt}::timestamptz)
      where account_id = ${accountId} and ${post.visibility !== 'direct'} and exists (select 1 from status))
    select id from status`.execute(tx.db)
  return rows.length > 0
}

/** Below an answer to somebody who is not known here it stays unknown whom one answers. */
function answered({ parent, accountId }: ImportedPost): AccountId | null {
  if (!parent) return null
  return parent.in_reply_to_account_id ?? (parent.reply ? null : accountId)
}

async function recordImported(tx: Tx, accountId: AccountId, uri: string, id: StatusId): Promise<void> {
  const { rows } = await sql`
    insert into imported_statuses (account_id, uri_hash, status_id) values (${accountId}, ${hashUri(uri)}, ${id})
    on conflict do nothing returning status_id`.execute(tx.db)
  if (rows.length === 0) throw conflict()
}

async function insertMedia(tx: Tx, statusId: StatusId, post: ImportedPost): Promise<void> {
  const now = new Date(tx.clock.now())
  for (const { id, named, description, focus, blurhash } of post.media) {
    await sql`
      insert into media_attachments (id, account_id, status_id, type, state, description, focus_x, focus_y, free_since,
        created_at)
      values (${id}, ${post.accountId}, ${statusId}, ${named.processed.kind}, 'complete', ${description},
        ${focus?.x ?? null}, ${focus?.y ?? null}, ${now}, ${now})`.execute(tx.db)
    await sql`update media_attachments set ${setOriginal(named)} where id = ${id}`.execute(tx.db)
    if (named.preview) {
      await sql`update media_attachments set ${setPreview(named.preview)} where id = ${id}`.execute(tx.db)
    }
    if (blurhash === null) continue
    await sql`update media_attachments set blurhash = ${blurhash} where id = ${id}`.execute(tx.db)
  }
}

/** It is over, whenever it ended elsewhere, and nobody needs to be told. */
async function insertClosedPoll(
  tx: Tx,
  statusId: StatusId,
  post: ImportedPost,
  poll: ArchivedPoll,
): Promise<void> {
  const now = tx.clock.now()
  const id = tx.newId<PollId>()
  const votes = Math.min(
    poll.tallies.reduce((sum, tally) => sum + tally, 0),
    2 ** 31 - 1,
  )
  await tx.db
    .insertInto('polls')
    .values({
      id,
      status_id: statusId,
      account_id: post.accountId,
      options: poll.options,
      tallies: poll.tallies,
      multiple: poll.multiple,
      votes_count: votes,
      voters_count: poll.votersCount ?? (poll.multiple ? null : votes),
      expires_at: new Date(Math.min(poll.endsAt ?? now, now)),
      closed_at: new Date(now),
      created_at: post.createdAt,
    })
    .execute()
  await sql`update statuses set poll_id = ${id} where id = ${statusId}`.execute(tx.db)
}

async function insertTags(tx: Tx, statusId: StatusId, post: ImportedPost): Promise<void> {
  if (post.hashtags.length === 0) return
  const tagIds = await ensureTags(tx, post.hashtags, post.createdAt.getTime())
  await sql`
    insert into status_tags (tag_id, status_id) select unnest(${tagIds}::bigint[]), ${statusId}
    on conflict do nothing`.execute(tx.db)
  await countFeatured(tx, statusId, tagIds, 1)
}

export interface ImportedBoost {
  wantedId: StatusId
  uri: string
  accountId: AccountId
  of: OwnStatus
  visibility: Visibility
  createdAt: Date
}

/** Writes a boost of one's own status. False when there is one already. Throws `conflict` as `writePost`. */
export async function writeBoost(tx: Tx, boost: ImportedBoost): Promise<boolean> {
  const { accountId, of, createdAt } = boost
  const there = await sql`
    select 1 from statuses where reblog_of_id = ${of.id} and account_id = ${accountId} and deleted_at is null`.execute(
    tx.db,
  )
  if (there.rows.length > 0) return false
  const id = await insertFree(boost.wantedId, async (free) => {
    const { rows } = await sql`
      insert into statuses (id, account_id, visibility, reblog_of_id, conversation_id, created_at)
      values (${free}, ${accountId}, ${boost.visibility}, ${of.id}, ${of.conversation_id}, ${createdAt})
      on conflict (id) do nothing returning id`.execute(tx.db)
    return rows.length > 0
  })
  await sql`
    with author as (
      update account_stats set statuses_count = statuses_count + 1,
        last_status_at = greatest(last_status_at, ${createdAt}::timestamptz)
      where account_id = ${accountId})
    insert into status_stats (status_id, reblogs_count) values (${of.id}, 1)
    on conflict (status_id) do update set reblogs_count = status_stats.reblogs_count + 1`.execute(tx.db)
  await recordImported(tx, accountId, boost.uri, id)
  return true
}
