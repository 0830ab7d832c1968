import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { ensureTags } from './ensure-tags.ts'
import type { AccountId } from '#lib/id.ts'

/** Makes these the hashtags that an account of another server features. Names are in normal form. */
export async function replaceRemoteFeaturedTags(
  ctx: Ctx,
  accountId: AccountId,
  tags: readonly { name: string; display: string }[],
): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
    const ids = tags.length === 0 ? [] : await ensureTags(tx, tags, 0)
    await sql`
      delete from featured_tags where account_id = ${accountId} and tag_id <> all(${ids}::bigint[])`.execute(
      tx.db,
    )
    await sql`
      insert into featured_tags (id, account_id, tag_id, created_at)
      select w.id, ${accountId}, w.tag_id, ${new Date(tx.clock.now())}
      from unnest(${ids.map(() => tx.newId())}::bigint[], ${ids}::bigint[]) w (id, tag_id)
      on conflict (account_id, tag_id) do nothing`.execute(tx.db)
  })
}

const maxTags = 30

type Tag = { name: string; display: string }

/** One more hashtag that an account of another server features, up to thirty. Idempotent. */
export async function addRemoteFeaturedTag(ctx: Ctx, accountId: AccountId, tag: Tag): Promise<void> {
  await ctx.transaction(async (tx) => {
    await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
    const [tagId] = await ensureTags(tx, [tag], 0)
    if (tagId === undefined) return
    await sql`
      insert into featured_tags (id, account_id, tag_id, created_at)
      select ${tx.newId()}, ${accountId}, ${tagId}, ${new Date(tx.clock.now())}
      where (select count(*) from featured_tags where account_id = ${accountId}) < ${maxTags}
      on conflict (account_id, tag_id) do nothing`.execute(tx.db)
  })
}

/** A hashtag that an account of another server features no longer. Idempotent. */
export async function removeRemoteFeaturedTag(ctx: Ctx, accountId: AccountId, name: string): Promise<void> {
  await sql`
    delete from featured_tags
    where account_id = ${accountId} and tag_id = (select id from tags where name = ${name})`.execute(ctx.db)
}
