import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { requestSource } from './requests.ts'
import type { AccountId } from '#lib/id.ts'

/** What becomes of a notification: it is shown, set aside, or never made. */
export const policyValues = ['accept', 'filter', 'drop'] as const
export type PolicyValue = (typeof policyValues)[number]

/** From whom somebody wants notifications. */
export interface NotificationPolicy {
  for_not_following: PolicyValue
  for_not_followers: PolicyValue
  for_new_accounts: PolicyValue
  for_private_mentions: PolicyValue
  for_limited_accounts: PolicyValue
  for_bots: PolicyValue
}

export type PolicyRule = keyof NotificationPolicy

const defaultPolicy: Readonly<NotificationPolicy> = {
  for_not_following: 'accept',
  for_not_followers: 'accept',
  for_new_accounts: 'accept',
  for_private_mentions: 'filter',
  for_limited_accounts: 'filter',
  for_bots: 'accept',
}

const rules = Object.keys(defaultPolicy) as PolicyRule[]

/** The account's policy; who never changed it has the default one. */
export async function findPolicy(reader: Reader, accountId: AccountId): Promise<NotificationPolicy> {
  const row = await reader.db
    .selectFrom('notification_policies')
    .select(rules)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return (row as NotificationPolicy | undefined) ?? { ...defaultPolicy }
}

/** Changes those rules that are given. It holds for what comes: what is there stays shown or set aside. */
export async function updatePolicy(
  ctx: Ctx,
  viewer: Viewer,
  changes: Readonly<Partial<Record<PolicyRule, PolicyValue | undefined>>>,
): Promise<NotificationPolicy> {
  const given = Object.fromEntries(
    rules.flatMap((rule) => (changes[rule] === undefined ? [] : [[rule, changes[rule]]])),
  )
  if (Object.keys(given).length > 0) {
    await ctx.db
      .insertInto('notification_policies')
      .values({ account_id: viewer.accountId, ...given })
      .onConflict((on) => on.column('account_id').doUpdateSet(given))
      .execute()
  }
  return findPolicy(ctx, viewer.accountId)
}

/** How much is set aside. Neither is counted further than `maxCounted`. */
export interface PolicySummary {
  pending_requests_count: number
  pending_notifications_count: number
}

const maxCounted = 100

/** How many requests and notifications wait for the account's decision. */
export async function countPending(reader: Reader, accountId: AccountId): Promise<PolicySummary> {
  const { rows } = await sql<PolicySummary>`
    with pending as materialized (
      select w.notifications_count ${requestSource(reader, accountId)} order by r.id desc limit ${maxCounted})
    select count(*)::int as pending_requests_count,
      least(coalesce(sum(notifications_count), 0), ${maxCounted})::int as pending_notifications_count
    from pending`.execute(reader.db)
  return rows[0] ?? { pending_requests_count: 0, pending_notifications_count: 0 }
}
