// Posts that wait until staff have looked at them.
import { sql, type Selectable } from 'kysely'
import type { HeldPostsTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { formatAcct } from '#lib/acct.ts'
import { recordAction, type Action, type Staff } from '#domain/server/audit/record.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { notFound } from '#lib/errors.ts'
import { timeToId } from '#lib/ids.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import { cleanText } from '#lib/text/text.ts'
import { recordHits } from './hits.ts'
import type { SpamDecision } from './evaluate.ts'
import type { AccountId, ApplicationId, HeldPostId, MediaId, SpamRuleId } from '#lib/id.ts'

export interface HeldPost extends Pick<
  Selectable<HeldPostsTable>,
  'id' | 'account_id' | 'rule_id' | 'created_at'
> {
  rule_name: string | null
  /** Where it is on another server; null: it was written here. */
  uri: string | null
  /** Plain text. */
  content: string
}

/** One that was written here: what to publish, and by which app. */
export type HeldInput = Pick<Selectable<HeldPostsTable>, 'id' | 'account_id' | 'application_id' | 'params'>

/** What came from another server, as its author's server gave it. */
export interface HeldObject {
  document: Record<string, unknown>
  audience: { to?: unknown; cc?: unknown }
  /** Whose personal inboxes it came to. */
  recipientIds: readonly AccountId[]
}

const day = 86_400_000
/** How long a post waits at most, in milliseconds. */
export const heldFor = 30 * day
/** Posts of one account that may wait. */
const maxOfAccount = 100
const maxContentLength = 10_000
const batch = 500

const columns = sql`p.id, p.account_id, p.rule_id, p.uri, p.content, p.created_at,
  (select r.name from spam_rules r where r.id = p.rule_id) as rule_name`

interface NewHeld {
  id: HeldPostId
  accountId: AccountId
  /** For staff to read: plain text. */
  content: string
  params: unknown
}

/**
 * Keeps what somebody here wrote, in the transaction in which it would have been published, with its media. False when
 * too much of theirs waits already.
 */
export async function holdLocalPost(
  tx: Tx,
  decision: SpamDecision,
  post: NewHeld & { applicationId: ApplicationId | null; mediaIds: readonly MediaId[] },
): Promise<boolean> {
  const isKept = await insertHeld(tx, decision, post, { applicationId: post.applicationId, uri: null })
  if (!isKept) return false
  // Until then it belongs to nothing, and must not go for that.
  await sql`
    update media_attachments
    set scheduled_status_id = null, draft_id = null, free_since = ${new Date(tx.clock.now() + heldFor)}
    where id = any(${post.mediaIds}::bigint[]) and account_id = ${post.accountId} and status_id is null`.execute(
    tx.db,
  )
  return true
}

/**
 * Keeps a post of another server. One that waits already becomes what it is now, for its further recipients too. False
 * when too much of the account waits.
 */
export async function holdRemotePost(
  ctx: Ctx,
  decision: SpamDecision,
  post: { accountId: AccountId; uri: string; content: string; object: HeldObject },
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    const params = toStored(post.object)
    const { rows } = await sql`
      update held_posts p set content = ${shorten(post.content)},
        params = ${JSON.stringify(params)}::jsonb || jsonb_build_object('recipientIds', (
          select coalesce(jsonb_agg(distinct r), '[]')
          from jsonb_array_elements(p.params -> 'recipientIds' || ${JSON.stringify(params.recipientIds)}::jsonb) r))
      where p.uri = ${post.uri} and p.account_id = ${post.accountId} returning 1`.execute(tx.db)
    if (rows.length > 0) return true
    const held = { id: tx.newId<HeldPostId>(), accountId: post.accountId, content: post.content, params }
    if (await insertHeld(tx, decision, held, { applicationId: null, uri: post.uri })) return true
    // It may have come twice at the same time.
    const known = await sql`select 1 from held_posts where uri = ${post.uri}`.execute(tx.db)
    return known.rows.length > 0
  })
}

