import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { withParentDomains } from '#lib/acct.ts'
import { forbidden, invalid } from '#lib/errors.ts'
import { parseLanguage } from '#lib/text/language.ts'
import { followUri } from '#domain/server/instance/urls.ts'
import { getAccountFacts } from '#domain/identity/accounts/queries.ts'
import {
  deleteFollows,
  deleteRequests,
  insertFollow,
  lockPair,
  type Actor,
  type FollowRow,
  type Pair,
  type Party,
} from './rows.ts'
import type { AccountId } from '#lib/id.ts'

/** What is not given stays as it is, or has its default. */
export interface FollowOptions {
  /** Boosts enter the home timeline; true by default. */
  reblogs?: boolean | undefined
  /** Tell of each new post; false by default. */
  notify?: boolean | undefined
  /** Only posts in these languages; none listed means all. */
  languages?: readonly string[] | undefined
  /** The activity, where another server sent one. */
  uri?: string | undefined
}

/** Follows that an account may have, unless so many follow it that the ratio allows more. */
const followLimit = 7500
const followRatio = 1.1

/**
 * Follows an account, or asks to where it decides itself, is elsewhere, or the asker is limited. Again, it
 * changes the options. Throws `not_found`, `forbidden` for whom one may not follow, `invalid` for bad languages and
 * past the limit. Returns whether the account lets everybody in: of one elsewhere the answer is then a matter of form.
 */
export async function followAccount(
  ctx: Ctx,
  actor: Actor,
  targetId: AccountId,
  options: FollowOptions = {},
): Promise<boolean> {
  const wanted = { ...options, languages: parseLanguages(options.languages) }
  const target = await getAccountFacts(ctx, targetId)
  const pair = { accountId: actor.accountId, targetAccountId: target.id }
  if (pair.accountId === pair.targetAccountId) throw forbidden()
  return ctx.transaction(async (tx) => {
    const parties = await lockPair(tx, pair)
    const isOpen = !parties.target.locked && !parties.source.silenced
    if (await updateOptions(tx, pair, wanted)) return isOpen
    await assertFollowable(tx, parties)
    await establish(tx, pair, { row: toRow(tx, wanted, parties), asks: mustAsk(parties) })
    return isOpen
  })
}

/** Accounts of other servers answer by an Accept, whether locked or not. */
function mustAsk({ source, target }: { source: Party; target: Party }): boolean {
  return target.locked || source.silenced || target.domain !== null
}

async function establish(
  tx: Tx,
  pair: Pair,
  { row, asks }: { row: FollowRow; asks: boolean },
): Promise<void> {
  if (!asks) {
    await insertFollow(tx, pair, row)
    await tx.emit({ type: 'follow.created', ...pair })
    return
  }
  const { accountId: account_id, targetAccountId: target_account_id } = pair
  await tx.db
    .insertInto('follow_requests')
    .values({ id: tx.newId(), account_id, target_account_id, ...row, created_at: new Date(tx.clock.now()) })
    .execute()
  await tx.emit({ type: 'follow-request.created', ...pair, uri: row.uri })
}

type Wanted = Omit<FollowOptions, 'languages'> & { languages: string[] | null | undefined }

/** What another server is asked for has an id by which it can answer. */
function toRow(tx: Tx, wanted: Wanted, { target }: { target: Party }): FollowRow {
  const uri = target.domain === null ? null : followUri(tx.config, tx.newId())
  return {
    show_reblogs: wanted.reblogs ?? true,
    notify: wanted.notify ?? false,
    languages: wanted.languages ?? null,
    uri: wanted.uri ?? uri,
  }
}

function parseLanguages(languages: readonly string[] | undefined): string[] | null | undefined {
  if (languages === undefined) return undefined
  const named = languages.filter((language) => language !== '')
  const parsed = named.map((language) => parseLanguage(language))
  if (parsed.includes(null)) throw invalid('languages', 'invalid')
  return parsed.length === 0 ? null : [...new Set(parsed as string[])]
}

