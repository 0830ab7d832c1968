// The lists that staff subscribed to.
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { BlockListSubscriptionsTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { readEnteredAddress } from '#domain/server/hosts/entered-address.ts'
import type { Severity } from '#domain/trust/moderation/hosts/host-blocks.ts'
import { describeHosts, type DescribedHost } from './preview.ts'
import { reconcileLists, releaseBlocksOf } from './reconcile.ts'
import type { BlockListSubscriptionId } from '#lib/id.ts'

export interface Subscription extends Pick<
  Selectable<BlockListSubscriptionsTable>,
  'id' | 'title' | 'url' | 'fetched_at' | 'tried_at' | 'error' | 'created_at' | 'updated_at'
> {
  /** What its entries do at most. */
  most_severity: Severity
  /** Whether what it lists is blocked, or only shown. */
  applied: boolean
  /** Whether blocks that it no longer lists are lifted. */
  retract: boolean
  entries_count: number
}

export interface SubscriptionInput {
  title?: string | undefined
  url?: string | undefined
  mostSeverity?: Severity | undefined
  applied?: boolean | undefined
  retract?: boolean | undefined
}

const columns = sql`s.id, s.title, s.url, s.most_severity, s.applied, s.retract, s.fetched_at, s.tried_at, s.error,
  s.created_at, s.updated_at,
  (select count(*)::int from block_list_entries e where e.subscription_id = s.id) as entries_count`

/** All of them, oldest first. */
export async function listSubscriptions(reader: Reader): Promise<Subscription[]> {
  const { rows } = await sql<Subscription>`
    select ${columns} from block_list_subscriptions s order by s.id`.execute(reader.db)
  return rows
}

/** Throws `not_found`. */
export async function getSubscription(reader: Reader, id: BlockListSubscriptionId): Promise<Subscription> {
  const { rows } = await sql<Subscription>`
    select ${columns} from block_list_subscriptions s where s.id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/**
 * Subscribes to a list, which is fetched at once in the background and each day. It is only shown until it is `applied`.
 * Throws `invalid` for a bad address or one that there is already.
 */
export async function createSubscription(
  ctx: Ctx,
  staff: Staff,
  input: SubscriptionInput,
): Promise<Subscription> {
  const url = await readUrl(ctx, input.url)
  const id = ctx.newId<BlockListSubscriptionId>()
  const now = new Date(ctx.clock.now())
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      insert into block_list_subscriptions (id, title, url, most_severity, applied, retract, created_at, updated_at)
      values (${id}, ${titleOf(input, url)}, ${url}, ${input.mostSeverity ?? 'suspend'}, ${input.applied ?? false},
        ${input.retract ?? true}, ${now}, ${now})
      on conflict (url) do nothing returning id`.execute(tx.db)
    if (rows.length === 0) throw invalid('url', 'taken')
    await recordAction(tx, staff, toAction('create', id, url))
    await tx.emit({ type: 'block-list.subscribed', subscriptionId: id })
  })
  return getSubscription(ctx, id)
}

/** Changes what is given, and brings the blocks in line. Throws `not_found` and `invalid`. */
export async function updateSubscription(
  ctx: Ctx,
  staff: Staff,
  id: BlockListSubscriptionId,
  input: SubscriptionInput,
): Promise<Subscription> {
  const url = input.url === undefined ? null : await readUrl(ctx, input.url)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ url: string }>`
      update block_list_subscriptions set title = coalesce(${input.title?.trim().slice(0, 200) ?? null}, title),
        etag = case when ${url}::text is not null and ${url} <> url then null else etag end,
        url = coalesce(${url}, url), most_severity = coalesce(${input.mostSeverity ?? null}, most_severity),
        applied = coalesce(${input.applied ?? null}, applied), retract = coalesce(${input.retract ?? null}, retract),
        updated_at = ${new Date(tx.clock.now())}
      where id = ${id} returning url`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await recordAction(tx, staff, toAction('update', id, rows[0].url))
    if (url !== null) await tx.emit({ type: 'block-list.subscribed', subscriptionId: id })
  })
  await reconcileLists(ctx)
  return getSubscription(ctx, id)
}

/**
 * Ends a subscription. The blocks that it made are lifted where no other list wants them; with `keep` they become the
 * staff's. Throws `not_found`.
 */
export async function deleteSubscription(
  ctx: Ctx,
  staff: Staff,
  id: BlockListSubscriptionId,
  { keep }: { keep: boolean },
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ url: string }>`
      update block_list_subscriptions set applied = false where id = ${id} returning url`.execute(tx.db)
    if (!rows[0]) throw notFound()
    await recordAction(tx, staff, toAction('destroy', id, rows[0].url))
  })
  // What another list names too is that list's from now on.
  await sql`
    update domain_blocks b set subscription_id = o.subscription_id
    from (select e.domain, min(s.id) as subscription_id from block_list_entries e
      join block_list_subscriptions s on s.id = e.subscription_id where s.applied and s.id <> ${id} group by e.domain) o
    where b.subscription_id = ${id} and o.domain = b.domain`.execute(ctx.db)
  await releaseBlocksOf(ctx, id, { keep })
  await sql`delete from block_list_subscriptions where id = ${id}`.execute(ctx.db)
  await reconcileLists(ctx)
}

const rankOf = (severity: RawBuilder<unknown>) =>
  sql`array_position(array['noop', 'silence', 'suspend'], ${severity})`

/** No block of just this name says as much as the list. */
const isUnmet = sql<boolean>`not exists (
  select 1 from domain_blocks b where b.domain = e.domain and ${rankOf(sql`b.severity`)} >= ${rankOf(sql`e.severity`)})`

/** Entries of a list by name, with what is known here of each. Throws `not_found`. */
export async function listEntries(
  reader: Reader,
  id: BlockListSubscriptionId,
  page: { limit: number; offset: number },
  { different = false } = {},
): Promise<DescribedHost[]> {
  await getSubscription(reader, id)
  const { rows } = await sql<{
    domain: string
    severity: Severity
    rejectMedia: boolean
    rejectReports: boolean
    obfuscate: boolean
    publicComment: string
  }>`
    select domain, severity, reject_media as "rejectMedia", reject_reports as "rejectReports", obfuscate,
      public_comment as "publicComment"
    from block_list_entries e where subscription_id = ${id} and (${!different} or ${isUnmet})
    order by domain limit ${page.limit} offset ${page.offset}`.execute(reader.db)
  return describeHosts(reader, rows)
}

const toAction = (action: string, targetId: BlockListSubscriptionId, label: string) => ({
  action,
  targetType: 'block_list_subscription',
  targetId,
  label,
})

const readUrl = async (ctx: Ctx, text: string | undefined) =>
  (await readEnteredAddress(ctx, 'url', text ?? '')).href

const titleOf = (input: SubscriptionInput, url: string) =>
  (input.title?.trim() || new URL(url).host).slice(0, 200)
