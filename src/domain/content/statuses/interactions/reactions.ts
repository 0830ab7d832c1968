// Emoji reactions, an extension of the API that other servers have too. Off unless the operator turns it on.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { isUnblocked } from '#domain/identity/accounts/is-blocked.ts'
import type { Actor } from '#domain/social/relationships/rows.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { groupBy, keyBy } from '#lib/collections.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { parseReaction } from '#lib/text/reaction.ts'
import { findVisibleStatus, getVisibleOriginal } from '../queries.ts'
import type { AccountId, CustomEmojiId, StatusId, StatusReactionId } from '#lib/id.ts'

/** Different reactions of one account to one status. */
export const maxReactions = 8

/** Throws `not_found` where the extension is off. */
export async function assertReactionsOn(reader: Reader): Promise<void> {
  if (!(await getSettings(reader)).emoji_reactions) throw notFound()
}

/**
 * Reacts to a status, or what it boosts. Idempotent. Returns its id. Throws `not_found`, and `invalid` for what is
 * neither one Unicode emoji nor a custom one of this server, and beyond eight.
 */
export async function reactToStatus(ctx: Ctx, viewer: Actor, id: StatusId, text: string): Promise<StatusId> {
  await assertReactionsOn(ctx)
  const status = await getVisibleOriginal(ctx, viewer.accountId, id)
  await insertReaction(ctx, viewer, status.id, await getEmoji(ctx, status.id, text))
  return status.id
}

/** What somebody reacts with: an emoji or the shortcode of a custom one, and the id of that. */
export interface ReactionEmoji {
  name: string
  id: CustomEmojiId | null
  /** The activity, where another server sent one. */
  uri?: string | null
}

/**
 * Reacts to a status as an actor of another server does, with an emoji of its own. Idempotent. Throws `not_found`,
 * also where the extension is off, and `invalid` beyond eight.
 */
export async function saveRemoteReaction(
  ctx: Ctx,
  actor: Actor,
  id: StatusId,
  emoji: ReactionEmoji,
): Promise<void> {
  await assertReactionsOn(ctx)
  const status = await getVisibleOriginal(ctx, actor.accountId, id)
  await insertReaction(ctx, actor, status.id, emoji)
}