/** Changes the options of the follow or request there is; false when there is none. */
async function updateOptions(tx: Tx, pair: Pair, wanted: Wanted): Promise<boolean> {
  const changes = sql`show_reblogs = coalesce(${wanted.reblogs ?? null}::boolean, show_reblogs),
    notify = coalesce(${wanted.notify ?? null}::boolean, notify),
    languages = case when ${wanted.languages !== undefined}::boolean then ${wanted.languages ?? null}::text[] else languages end,
    uri = coalesce(${wanted.uri ?? null}::text, uri)`
  const of = sql`account_id = ${pair.accountId} and target_account_id = ${pair.targetAccountId}`
  const { rows } = await sql`
    with followed as (update follows set ${changes} where ${of} returning id),
    asked as (update follow_requests set ${changes} where ${of} returning id)
    select id from followed union all select id from asked`.execute(tx.db)
  return rows.length > 0
}

interface Standing {
  blocked: boolean
  /** This server does not speak with that of the target. */
  refused: boolean
  /** One of the two has hidden the domain of the other. */
  hidden: boolean
  following_count: number
  followers_count: number
}

/** One answer for every reason: it does not tell who blocked whom. */
async function assertFollowable(tx: Tx, { source, target }: { source: Party; target: Party }): Promise<void> {
  const standing = await readStanding(tx, source, target)
  const { blocked, refused, hidden } = standing
  if (target.suspended || target.moved || blocked || refused || hidden) throw forbidden()
  if (source.domain !== null) return
  const limit = Math.max(followLimit, Math.round(standing.followers_count * followRatio))
  if (standing.following_count >= limit) {
    throw invalid('base', 'too_many_followed', { max: limit })
  }
}

async function readStanding(tx: Tx, source: Party, { id, domain }: Party): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select coalesce(s.following_count, 0) as following_count, coalesce(s.followers_count, 0) as followers_count,
      exists (select 1 from blocks b
        where (b.account_id = me.id and b.target_account_id = ${id})
          or (b.account_id = ${id} and b.target_account_id = me.id)) as blocked,
      exists (select 1 from account_domain_blocks h
        where (h.account_id = me.id and h.domain = ${domain})
          or (h.account_id = ${id} and h.domain = me.domain)) as hidden,
      exists (select 1 from domain_blocks d where d.severity = 'suspend'
        and d.domain = any(${domain === null ? [] : withParentDomains(domain)}::text[])) as refused
    from accounts me left join account_stats s on s.account_id = me.id where me.id = ${source.id}`.execute(
    tx.db,
  )
  return rows[0] as Standing
}

/** Unfollows, or takes back the request. Idempotent. Throws `not_found`. */
export async function unfollowAccount(ctx: Ctx, actor: Actor, targetId: AccountId): Promise<void> {
  const target = await getAccountFacts(ctx, targetId)
  const pair = { accountId: actor.accountId, targetAccountId: target.id }
  await ctx.transaction(async (tx) => {
    await lockPair(tx, pair)
    for (const gone of await deleteFollows(tx, [pair])) await tx.emit({ type: 'follow.deleted', ...gone })
    for (const gone of await deleteRequests(tx, [pair]))
      await tx.emit({ type: 'follow-request.deleted', ...gone })
  })
}

/** Makes somebody no longer follow the actor; fine where they don't. Throws `not_found`. */
export async function removeFollower(ctx: Ctx, actor: Actor, followerId: AccountId): Promise<void> {
  const follower = await getAccountFacts(ctx, followerId)
  const pair = { accountId: follower.id, targetAccountId: actor.accountId }
  await ctx.transaction(async (tx) => {
    await lockPair(tx, pair)
    for (const gone of await deleteFollows(tx, [pair])) await tx.emit({ type: 'follow.rejected', ...gone })
  })
}