async function insertHeld(
  tx: Tx,
  decision: SpamDecision,
  post: NewHeld,
  { applicationId, uri }: { applicationId: ApplicationId | null; uri: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    insert into held_posts (id, account_id, rule_id, params, application_id, uri, content, created_at)
    select ${post.id}::bigint, ${post.accountId}::bigint,
      (select r.id from spam_rules r where r.id = ${decision.hits[0]?.ruleId ?? null}::bigint),
      ${JSON.stringify(post.params)}::jsonb, ${applicationId}::bigint, ${uri}::text, ${shorten(post.content)},
      ${new Date(tx.clock.now())}::timestamptz
    where (select count(*) from held_posts where account_id = ${post.accountId}) < ${maxOfAccount}
    on conflict (uri) where uri is not null do nothing returning id`.execute(tx.db)
  if (rows.length === 0) return false
  await recordHits(tx, decision, { accountId: post.accountId, heldPostId: post.id, uri })
  return true
}

const shorten = (text: string) => cleanText(text.slice(0, maxContentLength))

interface StoredObject {
  /** JSON within JSON: what others write may have characters that the database cannot hold in any other way. */
  source: string
  recipientIds: readonly AccountId[]
}

const toStored = ({ recipientIds, ...rest }: HeldObject): StoredObject => ({
  source: JSON.stringify(rest),
  recipientIds,
})

/** Posts that wait, newest first. `ruleId`: those that one rule holds. */
export async function listHeldPosts(
  reader: Reader,
  page: PageRequest,
  ruleId?: SpamRuleId,
): Promise<Page<HeldPost>> {
  const ofRule = ruleId === undefined ? sql`true` : sql`p.rule_id = ${ruleId}`
  const { rows } = await sql<HeldPost>`
    select ${columns} from held_posts p where p.released_at is null and ${ofRule} and ${inPage('p.id', page)}
    ${orderAndLimit('p.id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** Throws `not_found`. */
export async function getHeldPost(reader: Reader, id: HeldPostId): Promise<HeldPost> {
  const { rows } = await sql<HeldPost>`
    select ${columns} from held_posts p where p.id = ${id} and p.released_at is null`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Whether a post of this account waits under that id. */
export async function isHeld(reader: Reader, accountId: AccountId, id: HeldPostId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from held_posts where id = ${id} and account_id = ${accountId}`.execute(reader.db)
  return rows.length > 0
}

/** What somebody here wrote and is to be published now. Throws `not_found`. */
export async function getHeldInput(reader: Reader, id: HeldPostId): Promise<HeldInput> {
  const { rows } = await sql<HeldInput>`
    select id, account_id, application_id, params from held_posts
    where id = ${id} and uri is null and released_at is null`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Takes a post of this server's out of the waiting ones, for the transaction that publishes it. Throws `not_found`. */
export async function takeHeldPost(tx: Tx, staff: Staff, id: HeldPostId): Promise<void> {
  const held = await getHeldPost(tx, id)
  const { rows } = await sql`delete from held_posts where id = ${id} returning id`.execute(tx.db)
  if (rows.length === 0) throw notFound()
  await recordAction(tx, staff, await actionOn(tx, 'release', held))
}

/** Lets a post of another server through: it is stored as soon as may be. Throws `not_found`. */
export async function releaseRemotePost(ctx: Ctx, staff: Staff, id: HeldPostId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const held = await getHeldPost(tx, id)
    const { rows } = await sql`
      update held_posts set released_at = ${new Date(tx.clock.now())}
      where id = ${id} and released_at is null and uri is not null returning id`.execute(tx.db)
    if (rows.length === 0) throw notFound()
    await recordAction(tx, staff, await actionOn(tx, 'release', held))
    await tx.emit({ type: 'held-post.released', heldPostId: id })
  })
}

/** What staff let through and is not stored yet; null: nothing. */
export async function findReleased(
  reader: Reader,
  id: HeldPostId,
): Promise<{ accountId: AccountId; object: HeldObject } | null> {
  const { rows } = await sql<{ accountId: AccountId; params: StoredObject }>`
    select account_id as "accountId", params from held_posts
    where id = ${id} and released_at is not null and uri is not null`.execute(reader.db)
  const [row] = rows
  if (!row) return null
  const { source, recipientIds } = row.params
  return { accountId: row.accountId, object: { ...JSON.parse(source), recipientIds } }
}

/** Forgets what was let through and stored. */
export async function removeReleased(reader: Reader, id: HeldPostId): Promise<void> {
  await sql`delete from held_posts where id = ${id} and released_at is not null`.execute(reader.db)
}

/** Its author deleted it, or made another of it that no rule holds. */
export async function dropHeldPost(reader: Reader, accountId: AccountId, uri: string): Promise<void> {
  await sql`delete from held_posts where uri = ${uri} and account_id = ${accountId}`.execute(reader.db)
}

/** Refuses a post for good; one of another server does not come again. Throws `not_found`. */
export async function rejectHeldPost(ctx: Ctx, staff: Staff, id: HeldPostId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const held = await getHeldPost(tx, id)
    if ((await removeHeld(tx, [id])) === 0) throw notFound()
    await recordAction(tx, staff, await actionOn(tx, 'reject', held))
    if (held.uri !== null) await tx.emit({ type: 'status.banished', uri: held.uri })
  })
}

/** Drops what nobody looked at for a month. Returns how many posts. */
export async function purgeHeldPosts(ctx: Ctx): Promise<number> {
  const before = timeToId(ctx.clock.now() - heldFor)
  let dropped = 0
  for (;;) {
    const { rows } = await sql<{ id: HeldPostId }>`
      select id from held_posts where id < ${before}::bigint order by id limit ${batch}`.execute(ctx.db)
    const ids = rows.map(({ id }) => id)
    dropped += await ctx.transaction((tx) => removeHeld(tx, ids))
    if (ids.length < batch) return dropped
  }
}

/** Media that waited along are free now, and go a day later. */
async function removeHeld(tx: Tx, ids: readonly HeldPostId[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (delete from held_posts where id = any(${ids}::bigint[]) returning account_id, uri, params),
    freed as (
      update media_attachments m set free_since = ${new Date(tx.clock.now())}
      from gone g, jsonb_array_elements_text(coalesce(g.params -> 'mediaIds', '[]')) i
      where g.uri is null and m.id = i::bigint and m.account_id = g.account_id and m.status_id is null)
    select count(*)::int as count from gone`.execute(tx.db)
  return rows[0]?.count ?? 0
}

async function actionOn(tx: Tx, action: string, held: HeldPost): Promise<Action> {
  const { rows } = await sql<{ username: string; domain: string | null }>`
    select username, domain from accounts where id = ${held.account_id}`.execute(tx.db)
  const { username = '', domain = null } = rows[0] ?? {}
  return {
    action,
    targetType: 'held_post',
    targetId: held.id,
    label: formatAcct(username, domain),
    details: {
      account_id: held.account_id,
      ...(held.rule_id && { spam_rule_id: held.rule_id }),
      ...(held.uri && { uri: held.uri }),
    },
  }
}
