// What has to be asked for to judge posts: of all of them in one statement.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { timeToId } from '#lib/ids.ts'
import type { AuthorFacts, SpamRule } from './evaluate.ts'
import type { PostFacts } from './read-post.ts'

const hour = 3_600_000
/** More posts in an hour are not counted. */
const maxRecent = 1000

/**
 * What is known of the authors of posts, in their order; null for one who is not there. Only what the rules ask for is
 * looked up, the rest is 0 or empty.
 *
 * A stranger is somebody whom a post names and who neither follows the author nor has asked to, has not let their
 * messages in, and is neither who named the author in the very post that this one answers nor named there beside them.
 * Of what comes from other
 * servers only this server's people count: whom others follow is not known here.
 */
export async function loadAuthorFacts(
  reader: Reader,
  rules: readonly SpamRule[],
  posts: readonly PostFacts[],
): Promise<(AuthorFacts | null)[]> {
  const asks = (name: keyof SpamRule['conditions']) =>
    rules.some((rule) => rule.conditions[name] !== undefined)
  const { rows } = await sql<AuthorFacts & { place: number }>`
    select w.place, a.created_at as "createdAt", h.created_at as "hostSeenAt",
      coalesce(st.followers_count, 0) as followers, coalesce(st.statuses_count, 0) as statuses,
      coalesce(a.avatar_key, a.avatar_remote_url) is not null as "hasAvatar",
      case when ${asks('posts_per_hour_at_least')} then (
        select count(*)::int from (
          select 1 from statuses s
          where s.account_id = a.id and s.deleted_at is null and s.reblog_of_id is null
            and s.id > w.since and s.id < w.until and s.id is distinct from w.status_id
          limit ${maxRecent}) r) else 0 end as recent,
      case when ${asks('strangers_mentioned_at_least')} then (
        select count(*)::int from unnest(w.mentioned) t (id) join accounts p on p.id = t.id
        where p.id <> a.id and (p.domain is null or a.domain is null)
          and not exists (
            select 1 from follows f where f.account_id = p.id and f.target_account_id = a.id offset 0)
          and not exists (
            select 1 from follow_requests f where f.account_id = p.id and f.target_account_id = a.id offset 0)
          and not exists (
            select 1 from notification_permissions n where n.account_id = p.id and n.from_account_id = a.id offset 0)
          and not exists (
            select 1 from statuses q join mentions m on m.status_id = q.id and m.account_id = a.id
            where q.id = w.parent_id and q.account_id <> a.id and (q.account_id = p.id or exists (
              select 1 from mentions o where o.status_id = q.id and o.account_id = p.id and not o.silent offset 0))
            offset 0)) else 0 end as strangers,
      case when ${asks('media_hashes')} then array(
        select encode(m.content_hash, 'hex') from media_attachments m
        where m.id = any(w.media_ids) and m.content_hash is not null) else '{}' end as hashes
    from jsonb_to_recordset(${JSON.stringify(posts.map(toRow))}::jsonb)
      as w (place int, account_id bigint, status_id bigint, parent_id bigint, mentioned bigint[], media_ids bigint[],
        since bigint, until bigint)
    join accounts a on a.id = w.account_id
    left join account_stats st on st.account_id = a.id
    left join hosts h on h.host = a.uri_host`.execute(reader.db)
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return posts.map((_, place) => byPlace.get(place) ?? null)
}

const toRow = (post: PostFacts, place: number) => ({
  place,
  account_id: post.accountId,
  status_id: post.statusId,
  parent_id: post.parentId,
  mentioned: post.mentionedIds,
  media_ids: post.mediaIds,
  since: timeToId(post.at - hour),
  until: timeToId(post.at + 1),
})
