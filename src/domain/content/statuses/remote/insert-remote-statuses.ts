// The rows of statuses of other servers: what comes together is written by one statement.
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import { saveRemoteEmojis } from '#domain/server/instance/emojis/remote-emojis.ts'
import { insertRemoteMedia } from '#domain/content/media/save-remote.ts'
import { insertRemotePoll } from '#domain/content/polls/remote-poll.ts'
import { ensuredTags } from '#domain/content/tags/ensure-tags.ts'
import { unique } from '#lib/collections.ts'
import { toStoredJson } from '#lib/json/stored-json.ts'
import { insertRemoteQuote } from '../quotes/remote-quote.ts'
import type { StatusVisibility } from '../visibility.ts'
import type { RemoteStatus } from './remote-status.ts'
import type { AccountId, MediaId, StatusId } from '#lib/id.ts'

export interface NewRemoteStatus {
  id: StatusId
  status: RemoteStatus
}

interface Row extends NewRemoteStatus {
  mediaIds: readonly MediaId[]
}

/** Writes statuses that are not there yet, each once, with all that belongs to them, and counts them. */
export async function insertRemoteStatuses(tx: Tx, statuses: readonly NewRemoteStatus[]): Promise<void> {
  if (statuses.length === 0) return
  const rows = statuses.map(({ id, status }) => ({
    id,
    status,
    mediaIds: status.media.map(() => tx.newId<MediaId>()),
  }))
  await insertRows(tx, rows)
  for (const row of rows) await insertParts(tx, row)
}

async function insertParts(tx: Tx, { id, status, mediaIds }: Row): Promise<void> {
  const owned = { id, accountId: status.author.id }
  await insertRemoteMedia(tx, owned, status.media, mediaIds)
  if (status.poll) {
    const pollId = await insertRemotePoll(tx, owned, status.poll)
    await sql`update statuses set poll_id = ${pollId} where id = ${id}`.execute(tx.db)
  }
  if (status.quote) await insertRemoteQuote(tx, owned, status.quote)
  await saveRemoteEmojis(tx, status.author.domain, status.emojis)
}

/**
 * The rows, their conversations, hashtags and mentions, and the counters of their parents and authors, in one statement.
 * What others may change at the same time is taken in one order.
 */
async function insertRows(tx: Tx, rows: readonly Row[]): Promise<void> {
  const now = new Date(tx.clock.now())
  const mentions = mentionsOf(rows)
  await sql`
    with arrived as materialized (${arrived(rows)}),
    ${conversations(now)},
    status as (
      insert into statuses (id, account_id, text, content, spoiler_text, visibility, sensitive, language, local, reply,
        in_reply_to_id, in_reply_to_account_id, conversation_id, media_ids, quote_automatic, quote_manual,
        reply_automatic, reply_manual, uri, url, replies_url, fetched_at, edited_at, created_at)
      select a.id, a.account_id, '', a.content, a.spoiler_text, a.visibility, a.sensitive, a.language, false, a.reply,
        a.parent_id, a.answered_id, coalesce(a.parent_thread, n.id, k.id, a.id), a.media_ids, a.quote_automatic,
        a.quote_manual, a.reply_automatic, a.reply_manual, a.uri, a.url, a.replies_url, ${now}, a.edited_at, a.created_at
      from arrived a left join named_thread n on n.uri = a.thread_uri left join known_thread k on k.asked = a.thread_id
      order by a.id),
    named as (
      insert into mentions (status_id, account_id, silent)
      select m.status_id, m.account_id, m.silent
      from unnest(${mentions.map((one) => one.id)}::bigint[], ${mentions.map((one) => one.accountId)}::bigint[],
        ${mentions.map((one) => one.silent)}::boolean[]) m (status_id, account_id, silent)),
    parent as (
      insert into status_stats (status_id, replies_count)
      select parent_id, count(*) from arrived where parent_id is not null and open group by parent_id order by parent_id
      on conflict (status_id) do update set replies_count = status_stats.replies_count + excluded.replies_count),
    told as (
      insert into status_stats (status_id, told_favourites_count, told_reblogs_count)
      select id, told_favourites, told_reblogs from arrived
      where told_favourites is not null or told_reblogs is not null)
    ${tagging(tx, rows)}
    insert into account_stats (account_id, statuses_count, last_status_at)
    select account_id, count(*) filter (where visibility <> 'direct'),
      max(created_at) filter (where visibility <> 'direct') from arrived
    group by account_id order by account_id
    on conflict (account_id) do update set statuses_count = account_stats.statuses_count + excluded.statuses_count,
      last_status_at = greatest(account_stats.last_status_at, excluded.last_status_at)`.execute(tx.db)
}