async function insertReaction(
  ctx: Ctx,
  { accountId }: Actor,
  statusId: StatusId,
  emoji: ReactionEmoji,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sql`
      insert into status_stats (status_id) values (${statusId}) on conflict do nothing`.execute(tx.db)
    // Locked: two at once must not pass the limit together. What waited for the lock would count as before it.
    await sql`select 1 from status_stats where status_id = ${statusId} for update`.execute(tx.db)
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from status_reactions
      where status_id = ${statusId} and account_id = ${accountId}
        and (name, coalesce(custom_emoji_id, 0)) <> (${emoji.name}, ${emoji.id ?? '0'}::bigint)`.execute(
      tx.db,
    )
    if ((rows[0]?.count ?? 0) >= maxReactions) {
      throw invalid('base', 'too_many_reactions')
    }
    const reactionId = tx.newId<StatusReactionId>()
    const made = await sql`
      with made as (
        insert into status_reactions (id, status_id, account_id, name, custom_emoji_id, uri, created_at)
        values (${reactionId}, ${statusId}, ${accountId}, ${emoji.name}, ${emoji.id}, ${emoji.uri ?? null},
          ${new Date(tx.clock.now())})
        on conflict do nothing returning status_id)
      update status_stats set reactions_count = reactions_count + 1
      where status_id in (select status_id from made) returning status_id`.execute(tx.db)
    if (made.rows.length > 0) {
      await tx.emit({ type: 'reaction.created', reactionId, accountId, statusId, name: emoji.name })
    }
  })
}

/** Takes back what an actor of another server reacted with; one that is not there is fine. Returns whether it was. */
export async function removeRemoteReaction(
  ctx: Ctx,
  { accountId }: Actor,
  which: { statusId: StatusId; name: string; domain: string | null } | { reactionId: StatusReactionId },
): Promise<boolean> {
  const condition =
    'reactionId' in which
      ? sql`r.id = ${which.reactionId}`
      : sql`r.status_id = ${which.statusId} and r.name = ${which.name} and ${ofEmoji(which.domain)}`
  return (await deleteReaction(ctx, accountId, condition)) !== undefined
}

const ofEmoji = (domain: string | null) => sql`(custom_emoji_id is null or exists (
  select 1 from custom_emojis e where e.id = r.custom_emoji_id and e.domain is not distinct from ${domain}))`

/** Takes a reaction back; one that is not there is fine. Works on a status the viewer has lost access to. */
export async function unreactToStatus(
  ctx: Ctx,
  viewer: Actor,
  id: StatusId,
  text: string,
): Promise<StatusId> {
  await assertReactionsOn(ctx)
  const { name, domain } = parseReaction(text)
  const { accountId } = viewer
  const removed = await deleteReaction(
    ctx,
    accountId,
    sql`name = ${name} and status_id = (select coalesce(reblog_of_id, id) from statuses where id = ${id})
      and ${ofEmoji(domain)}`,
  )
  if (removed) return removed
  const visible = await findVisibleStatus(ctx, accountId, id)
  if (!visible) throw notFound()
  return visible.reblog_of_id ?? visible.id
}

/** Returns the id of the status, or undefined when there is no such reaction. `condition` is about `status_reactions r`. */
function deleteReaction(
  ctx: Ctx,
  accountId: AccountId,
  condition: RawBuilder<unknown>,
): Promise<StatusId | undefined> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: StatusReactionId; status_id: StatusId; name: string }>`
      with gone as (
        delete from status_reactions r where account_id = ${accountId} and ${condition}
        returning id, status_id, name),
      counted as (
        update status_stats set reactions_count = greatest(reactions_count - 1, 0)
        where status_id in (select status_id from gone))
      select id, status_id, name from gone`.execute(tx.db)
    const gone = rows[0]
    if (!gone) return undefined
    const { id: reactionId, status_id: statusId, name } = gone
    await tx.emit({ type: 'reaction.deleted', reactionId, accountId, statusId, name })
    return statusId
  })
}

/** Another server's emoji may be joined where somebody has reacted with it, and not be brought in. */
async function getEmoji(
  reader: Reader,
  statusId: StatusId,
  text: string,
): Promise<{ name: string; id: CustomEmojiId | null }> {
  const { name, domain, unicode } = parseReaction(text)
  if (unicode) return { name, id: null }
  const { rows } = await sql<{ id: CustomEmojiId }>`
    select e.id from custom_emojis e
    where e.shortcode = ${name} and e.domain is not distinct from ${domain} and not e.disabled
      and (e.domain is null or exists (
        select 1 from status_reactions r where r.status_id = ${statusId} and r.custom_emoji_id = e.id))`.execute(
    reader.db,
  )
  if (!rows[0]) throw invalid('name', 'unknown_emoji')
  return { name, id: rows[0].id }
}

export interface ReactionRow {
  status_id: StatusId
  name: string
  count: number
  me: boolean
  /** Of a custom emoji. */
  domain: string | null
  image_key: string | null
  static_key: string | null
  /** Who reacted so, the first ones first; only where asked for. */
  account_ids: AccountId[]
}

/** What somebody reacted with. */
export type ReactedEmoji = Pick<ReactionRow, 'name' | 'domain' | 'image_key'>

/** What people reacted with, by the reactions' ids. */
export async function loadReactedEmojis(
  reader: Reader,
  ids: readonly StatusReactionId[],
): Promise<Map<StatusReactionId, ReactedEmoji>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ReactedEmoji & { id: StatusReactionId }>`
    select r.id, r.name, e.domain, e.image_key
    from status_reactions r left join custom_emojis e on e.id = r.custom_emoji_id
    where r.id = any(${ids}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}

/** Accounts told of one reaction. */
const maxAccounts = 80

/** The reactions to statuses in the order they began, without those of people who are gone or whom the viewer blocks. */
export async function loadReactions(
  reader: Reader,
  viewerId: AccountId | null,
  ids: readonly StatusId[],
): Promise<Map<StatusId, ReactionRow[]>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ReactionRow>`
    select r.status_id, r.name, count(*)::int as count, coalesce(bool_or(r.account_id = ${viewerId}::bigint), false) as me,
      e.domain, e.image_key, e.static_key,
      (array_agg(r.account_id order by r.id))[1:${maxAccounts}::int] as account_ids
    from status_reactions r
    join accounts a on a.id = r.account_id
    left join custom_emojis e on e.id = r.custom_emoji_id
    where r.status_id = any(${ids}::bigint[]) and a.suspended_at is null and a.deleted_at is null
      and (r.custom_emoji_id is null or not e.disabled)
      and ${viewerId === null ? sql`true` : isUnblocked(viewerId, sql`r.account_id`)}
    group by r.status_id, r.name, r.custom_emoji_id, e.domain, e.image_key, e.static_key
    order by r.status_id, min(r.id)`.execute(reader.db)
  return groupBy(rows, (row) => row.status_id)
}
