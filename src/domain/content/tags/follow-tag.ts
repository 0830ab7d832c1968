import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { invalid } from '#lib/errors.ts'
import { findTag, parseTagName } from './queries.ts'
import type { AccountId, TagId } from '#lib/id.ts'

/** Whether the viewer follows the tag of this name. */
export async function isFollowingTag(ctx: Ctx, viewer: Viewer, text: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from tag_follows f join tags t on t.id = f.tag_id
    where f.account_id = ${viewer.accountId} and t.name = ${parseTagName(text).name}`.execute(ctx.db)
  return rows.length > 0
}

/** Tags that one person follows at most: each is looked for whenever somebody posts with it. */
const maxFollowed = 1000

/**
 * Follows a tag, which is made when it is new. Idempotent. Throws `not_found` for what no tag can be called, and
 * `invalid` when the person follows as many as they may.
 */
export async function followTag(ctx: Ctx, viewer: Viewer, text: string): Promise<void> {
  const tag = parseTagName(text)
  await ctx.transaction(async (tx) => {
    const tagId = await findOrInsertTag(tx, tag)
    if (!(await hasRoom(tx, viewer.accountId, tagId))) {
      throw invalid('base', 'too_many_followed_tags', { max: maxFollowed })
    }
    const { rows } = await sql`
      insert into tag_follows (id, account_id, tag_id, created_at)
      values (${tx.newId()}, ${viewer.accountId}, ${tagId}, ${new Date(tx.clock.now())})
      on conflict (account_id, tag_id) do nothing returning id`.execute(tx.db)
    if (rows.length > 0) await tx.emit({ type: 'tag-follow.created', accountId: viewer.accountId, tagId })
  })
}

/** The account's row is locked: two at once must not pass the limit together. What is followed already has its room. */
async function hasRoom(tx: Tx, accountId: AccountId, tagId: TagId): Promise<boolean> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
  const { rows } = await sql<{ has_room: boolean }>`
    select count(*) < ${maxFollowed} or bool_or(tag_id = ${tagId}) as has_room
    from tag_follows where account_id = ${accountId}`.execute(tx.db)
  return rows[0]?.has_room ?? false
}

/** The id of a tag, made when it is new. Unlike a post with it, following or featuring it is no use of it. */
export async function findOrInsertTag(tx: Tx, tag: { name: string; display: string }): Promise<TagId> {
  const known = await findTag(tx, tag.name)
  if (known) return known.id
  const { rows } = await sql<{ id: TagId }>`
    insert into tags (id, name, display_name, created_at)
    values (${tx.newId()}, ${tag.name}, ${tag.display}, ${new Date(tx.clock.now())})
    on conflict (name) do update set name = excluded.name returning id`.execute(tx.db)
  return (rows[0] as { id: TagId }).id
}

/** Unfollows a tag; one that is not followed is fine. Throws `not_found` for what no tag can be called. */
export async function unfollowTag(ctx: Ctx, viewer: Viewer, text: string): Promise<void> {
  const { name } = parseTagName(text)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ tag_id: TagId }>`
      delete from tag_follows f using tags t
      where f.account_id = ${viewer.accountId} and t.id = f.tag_id and t.name = ${name} returning f.tag_id`.execute(
      tx.db,
    )
    const tagId = rows[0]?.tag_id
    if (tagId) await tx.emit({ type: 'tag-follow.deleted', accountId: viewer.accountId, tagId })
  })
}