const arrived = (rows: readonly Row[]): RawBuilder<unknown> => sql`
  select * from json_to_recordset(${toStoredJson(rows.map(toRecord))}::json) as r (
    id bigint, account_id bigint, content text, spoiler_text text, visibility text, sensitive boolean, language text,
    reply boolean, open boolean, parent_id bigint, parent_thread bigint, answered_id bigint, thread_id bigint,
    thread_uri text, media_ids bigint[], quote_automatic text[], quote_manual text[], reply_automatic text[],
    reply_manual text[], uri text, url text, replies_url text, edited_at timestamptz, created_at timestamptz,
    told_favourites integer, told_reblogs integer)`

function toRecord({ id, status, mediaIds }: Row) {
  const { parent, conversation, author, told } = status
  return {
    id,
    account_id: author.id,
    content: status.content,
    spoiler_text: status.spoilerText,
    visibility: status.visibility,
    sensitive: status.sensitive,
    language: status.language,
    reply: status.reply || parent !== null,
    open: isOpen(status.visibility),
    parent_id: parent?.id ?? null,
    parent_thread: parent?.conversation_id ?? null,
    answered_id: answeredAccount(author.id, parent),
    thread_id: conversation && 'id' in conversation ? conversation.id : null,
    thread_uri: conversation && 'uri' in conversation ? conversation.uri : null,
    media_ids: mediaIds,
    quote_automatic: status.quoteAutomatic,
    quote_manual: status.quoteManual,
    reply_automatic: status.replyAutomatic,
    reply_manual: status.replyManual,
    uri: status.uri,
    url: status.url,
    replies_url: status.repliesUrl,
    edited_at: status.editedAt,
    created_at: status.createdAt,
    told_favourites: told.favourites,
    told_reblogs: told.reblogs,
  }
}

const isOpen = (visibility: StatusVisibility) => visibility === 'public' || visibility === 'unlisted'

/** The thread of each: that of its parent, the one that is named, or a new one. */
const conversations = (now: Date): RawBuilder<unknown> => sql`
  named_thread as (
    insert into conversations (id, uri, created_at)
    select min(id), thread_uri, ${now}::timestamptz from arrived
    where thread_uri is not null and parent_thread is null group by thread_uri order by thread_uri
    on conflict (uri) do update set uri = excluded.uri returning id, uri),
  known_thread as (
    select t.asked, c.id from (select distinct thread_id as asked from arrived where parent_thread is null) t
    join conversations c on c.id = t.asked for key share of c),
  made_thread as (
    insert into conversations (id, created_at)
    select a.id, ${now}::timestamptz from arrived a
    where a.parent_thread is null and a.thread_uri is null
      and not exists (select 1 from known_thread k where k.asked = a.thread_id))`

/** Files them under their hashtags, and counts them where their authors feature those. */
function tagging(tx: Tx, rows: readonly Row[]): RawBuilder<unknown> {
  const filed = rows.flatMap(({ id, status }) =>
    unique(status.hashtags.map(({ name }) => name)).map((name) => ({ id, name })),
  )
  if (filed.length === 0) return sql``
  const tags = rows.flatMap(({ status }) =>
    status.hashtags.map((tag) => ({ ...tag, usedAt: status.createdAt.getTime() })),
  )
  return sql`, ${ensuredTags(tx, tags)},
    filed as (
      insert into status_tags (tag_id, status_id)
      select e.id, f.status_id
      from unnest(${filed.map((one) => one.id)}::bigint[], ${filed.map((one) => one.name)}::text[]) f (status_id, name)
      join ensured e on e.name = f.name returning tag_id, status_id),
    featured as (
      update featured_tags t set statuses_count = t.statuses_count + u.count,
        last_status_at = greatest(t.last_status_at, u.last_at)
      from (
        select a.account_id, f.tag_id, count(*) as count, max(a.created_at) as last_at
        from filed f join arrived a on a.id = f.status_id where a.open group by a.account_id, f.tag_id) u
      where t.account_id = u.account_id and t.tag_id = u.tag_id)`
}

/** A reply to one's own reply goes to the person whom that one answered. */
function answeredAccount(authorId: AccountId, parent: RemoteStatus['parent']): AccountId | null {
  if (!parent) return null
  return parent.account_id === authorId ? (parent.in_reply_to_account_id ?? authorId) : parent.account_id
}

/** Whom each names, and silently to whom it is addressed without naming them. */
const mentionsOf = (rows: readonly Row[]) =>
  rows.flatMap(({ id, status: { mentioned, addressed } }) => {
    const aloud = new Set(mentioned)
    return [
      ...[...aloud].map((accountId) => ({ id, accountId, silent: false })),
      ...unique(addressed.filter((accountId) => !aloud.has(accountId))).map((accountId) => ({
        id,
        accountId,
        silent: true,
      })),
    ]
  })
