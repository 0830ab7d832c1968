// Which subscriptions a notification is pushed to: looked at when it is written, and again before each sending.
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { WebPushSubscriptionsTable } from '#db/schema/push-and-mail.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { groupBy } from '#lib/collections.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { decrypt } from '#lib/encrypt.ts'
import { tokenEncryption } from './subscriptions.ts'
import type { AccountId, NotificationId, WebPushSubscriptionId } from '#lib/id.ts'

/** After this long nobody wants to hear of it any more, in milliseconds. */
export const pushLifetime = 48 * 3_600_000

/** Where and how to send. */
export interface Addressee {
  accountId: AccountId
  endpoint: string
  keys: { p256dh: string; auth: string }
  standard: boolean
  /** The token that subscribed. '' when the server's secret is another one by now. */
  token: string
}

const followed: RawBuilder<boolean> = sql`exists (
  select 1 from follows pf where pf.account_id = n.account_id and pf.target_account_id = n.from_account_id offset 0)`

const follower: RawBuilder<boolean> = sql`exists (
  select 1 from follows pf where pf.account_id = n.from_account_id and pf.target_account_id = n.account_id offset 0)`

/**
 * The condition that the subscription `s` is to get the notification `n`: its kind is on, it comes from one of those
 * that the policy names (news of one's own, such as the end of a poll, come from nobody else), and its token is valid.
 */
function isWanted(reader: Reader): RawBuilder<boolean> {
  const now = reader.clock.now()
  return sql`(s.account_id = n.account_id and not n.filtered and n.created_at > ${new Date(now - pushLifetime)}
    and s.alerts -> n.type = 'true'
    and (case s.policy when 'all' then true when 'none' then false
      else n.from_account_id = n.account_id
        or case s.policy when 'followed' then ${followed} else ${follower} end end)
    and exists (
      select 1 from oauth_tokens t where t.id = s.token_id and t.revoked_at is null
        and (t.expires_at is null or t.expires_at > ${new Date(now)}) offset 0))`
}

/** The ids of the subscriptions that a notification is pushed to. Those asked for together are one query. */
export const listAddressees = createBatchLoader<Reader, NotificationId, WebPushSubscriptionId[]>({
  max: 50,
  async run(reader, notificationIds) {
    const { rows } = await sql<{ notification_id: NotificationId; id: WebPushSubscriptionId }>`
      select n.id as notification_id, s.id
      from notifications n join web_push_subscriptions s on s.account_id = n.account_id
      where n.id = any(${notificationIds}::bigint[]) and ${isWanted(reader)} order by s.id`.execute(reader.db)
    const found = groupBy(rows, (row) => row.notification_id)
    return notificationIds.map((id) => (found.get(id) ?? []).map((row) => row.id))
  },
})

type AddresseeRow = Pick<
  Selectable<WebPushSubscriptionsTable>,
  'account_id' | 'endpoint' | 'key_p256dh' | 'key_auth' | 'standard' | 'token_id' | 'token_sealed'
>

/** Null when this notification is not, or no longer, to be pushed to this subscription. */
export async function findAddressee(
  ctx: Ctx,
  {
    subscriptionId,
    notificationId,
  }: { subscriptionId: WebPushSubscriptionId; notificationId: NotificationId },
): Promise<Addressee | null> {
  const { rows } = await sql<AddresseeRow>`
    select s.account_id, s.endpoint, s.key_p256dh, s.key_auth, s.standard, s.token_id, s.token_sealed
    from web_push_subscriptions s join notifications n on n.account_id = s.account_id
    where s.id = ${subscriptionId} and n.id = ${notificationId} and ${isWanted(ctx)}`.execute(ctx.db)
  const row = rows[0]
  if (!row) return null
  return {
    accountId: row.account_id,
    endpoint: row.endpoint,
    keys: { p256dh: row.key_p256dh, auth: row.key_auth },
    standard: row.standard,
    token: decrypt(row.token_sealed, tokenEncryption(ctx.secrets, row.token_id)) ?? '',
  }
}
