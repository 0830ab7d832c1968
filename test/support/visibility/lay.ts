// Writes a graph into the database, and lets its changes happen.
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Visibility } from '#domain/identity/accounts/viewer.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { attachMedia } from '#domain/content/media/attach.ts'
import { insertPoll } from '#domain/content/polls/new-poll.ts'
import { blockAccount } from '#domain/social/relationships/block.ts'
import { hideDomain } from '#domain/social/relationships/domain-blocks.ts'
import { unfollowAccount } from '#domain/social/relationships/follow.ts'
import { muteAccount } from '#domain/social/relationships/mute.ts'
import { attachTags } from '#domain/content/statuses/publish/create-status.ts'
import { removeStatus } from '#domain/content/statuses/delete-status.ts'
import { insertStatus } from '#domain/content/statuses/publish/insert-status.ts'
import { insertQuote } from '#domain/content/statuses/quotes/make-quote.ts'
import { ensureTags } from '#domain/content/tags/ensure-tags.ts'
import type { TestApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount, type RemoteAccount } from '#test/people/remote-account.ts'
import { insertCard, insertMedia } from '#test/people/status-parts.ts'
import { localPeople, remotePerson, type Change, type Graph, type Status } from './graph.ts'
import {
  sameId,
  type AccountDomainBlockId,
  type AccountId,
  type BookmarkId,
  type ConversationId,
  type FavouriteId,
  type ListAccountId,
  type ListId,
  type MediaId,
  type PollId,
  type StatusId,
  type StatusPinId,
  type TagFollowId,
  type TagId,
} from '#lib/id.ts'

/** The people of all graphs; what is between them is laid anew each time. */
export interface Cast {
  locals: Person[]
  remote: RemoteAccount
  /** By index. */
  ids: AccountId[]
}

/** What was laid. */
export interface Laid {
  /** Tells the texts of this graph from those of earlier ones. */
  run: number
  /** By the indexes of the graph. */
  ids: StatusId[]
  pollIds: (PollId | null)[]
  mediaIds: (MediaId | null)[]
  listIds: ListId[]
}

/** The one word that all statuses have, and the page to which cards lead. */
export const word = 'pebble'
export const tagName = 'matrix'
export const page = 'https://news.example/story'
export const reportYear = 2025

/** By this a text is known again wherever it comes up. */
export const markerOf = (run: number, index: number) => `mk${run}n${index}e`

export async function castOf(app: TestApp): Promise<Cast> {
  const locals = await Promise.all(localPeople.map(() => app.person('p')))
  const remote = await remoteAccount(app.ctx)
  await setSetting(app.ctx, 'trendable_by_default', true)
  return { locals, remote, ids: [...locals.map((one) => one.accountId), remote.accountId] }
}

let runs = 0

/** Clears the table and lays a graph, with its effects. */
export async function lay(app: TestApp, cast: Cast, graph: Graph): Promise<Laid> {
  const run = ++runs
  const { ctx } = app
  await clear(ctx)
  const mediaIds: (MediaId | null)[] = []
  for (const one of graph.statuses) mediaIds.push(one.media ? await layMedia(ctx, cast, one, run) : null)
  const laid = await ctx.transaction(async (tx) => {
    await layPeople(tx, cast, graph)
    await layRelations(tx, cast, graph)
    const listIds = await layLists(tx, cast, graph)
    const rows: LaidStatus[] = []
    for (const one of graph.statuses) {
      rows.push(await layStatus(tx, cast, one, { rows, run, mediaId: mediaIds[one.index] ?? null }))
    }
    const ids = rows.map((row) => row.id)
    await layMarks(tx, cast, graph, ids)
    return { run, ids, pollIds: rows.map((row) => row.pollId), mediaIds, listIds }
  })
  await app.settle()
  await layFame(ctx, cast, graph, laid)
  return laid
}

/** Everything but the people, who keep their logins. */
async function clear(ctx: Ctx): Promise<void> {
  const tables = [
    'home_entries home_feeds list_entries list_feeds lists notifications notification_requests',
    'notification_permissions account_conversations statuses conversations preview_cards media_attachments',
    'annual_reports severance_events follows follow_requests blocks mutes account_domain_blocks tag_follows outbox',
  ]
  const all = tables.join(' ').split(' ')
  await sql.raw(all.map((table) => `delete from ${table}`).join(';')).execute(ctx.db)
}

