// A status of another server becomes one here: as createStatus does for those of this server's people.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { saveRemoteEmojis, type RemoteEmoji } from '#domain/server/instance/emojis/remote-emojis.ts'
import { insertRemoteMedia, type RemoteMedia } from '#domain/content/media/save-remote.ts'
import { insertRemotePoll, type RemotePoll } from '#domain/content/polls/remote-poll.ts'
import { ensuredTags } from '#domain/content/tags/ensure-tags.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { compareIds, timeToId } from '#lib/ids.ts'
import { insertRemoteQuote, type RemoteQuote } from '../quotes/remote-quote.ts'
import type { StatusFacts } from '../queries.ts'
import type { StatusVisibility } from '../visibility.ts'
import type { AccountId, ConversationId, MediaId, StatusId } from '#lib/id.ts'

export interface RemoteStatus {
  uri: string
  url: string | null
  author: { id: AccountId; domain: string }
  /** Harmless HTML. */
  content: string
  spoilerText: string
  visibility: StatusVisibility
  sensitive: boolean
  language: string | null
  createdAt: Date
  editedAt: Date | null
  /** It says that it answers something, known or not. */
  reply: boolean
  parent: Pick<StatusFacts, 'id' | 'account_id' | 'in_reply_to_account_id' | 'conversation_id'> | null
  conversation: { uri: string } | { id: ConversationId } | null
  quoteAutomatic: readonly string[]
  quoteManual: readonly string[]
  replyAutomatic: readonly string[] | null
  replyManual: readonly string[] | null
  quote: RemoteQuote | null
  repliesUrl: string | null
  media: readonly RemoteMedia[]
  poll: RemotePoll | null
  /** Accounts that it names, and those it is addressed to without naming them. */
  mentioned: readonly AccountId[]
  addressed: readonly AccountId[]
  hashtags: readonly { name: string; display: string }[]
  emojis: readonly RemoteEmoji[]
  told: { favourites: number | null; reblogs: number | null }
}

export interface SaveOptions {
  /** It gets an id of now, as what has just arrived; otherwise one of when it was published. */
  arriving: boolean
  /** It is news to nobody but this server: see the event. */
  past: boolean
  /** Names under which it may be known to be deleted. */
  tombstones: readonly string[]
  /**
   * Which of these names are those of what was deleted. Asked first in the transaction, which holds until it ends what
   * this has locked. It is the same for all statuses.
   */
  findTombstones(tx: Tx, names: readonly string[]): Promise<ReadonlySet<string>>
  /** What follows from it besides `status.created`. */
  onSaved?(tx: Tx, id: StatusId): Promise<void>
}

export interface SavedStatus {
  id: StatusId
  /** It had been stored before, and was left as it is. */
  known: boolean
}

/**
 * Stores a status of another server once, however many bring it at the same time, and emits `status.created`. Null when
 * it was deleted before, or its author is suspended or gone. Those that come at the same time share a transaction.
 */
export async function saveRemoteStatus(
  ctx: Ctx,
  status: RemoteStatus,
  options: SaveOptions,
): Promise<SavedStatus | null> {
  return save(ctx, { status, options })
}

interface Arrival {
  status: RemoteStatus
  options: SaveOptions
}

const save = createBatchLoader<Ctx, Arrival, SavedStatus | null>({ most: 8, run: saveAll })

async function saveAll(ctx: Ctx, arrivals: readonly Arrival[]): Promise<(SavedStatus | null)[]> {
  // In one order, so that processes wait for each other in one direction. Those of one author stay as they came.
  const sorted = arrivals.toSorted((a, b) => compareIds(a.status.author.id, b.status.author.id))
  const saved = await ctx.transaction(async (tx) => {
    const found = await look(tx, sorted)
    const results = new Map<Arrival, SavedStatus | null>()
    const fresh = new Map<string, StatusId>()
    for (const [index, arrival] of sorted.entries()) {
      const twin = fresh.get(arrival.status.uri)
      const result =
        twin === undefined ? await saveOne(tx, arrival, found[index] as Found) : { id: twin, known: true }
      if (result && !result.known) fresh.set(arrival.status.uri, result.id)
      results.set(arrival, result)
    }
    return results
  })
  return arrivals.map((arrival) => saved.get(arrival) ?? null)
}

