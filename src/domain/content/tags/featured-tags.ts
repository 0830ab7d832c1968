// Hashtags that people show on their profile, with how often they used them.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { findOrInsertTag } from './follow-tag.ts'
import { parseTagName, type TagFacts } from './queries.ts'
import type { AccountId, FeaturedTagId, StatusId, TagId } from '#lib/id.ts'

export interface FeaturedTagRow {
  id: FeaturedTagId
  tag_id: TagId
  name: string
  display_name: string
  statuses_count: number
  last_status_at: Date | null
}

/** The tags an account features, the most used first. */
export async function listFeaturedTags(reader: Reader, accountId: AccountId): Promise<FeaturedTagRow[]> {
  const { rows } = await sql<FeaturedTagRow>`
    select f.id, f.tag_id, t.name, t.display_name, f.statuses_count, f.last_status_at
    from featured_tags f join tags t on t.id = f.tag_id
    where f.account_id = ${accountId} order by f.statuses_count desc, f.id`.execute(reader.db)
  return rows
}

/** Which of these tags an account features. */
export async function loadFeaturedTagIds(
  reader: Reader,
  accountId: AccountId,
  ids: readonly TagId[],
): Promise<Set<TagId>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ tag_id: TagId }>`
    select tag_id from featured_tags where account_id = ${accountId} and tag_id = any(${ids}::bigint[])`.execute(
    reader.db,
  )
  return new Set(rows.map((row) => row.tag_id))
}

/**
 * Features a tag, which is made when it is new. Idempotent. Returns the row. Throws `invalid` when the person
 * features as many as they may, and `not_found` for what no tag can be called.
 */
export async function featureTag(ctx: Ctx, viewer: Viewer, text: string): Promise<FeaturedTagRow> {
  const tag = parseTagName(text)
  const max = ctx.config.limits.featuredTags
  await ctx.transaction(async (tx) => {
    const tagId = await findOrInsertTag(tx, tag)
    const featured = await lockFeatured(tx, viewer.accountId)
    if (featured.includes(tagId)) return
    if (featured.length >= max) {
      throw invalid('base', 'too_many_featured_tags')
    }
    await insertFeatured(tx, viewer.accountId, tagId)
    await tx.emit({ type: 'featured-tag.created', accountId: viewer.accountId, tagId })
  })
  const row = (await listFeaturedTags(ctx, viewer.accountId)).find((one) => one.name === tag.name)
  if (!row) throw notFound()
  return row
}

/** The account's row is locked: two at once must not pass the limit together. */
async function lockFeatured(tx: Tx, accountId: AccountId): Promise<TagId[]> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
  const { rows } = await sql<{ tag_id: TagId }>`
    select tag_id from featured_tags where account_id = ${accountId}`.execute(tx.db)
  return rows.map((row) => row.tag_id)
}

async function insertFeatured(tx: Tx, accountId: AccountId, tagId: TagId): Promise<void> {
  await sql`
    insert into featured_tags (id, account_id, tag_id, statuses_count, last_status_at, created_at)
    select ${tx.newId()}, ${accountId}, ${tagId}, count(*), max(s.created_at), ${new Date(tx.clock.now())}
    from statuses s
    where s.account_id = ${accountId} and s.deleted_at is null and s.visibility in ('public', 'unlisted')
      and exists (select 1 from status_tags st where st.tag_id = ${tagId} and st.status_id = s.id offset 0)`.execute(
    tx.db,
  )
}

/** Stops featuring a tag, by the id of the row or the name of the tag. Returns whether it was featured. */
export async function unfeatureTag(
  ctx: Ctx,
  viewer: Viewer,
  which: { id: FeaturedTagId } | { name: string },
): Promise<boolean> {
  const condition =
    'id' in which
      ? sql`f.id = ${which.id}`
      : sql`f.tag_id = (select id from tags where name = ${parseTagName(which.name).name})`
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ tag_id: TagId }>`
      delete from featured_tags f where f.account_id = ${viewer.accountId} and ${condition} returning f.tag_id`.execute(
      tx.db,
    )
    if (!rows[0]) return false
    await tx.emit({ type: 'featured-tag.deleted', accountId: viewer.accountId, tagId: rows[0].tag_id })
    return true
  })
}

/** Statuses that are looked at for what somebody writes about these days. */
const recentStatuses = 1000
const maxSuggestions = 10

/** The tags an account used most in its latest posts and does not feature, the most used first. */
export async function suggestFeaturedTags(reader: Reader, accountId: AccountId): Promise<TagFacts[]> {
  const { rows } = await sql<TagFacts>`
    select t.id, t.name, t.display_name
    from (
      select id from statuses
      where account_id = ${accountId} and deleted_at is null order by id desc limit ${recentStatuses}) s
    join status_tags st on st.status_id = s.id
    join tags t on t.id = st.tag_id
    where not exists (
      select 1 from featured_tags f where f.account_id = ${accountId} and f.tag_id = t.id offset 0)
    group by t.id order by count(*) desc, t.id limit ${maxSuggestions}`.execute(reader.db)
  return rows
}

/**
 * Counts a status under the tags its author features, in the transaction that gives it (`by` 1) or takes from it (-1)
 * these tags. What is not open to all does not count.
 */
export async function countFeatured(
  tx: Tx,
  statusId: StatusId,
  tagIds: readonly TagId[],
  by: 1 | -1,
): Promise<void> {
  if (tagIds.length === 0) return
  await countingFeatured(statusId, sql`select unnest(${tagIds}::bigint[])`, by).execute(tx.db)
}

/** What becomes of a featured tag when so many statuses leave it. `alias` names its row. */
export function fewer(alias: string, by: RawBuilder<unknown>): RawBuilder<unknown> {
  const count = sql.ref(`${alias}.statuses_count`)
  return sql`
    statuses_count = greatest(0, ${count} - ${by}),
    last_status_at = case when ${count} > ${by} then ${sql.ref(`${alias}.last_status_at`)} end`
}

/** The statement of `countFeatured`; `tagIds` is a query. */
export function countingFeatured(
  statusId: StatusId,
  tagIds: RawBuilder<unknown>,
  by: 1 | -1,
): RawBuilder<unknown> {
  const oneMore = sql`
    statuses_count = f.statuses_count + 1, last_status_at = greatest(f.last_status_at, s.created_at)`
  return sql`
    update featured_tags f set ${by === 1 ? oneMore : fewer('f', sql`1`)}
    from statuses s
    where s.id = ${statusId} and s.visibility in ('public', 'unlisted')
      and f.account_id = s.account_id and f.tag_id in (${tagIds})`
}
