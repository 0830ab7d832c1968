// Which posts of the past a rule would have matched.
import { sql, type Selectable } from 'kysely'
import type { StatusesTable } from '#db/schema/statuses.ts'
import type { Reader } from '#ports/ctx.ts'
import { timeToId } from '#lib/ids.ts'
import type { Conditions } from './conditions.ts'
import { loadAuthorFacts } from './author-facts.ts'
import { compileRules, holdsFor, needsAuthor, type RuleSet, type SpamRule } from './evaluate.ts'
import { readPost, toRuleVisibility, type PostFacts } from './read-post.ts'
import { asId, type AccountId, type IdCursor, type MediaId, type SpamRuleId, type StatusId } from '#lib/id.ts'

const hour = 3_600_000
const maxRows = 5_000
const batch = 500
/** Those of the matching posts that are told. */
const maxTold = 200
export const maxHours = 168

export interface DryRun {
  /** Posts that would have matched. */
  count: number
  examined: number
  /** There are more posts in that time than are looked at. */
  truncated: boolean
  /** The newest of those that match. */
  statusIds: StatusId[]
}

/**
 * Holds posts of the last hours, the newest first, against conditions. Followers and posts of their authors, and who is a
 * stranger to them, are what they are now; ages and rates what they were then. Boosts and what staff wrote are left out.
 * So is what is not for everybody unless `closed`: who may ask again and again learns from the counts alone what it says.
 */
export async function runDry(
  reader: Reader,
  conditions: Conditions,
  { hours, limit, closed }: { hours: number; limit: number; closed: boolean },
): Promise<DryRun> {
  const rules = compileRules([{ id: asId<SpamRuleId>('1'), action: 'report', conditions }])
  const since = timeToId(reader.clock.now() - Math.min(hours, maxHours) * hour)
  const told = Math.min(limit, maxTold)
  const result: DryRun = { count: 0, examined: 0, truncated: false, statusIds: [] }
  let before = timeToId(reader.clock.now() + hour)
  for (let rows = 0; rows < maxRows; rows += batch) {
    const page = await loadPosts(reader, { since, before, closed })
    const found = await match(reader, rules, page.posts)
    result.examined += page.posts.length
    result.count += found.length
    result.statusIds.push(...found.slice(0, told - result.statusIds.length))
    if (page.oldest === null) return result
    before = page.oldest
  }
  return { ...result, truncated: true }
}

async function match(reader: Reader, rules: RuleSet, posts: readonly PostFacts[]): Promise<StatusId[]> {
  const sifted = posts.flatMap((post) => {
    const [rule] = rules.sift(readPost(post))
    return rule ? [{ post, rule }] : []
  })
  const open = sifted.filter(({ post, rule }) => needsAuthor(rule, post))
  const authors =
    open.length === 0
      ? []
      : await loadAuthorFacts(
          reader,
          rulesOf(open),
          open.map(({ post }) => post),
        )
  const authorOf = new Map(open.map(({ post }, index) => [post, authors[index] ?? null]))
  return sifted.flatMap(({ post, rule }) => {
    const author = authorOf.get(post)
    const holds = !authorOf.has(post) || (author && holdsFor(rule, post, author))
    return holds && post.statusId !== null ? [post.statusId] : []
  })
}

const rulesOf = (sifted: readonly { rule: SpamRule }[]) => sifted.slice(0, 1).map(({ rule }) => rule)

interface PastPost extends Pick<
  Selectable<StatusesTable>,
  | 'id'
  | 'local'
  | 'account_id'
  | 'content'
  | 'spoiler_text'
  | 'visibility'
  | 'reply'
  | 'in_reply_to_id'
  | 'created_at'
> {
  quoted_host: string | null
  options: string[] | null
  mentioned: AccountId[]
  media: { id: MediaId; description: string; blurhash: string | null; remote: boolean }[]
}

/** A stretch of the ids, whatever is in it, so that the work has a bound. `oldest`: null when it was the last. */
async function loadPosts(
  reader: Reader,
  { since, before, closed }: { since: IdCursor; before: IdCursor; closed: boolean },
): Promise<{ posts: PostFacts[]; oldest: IdCursor | null }> {
  const { rows } = await sql<PastPost & { eligible: boolean }>`
    select s.id, s.local, s.account_id, s.content, s.spoiler_text, s.visibility, s.reply, s.in_reply_to_id, s.created_at,
      s.deleted_at is null and s.reblog_of_id is null
        and (${closed} or s.visibility in ('public', 'unlisted')) and not exists (
        select 1 from users u where u.account_id = s.account_id and u.role_id is not null offset 0) as eligible,
      (select case when q.local then ${new URL(reader.config.baseUrl).host} else split_part(q.uri, '/', 3) end
        from quotes c join statuses q on q.id = c.quoted_status_id where c.status_id = s.id) as quoted_host,
      (select p.options from polls p where p.id = s.poll_id) as options,
      array(select m.account_id from mentions m
        where m.status_id = s.id and not m.silent and m.account_id <> s.account_id) as mentioned,
      (select coalesce(jsonb_agg(jsonb_build_object('id', m.id::text, 'description', m.description,
          'blurhash', m.blurhash, 'remote', m.remote_url is not null)), '[]')
        from media_attachments m where m.id = any(s.media_ids)) as media
    from (
      select id, local, account_id, content, spoiler_text, visibility, reply, in_reply_to_id, created_at, deleted_at,
        reblog_of_id, poll_id, media_ids
      from statuses where id < ${before}::bigint and id >= ${since}::bigint
      order by id desc limit ${batch}) s
    order by s.id desc`.execute(reader.db)
  const oldest = rows.length < batch ? null : (rows.at(-1)?.id ?? null)
  return { posts: rows.filter((row) => row.eligible).map(toFacts), oldest }
}

const toFacts = (post: PastPost): PostFacts => ({
  local: post.local,
  accountId: post.account_id,
  content: post.content,
  texts: [post.spoiler_text, ...(post.options ?? []), ...post.media.map((one) => one.description)],
  mentionedIds: post.mentioned,
  mentions: post.mentioned.length,
  reply: post.reply,
  parentId: post.in_reply_to_id,
  visibility: toRuleVisibility(post.visibility),
  quotedHost: post.quoted_host,
  mediaIds: post.media.filter((one) => !one.remote).map((one) => one.id),
  blurhashes: post.media.flatMap((one) => (one.remote && one.blurhash !== null ? [one.blurhash] : [])),
  statusId: post.id,
  at: post.created_at.getTime(),
})