async function saveOne(tx: Tx, { status, options }: Arrival, found: Found): Promise<SavedStatus | null> {
  if (found.tombstoned) return null
  if (found.known !== null) return found.deleted ? null : { id: found.known, known: true }
  if (!found.author_there) return null
  const id = found.wanted === null || found.taken ? tx.newId<StatusId>() : found.wanted
  await insertParts(tx, id, status)
  await tx.emit({ type: 'status.created', statusId: id, ...(options.past && { past: true }) })
  await options.onSaved?.(tx, id)
  return { id: id, known: false }
}

interface Found {
  tombstoned: boolean
  known: StatusId | null
  deleted: boolean
  /** The id of when it was published; null when it gets one of now. */
  wanted: StatusId | null
  taken: boolean
  author_there: boolean
}

/** What is there already, in the order of the arrivals. */
async function look(tx: Tx, arrivals: readonly Arrival[]): Promise<Found[]> {
  const found = await arrivals[0]?.options.findTombstones(
    tx,
    arrivals.flatMap(({ options }) => options.tombstones),
  )
  const wanted = arrivals.map(({ status, options }) =>
    options.arriving ? null : timeToId(status.createdAt.getTime(), Math.random() * 65_536),
  )
  const { rows } = await sql<Omit<Found, 'tombstoned'>>`
    select w.id as wanted, k.id as known, k.deleted_at is not null as deleted,
      exists (select 1 from statuses t where t.id = w.id offset 0) as taken,
      a.id is not null as author_there
    from unnest(${wanted}::bigint[], ${arrivals.map(({ status }) => status.uri)}::text[],
      ${arrivals.map(({ status }) => status.author.id)}::bigint[]) with ordinality w (id, uri, author_id, place)
    left join statuses k on k.uri = w.uri
    left join accounts a on a.id = w.author_id and a.suspended_at is null and a.deleted_at is null
    order by w.place`.execute(tx.db)
  return rows.map((row, index) => ({
    ...row,
    tombstoned: arrivals[index]?.options.tombstones.some((name) => found?.has(name)) ?? false,
  }))
}

async function insertParts(tx: Tx, id: StatusId, status: RemoteStatus): Promise<void> {
  const owned = { id, accountId: status.author.id }
  const mediaIds = status.media.map(() => tx.newId<MediaId>())
  await insertRow(tx, id, status, mediaIds)
  await insertRemoteMedia(tx, owned, status.media, mediaIds)
  if (status.poll) {
    const pollId = await insertRemotePoll(tx, owned, status.poll)
    await sql`update statuses set poll_id = ${pollId} where id = ${id}`.execute(tx.db)
  }
  await insertMentions(tx, id, status)
  if (status.quote) await insertRemoteQuote(tx, owned, status.quote)
  await saveRemoteEmojis(tx, status.author.domain, status.emojis)
}

/** The row, its conversation, its hashtags, and the counters of its parent and its author, in one statement. */
async function insertRow(
  tx: Tx,
  id: StatusId,
  status: RemoteStatus,
  mediaIds: readonly MediaId[],
): Promise<void> {
  const { parent, author, createdAt, told } = status
  const now = new Date(tx.clock.now())
  const isTold = told.favourites !== null || told.reblogs !== null
  await sql`
    with conversation as (${ensureConversation(tx, id, status)}),
    status as (
      insert into statuses (id, account_id, text, content, spoiler_text, visibility, sensitive, language, local, reply,
        in_reply_to_id, in_reply_to_account_id, conversation_id, media_ids, quote_automatic, quote_manual,
        reply_automatic, reply_manual, uri, url, replies_url, fetched_at, edited_at, created_at)
      values (${id}, ${author.id}, '', ${status.content}, ${status.spoilerText}, ${status.visibility},
        ${status.sensitive}, ${status.language}, false, ${status.reply || parent !== null}, ${parent?.id ?? null},
        ${answeredAccount(author.id, parent)}, (select id from conversation), ${mediaIds}::bigint[],
        ${status.quoteAutomatic}::text[], ${status.quoteManual}::text[], ${status.replyAutomatic}::text[],
        ${status.replyManual}::text[], ${status.uri}, ${status.url},
        ${status.repliesUrl}, ${now}, ${status.editedAt}, ${createdAt})),
    parent as (
      insert into status_stats (status_id, replies_count) select ${parent?.id ?? null}::bigint, 1
      where ${parent !== null && isOpen(status.visibility)}
      on conflict (status_id) do update set replies_count = status_stats.replies_count + 1),
    told as (
      insert into status_stats (status_id, told_favourites_count, told_reblogs_count)
      select ${id}::bigint, ${told.favourites}::int, ${told.reblogs}::int where ${isTold})
    ${tagging(tx, id, status)}
    insert into account_stats (account_id, statuses_count, last_status_at)
    values (${author.id}, ${status.visibility === 'direct' ? 0 : 1}, ${createdAt})
    on conflict (account_id) do update set statuses_count = account_stats.statuses_count + excluded.statuses_count,
      last_status_at = greatest(account_stats.last_status_at, excluded.last_status_at)`.execute(tx.db)
}

