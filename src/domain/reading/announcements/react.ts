import { sql } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { parseReaction } from '#lib/text/reaction.ts'
import { assertShown } from './queries.ts'
import type { AnnouncementId, CustomEmojiId } from '#lib/id.ts'

/** Different reactions to one announcement, whoever they are from. */
const maxReactions = 8

/**
 * Reacts to an announcement. Idempotent. Throws `not_found`, and `invalid` for what is neither one Unicode emoji nor a
 * custom one of this server, and for a ninth kind of reaction.
 */
export async function reactToAnnouncement(
  ctx: Ctx,
  viewer: Viewer,
  id: AnnouncementId,
  text: string,
): Promise<void> {
  await assertShown(ctx, id)
  const emoji = await getEmoji(ctx, text)
  const { accountId } = viewer
  await ctx.transaction(async (tx) => {
    await assertRoom(tx, id, emoji.name)
    const { rows } = await sql`
      insert into announcement_reactions (id, announcement_id, account_id, name, custom_emoji_id, created_at)
      values (${tx.newId()}, ${id}, ${accountId}, ${emoji.name}, ${emoji.id}, ${new Date(tx.clock.now())})
      on conflict do nothing returning id`.execute(tx.db)
    if (rows.length === 0) return
    await tx.emit({ type: 'announcement-reaction.created', announcementId: id, accountId, name: emoji.name })
  })
}

/** Takes a reaction back; one that is not there is fine. Throws `not_found`, and `invalid` for what is no emoji. */
export async function unreactToAnnouncement(
  ctx: Ctx,
  viewer: Viewer,
  id: AnnouncementId,
  text: string,
): Promise<void> {
  await assertShown(ctx, id)
  const { name } = parseReaction(text)
  const { accountId } = viewer
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      delete from announcement_reactions
      where announcement_id = ${id} and account_id = ${accountId} and name = ${name} returning id`.execute(
      tx.db,
    )
    if (rows.length === 0) return
    await tx.emit({ type: 'announcement-reaction.deleted', announcementId: id, accountId, name })
  })
}

/** Locked: two new kinds at once must not pass the limit together. What waited for the lock would count as before it. */
async function assertRoom(tx: Tx, id: AnnouncementId, name: string): Promise<void> {
  const announcement = await sql`
    select 1 from announcements where id = ${id} for no key update`.execute(tx.db)
  if (announcement.rows.length === 0) throw notFound()
  const { rows } = await sql<{ name: string }>`
    select name from announcement_reaction_counts where announcement_id = ${id}`.execute(tx.db)
  if (rows.length < maxReactions || rows.some((row) => row.name === name)) return
  throw invalid('base', 'too_many_reactions')
}

async function getEmoji(reader: Reader, text: string): Promise<{ name: string; id: CustomEmojiId | null }> {
  const { name, domain, unicode } = parseReaction(text)
  if (unicode) return { name, id: null }
  const found =
    domain === null &&
    (await reader.db
      .selectFrom('custom_emojis')
      .select('id')
      .where('shortcode', '=', name)
      .where('domain', 'is', null)
      .where('disabled', '=', false)
      .executeTakeFirst())
  if (!found) throw invalid('name', 'unknown_emoji')
  return { name, id: found.id }
}
