import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { awaitBuild, homeFeeds } from './feed-tables.ts'
import { entersHome } from './home-rules.ts'
import { entersByTag, tagEligible, taggedStatuses } from './tag-rules.ts'
import type { AccountId, TagId } from '#lib/id.ts'

/** Brings recent posts with a newly followed tag into the follower's feed, where there is one, also one being built. */
export async function mergeTag(ctx: Ctx, accountId: AccountId, tagId: TagId): Promise<void> {
  await sql`
    insert into home_entries (account_id, status_id, reblog_of_id)
    select ${accountId}, m.id, m.reblog_of_id from (${taggedStatuses(accountId, new Date(ctx.clock.now()), tagId)}) m
    where exists (select 1 from home_feeds hf where hf.account_id = ${accountId}) and not exists (
      select 1 from home_entries h where h.account_id = ${accountId} and h.reblog_of_id = m.id)
    on conflict do nothing`.execute(ctx.db)
}

/** Takes them out again, but for those that a followed author or another followed tag brings all the same. */
export async function unmergeTag(ctx: Ctx, accountId: AccountId, tagId: TagId): Promise<void> {
  await awaitBuild(ctx, homeFeeds, accountId)
  const now = new Date(ctx.clock.now())
  await sql`
    delete from home_entries h using status_tags st, statuses e
    where h.account_id = ${accountId} and st.tag_id = ${tagId} and st.status_id = h.status_id
      and e.id = h.status_id and e.account_id <> ${accountId}
      and not exists (
        select 1 from statuses s
        left join statuses o on o.id = s.reblog_of_id
        join follows f on f.target_account_id = s.account_id
        where s.id = h.status_id and f.account_id = ${accountId} and ${entersHome({ status: 's', original: 'o', follow: 'f' }, now)})
      and not exists (
        select 1 from statuses s
        join status_tags st2 on st2.status_id = s.id
        join tag_follows tf on tf.tag_id = st2.tag_id
        where s.id = h.status_id and tf.account_id = ${accountId}
          and ${tagEligible('s')} and ${entersByTag('s', sql`tf.account_id`, now)})`.execute(ctx.db)
}