/** Files it under its hashtags, and counts it where its author features them. */
function tagging(
  tx: Tx,
  id: StatusId,
  { hashtags, author, createdAt, visibility }: RemoteStatus,
): RawBuilder<unknown> {
  if (hashtags.length === 0) return sql``
  return sql`, ${ensuredTags(tx, hashtags, createdAt.getTime())},
    filed as (insert into status_tags (tag_id, status_id) select id, ${id}::bigint from ensured),
    featured as (
      update featured_tags f
      set statuses_count = f.statuses_count + 1, last_status_at = greatest(f.last_status_at, ${createdAt}::timestamptz)
      where ${isOpen(visibility)} and f.account_id = ${author.id} and f.tag_id in (select id from ensured))`
}

const isOpen = (visibility: StatusVisibility) => visibility === 'public' || visibility === 'unlisted'

/** A query for the id of the thread: that of the parent, the one that is named, or a new one. */
function ensureConversation(
  tx: Tx,
  id: StatusId,
  { parent, conversation }: RemoteStatus,
): RawBuilder<unknown> {
  if (parent?.conversation_id) return sql`select ${parent.conversation_id}::bigint as id`
  const now = new Date(tx.clock.now())
  if (conversation && 'id' in conversation) {
    return sql`
      insert into conversations (id, created_at)
      select coalesce((select k.id from conversations k where k.id = ${conversation.id}), ${id}::bigint), ${now}
      on conflict (id) do update set uri = conversations.uri returning id`
  }
  return sql`
    insert into conversations (id, uri, created_at) values (${id}, ${conversation?.uri ?? null}, ${now})
    on conflict (uri) do update set uri = excluded.uri returning id`
}

/** A reply to one's own reply goes to the person whom that one answered. */
function answeredAccount(authorId: AccountId, parent: RemoteStatus['parent']): AccountId | null {
  if (!parent) return null
  return parent.account_id === authorId ? (parent.in_reply_to_account_id ?? authorId) : parent.account_id
}

async function insertMentions(tx: Tx, id: StatusId, { mentioned, addressed }: RemoteStatus): Promise<void> {
  const named = new Set(mentioned)
  const rows = [
    ...[...named].map((accountId) => ({ status_id: id, account_id: accountId, silent: false })),
    ...[...new Set(addressed)]
      .filter((accountId) => !named.has(accountId))
      .map((accountId) => ({ status_id: id, account_id: accountId, silent: true })),
  ]
  if (rows.length === 0) return
  await tx.db
    .insertInto('mentions')
    .values(rows)
    .onConflict((on) => on.doNothing())
    .execute()
}

/**
 * Lets somebody see a status of another server because it was sent to them: they are named silently. What was for those
 * named alone is then for a few. Idempotent.
 */
export async function addReader(ctx: Ctx, statusId: StatusId, accountId: AccountId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      insert into mentions (status_id, account_id, silent)
      select s.id, a.id, true from statuses s join accounts a on a.id = ${accountId} and a.domain is null
      where s.id = ${statusId} and not s.local and s.visibility not in ('public', 'unlisted')
        and s.deleted_at is null
      on conflict do nothing returning account_id`.execute(tx.db)
    if (rows.length === 0) return
    await sql`
      with opened as (
        update statuses set visibility = 'limited', version = version + 1
        where id = ${statusId} and visibility = 'direct' returning account_id)
      update account_stats set statuses_count = statuses_count + 1
      where account_id in (select account_id from opened)`.execute(tx.db)
  })
}