async function layPeople(tx: Tx, cast: Cast, graph: Graph): Promise<void> {
  for (const [index, id] of cast.ids.entries()) {
    await tx.db
      .updateTable('accounts')
      .set((eb) => ({
        silenced_at: graph.silenced.includes(index) ? new Date() : null,
        suspended_at: null,
        discoverable: graph.discoverable.includes(index),
        indexable: graph.indexable.includes(index),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute()
  }
}

async function layRelations(tx: Tx, { ids, remote }: Cast, graph: Graph): Promise<void> {
  const ends = ({ from, to }: { from: number; to: number }) => ({
    id: tx.newId(),
    account_id: ids[from] as AccountId,
    target_account_id: ids[to] as AccountId,
  })
  const insert = async <T extends object>(
    table: 'follows' | 'follow_requests' | 'blocks' | 'mutes',
    rows: T[],
  ) => {
    for (const row of rows)
      await tx.db
        .insertInto(table)
        .values(row as never)
        .execute()
  }
  const follows = graph.follows.map((one) => ({
    ...ends(one),
    notify: one.notify,
    show_reblogs: one.reblogs,
  }))
  await insert('follows', follows)
  await insert('follow_requests', graph.requests.map(ends))
  await insert('blocks', graph.blocks.map(ends))
  await insert(
    'mutes',
    graph.mutes.map((one) => ({ ...ends(one), hide_notifications: one.notifications })),
  )
  for (const who of graph.hideDomain) {
    const row = {
      id: tx.newId<AccountDomainBlockId>(),
      account_id: ids[who] as AccountId,
      domain: remote.domain,
    }
    await tx.db.insertInto('account_domain_blocks').values(row).execute()
  }
  const [tagId] = await ensureTags(tx, [{ name: tagName, display: tagName }])
  for (const who of graph.followTag) {
    const row = { id: tx.newId<TagFollowId>(), account_id: ids[who] as AccountId, tag_id: tagId as TagId }
    await tx.db.insertInto('tag_follows').values(row).execute()
  }
}

/** All feeds are there, so that fan-out writes to them. */
async function layLists(tx: Tx, { ids }: Cast, graph: Graph): Promise<ListId[]> {
  const built = new Date(tx.clock.now())
  for (const who of localPeople) {
    await tx.db
      .insertInto('home_feeds')
      .values({ account_id: ids[who] as AccountId, built_at: built })
      .execute()
  }
  const listIds: ListId[] = []
  for (const list of graph.lists) {
    const [id, owner] = [tx.newId<ListId>(), ids[list.owner] as AccountId]
    listIds.push(id)
    const row = {
      id,
      account_id: owner,
      title: 'a list',
      replies_policy: list.repliesPolicy,
      exclusive: list.exclusive,
    }
    await tx.db.insertInto('lists').values(row).execute()
    await tx.db.insertInto('list_feeds').values({ list_id: id, account_id: owner, built_at: built }).execute()
    for (const member of list.members) {
      const place = {
        id: tx.newId<ListAccountId>(),
        list_id: id,
        account_id: ids[member] as AccountId,
        owner_id: owner,
      }
      await tx.db.insertInto('list_accounts').values(place).execute()
    }
  }
  return listIds
}

async function layMedia(ctx: Ctx, cast: Cast, one: Status, run: number): Promise<MediaId> {
  const owner = { accountId: cast.ids[one.author] } as Person
  const description = `picture ${markerOf(run, one.index)}`
  const remoteUrl = `https://${cast.remote.domain}/${run}-${one.index}.png`
  return insertMedia(ctx, owner, one.author === remotePerson ? { description, remoteUrl } : { description })
}

interface LaidStatus {
  id: StatusId
  account_id: AccountId
  in_reply_to_account_id: AccountId | null
  conversation_id: ConversationId
  pollId: PollId | null
}

async function layStatus(
  tx: Tx,
  cast: Cast,
  one: Status,
  { rows, run, mediaId }: { rows: readonly LaidStatus[]; run: number; mediaId: MediaId | null },
): Promise<LaidStatus> {
  const id = tx.newId<StatusId>()
  const accountId = cast.ids[one.author] as AccountId
  const target = one.target === null ? null : (rows[one.target] as LaidStatus)
  const row = {
    id,
    account_id: accountId,
    in_reply_to_account_id: one.replyTo === null ? null : (cast.ids[one.replyTo] as AccountId),
    conversation_id:
      (one.kind === 'reply' || one.kind === 'boost') && target
        ? target.conversation_id
        : sameId<ConversationId>(id),
  }
  if (one.kind === 'boost' && target) await layBoost(tx, one, { ...row, reblog_of_id: target.id })
  else
    await insertStatus(
      tx,
      newStatus(one, { id, accountId, run, mediaId, parent: one.kind === 'reply' ? target : null }),
    )
  const pollId =
    one.kind === 'boost' ? null : await layParts(tx, cast, one, { id, accountId, run, mediaId, target })
  if (one.author === remotePerson) {
    const url = `https://${cast.remote.domain}/statuses/${id}`
    await tx.db.updateTable('statuses').set({ local: false, uri: url, url }).where('id', '=', id).execute()
  }
  await tx.emit({ type: 'status.created', statusId: id })
  return { ...row, pollId }
}

function newStatus(
  one: Status,
  { id, accountId, run, mediaId, parent }: NewParts & { parent: LaidStatus | null },
): Parameters<typeof insertStatus>[1] {
  const text = `${word} ${markerOf(run, one.index)}`
  return {
    id,
    accountId,
    text,
    content: `<p>${text}</p>`,
    contentType: 'text/plain',
    spoilerText: one.warned ? `warning ${markerOf(run, one.index)}` : '',
    visibility: one.visibility as Visibility,
    sensitive: one.warned,
    language: 'en',
    localOnly: one.localOnly,
    parent,
    applicationId: null,
    mediaIds: mediaId === null ? [] : [mediaId],
    mentioned: [],
    quoteAutomatic: [],
    replyAutomatic: null,
  }
}

interface NewParts {
  id: StatusId
  accountId: AccountId
  run: number
  mediaId: MediaId | null
}

/** Returns the id of its poll. */
async function layParts(
  tx: Tx,
  cast: Cast,
  one: Status,
  { id, accountId, run, mediaId, target }: NewParts & { target: LaidStatus | null },
): Promise<PollId | null> {
  if (mediaId !== null) await attachMedia(tx, { id, accountId }, [mediaId])
  if (one.tag) await attachTags(tx, id, [{ name: tagName, display: tagName }])
  for (const [who, silent] of one.mentions) {
    const row = { status_id: id, account_id: cast.ids[who] as AccountId, silent }
    await tx.db.insertInto('mentions').values(row).execute()
  }
  if (one.kind === 'quote' && target) {
    await insertQuote(
      tx,
      { id, accountId },
      {
        statusId: target.id,
        accountId: target.account_id,
        url: '',
        state: one.consent ? 'accepted' : 'pending',
        visibility: 'public',
        localOnly: false,
      },
    )
  }
  if (!one.poll) return null
  const options = ['yes', 'no'].map((answer) => `${answer} ${markerOf(run, one.index)}`)
  const poll = { options, expiresIn: 86_400, multiple: false, hideTotals: false }
  const pollId = await insertPoll(tx, { id, accountId }, poll)
  await tx.db.updateTable('statuses').set({ poll_id: pollId }).where('id', '=', id).execute()
  return pollId
}

async function layBoost(
  tx: Tx,
  one: Status,
  row: Omit<LaidStatus, 'pollId' | 'in_reply_to_account_id'> & { reblog_of_id: StatusId },
): Promise<void> {
  const { id, account_id, reblog_of_id, conversation_id } = row
  await tx.db
    .insertInto('statuses')
    .values({ id, account_id, reblog_of_id, conversation_id, visibility: one.visibility })
    .execute()
  await sql`insert into home_entries (account_id, status_id, reblog_of_id)
    select account_id, ${id}, ${reblog_of_id} from home_feeds where account_id = ${account_id}`.execute(tx.db)
  await count(tx, reblog_of_id, 'reblogs_count')
}

const markTables = { favourite: 'favourites', bookmark: 'bookmarks', pin: 'status_pins' } as const

async function layMarks(tx: Tx, cast: Cast, graph: Graph, ids: readonly StatusId[]): Promise<void> {
  for (const mark of graph.marks) {
    const pair = { accountId: cast.ids[mark.who] as AccountId, statusId: ids[mark.status] as StatusId }
    const row = {
      id: tx.newId<FavouriteId & BookmarkId & StatusPinId>(),
      account_id: pair.accountId,
      status_id: pair.statusId,
    }
    await tx.db.insertInto(markTables[mark.kind]).values(row).execute()
    if (mark.kind !== 'favourite') continue
    await count(tx, pair.statusId, 'favourites_count')
    await tx.emit({ type: 'favourite.created', ...pair, favouriteId: row.id })
  }
}

async function count(tx: Tx, statusId: string, column: 'favourites_count' | 'reblogs_count'): Promise<void> {
  const name = sql.ref(column)
  await sql`insert into status_stats (status_id, ${name}) values (${statusId}, 1)
    on conflict (status_id) do update set ${name} = status_stats.${name} + 1`.execute(tx.db)
}

/** What trends, and what stands in reports, is of any kind: what is shown of it is the question. */
async function layFame(ctx: Ctx, cast: Cast, graph: Graph, { ids }: Laid): Promise<void> {
  for (const one of graph.statuses) {
    if (one.card)
      await insertCard(ctx, ids[one.index] as StatusId, { url: page, title: 'a story', type: 'link' })
  }
  await sql`insert into link_trends (card_id, score, peak, peak_at, updated_at)
    select id, 100, 100, now(), now() from preview_cards limit 1`.execute(ctx.db)
  await sql`insert into status_trends (status_id, account_id, score, updated_at)
    select id, account_id, 100, now() from statuses
    where id = any(${famous(graph).map((index) => ids[index])}::bigint[])`.execute(ctx.db)
  for (const who of localPeople) {
    const [by_reblogs, by_favourites, by_replies] = reportedBy(graph, who).map(
      (index) => ids[index] as StatusId,
    )
    const top_statuses = { by_reblogs, by_favourites, by_replies }
    const data = { archetype: 'oracle', top_statuses, time_series: [], top_hashtags: [] }
    await sql`insert into annual_reports (id, account_id, year, schema_version, data)
      values (${ctx.newId()}, ${cast.ids[who]}, ${reportYear}, 2, ${JSON.stringify(data)}::jsonb)`.execute(
      ctx.db,
    )
  }
}

/** One status of each author, of whatever kind, has a score. */
export function famous(graph: Graph): number[] {
  const authors = [...new Set(graph.statuses.map((one) => one.author))]
  return authors.map((author) => {
    const own = graph.statuses.filter((one) => one.author === author)
    return (own[graph.statuses.length % own.length] as Status).index
  })
}

/** What the report of somebody names: three statuses of whomsoever. */
export function reportedBy(graph: Graph, who: number): number[] {
  const count = graph.statuses.length
  return [who, who + 2, who + 5].map((nth) => nth % count)
}

/** Lets the changes of a graph happen, in their order, and all that follows from them. */
export async function change(app: TestApp, cast: Cast, graph: Graph, laid: Laid): Promise<void> {
  for (const one of graph.changes) {
    await changeOne(app, cast, { one, graph, laid })
    await app.settle()
  }
}

async function changeOne(
  { ctx }: TestApp,
  cast: Cast,
  { one, graph, laid }: { one: Change; graph: Graph; laid: Laid },
): Promise<void> {
  const actor = (who: number) => ({ accountId: cast.ids[who] as AccountId })
  if ('from' in one) {
    const act = { unfollow: unfollowAccount, block: blockAccount, mute: muteAccount }[one.kind]
    return act(ctx, actor(one.from), cast.ids[one.to] as AccountId)
  }
  if ('status' in one) {
    if (one.kind === 'edit') return edit(cast, graph.statuses[one.status] as Status, laid)
    return ctx.transaction((tx) => removeStatus(tx, laid.ids[one.status] as StatusId))
  }
  if (one.kind === 'hideDomain') return hideDomain(ctx, actor(one.who), cast.remote.domain)
  const column = one.kind === 'suspend' ? 'suspended_at' : 'silenced_at'
  await ctx.db
    .updateTable('accounts')
    .set((eb) => ({ [column]: new Date(), version: eb('version', '+', 1) }))
    .where('id', '=', cast.ids[one.who] as AccountId)
    .execute()
}

/** Of a status that is deleted already there is nothing to edit. */
async function edit(cast: Cast, one: Status, laid: Laid): Promise<void> {
  const author = cast.locals[one.author] as Person
  const marker = markerOf(laid.run, one.index)
  const answer = await author.put(`/api/v1/statuses/${laid.ids[one.index]}`, {
    status: `${word} again ${marker}${one.tag ? ` #${tagName}` : ''}`,
    spoiler_text: one.warned ? `warning ${marker}` : '',
    sensitive: one.warned,
    language: 'en',
  })
  if (answer.status !== 404) answer.ok()
}
