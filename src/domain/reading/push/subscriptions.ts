import { sql } from 'kysely'
import type { Ctx, Reader, Secrets } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound, unauthorized } from '#lib/errors.ts'
import { encrypt, type EncryptionKey } from '#lib/encrypt.ts'
import { checkPushInput, type PushInput, type PushPolicy } from './rules.ts'
import type { AccountId, OauthTokenId, WebPushSubscriptionId } from '#lib/id.ts'

/** A subscription as its owner sees it. */
export interface PushSubscription {
  id: WebPushSubscriptionId
  endpoint: string
  standard: boolean
  policy: PushPolicy
  /** By kind; what is missing is off. */
  alerts: Readonly<Record<string, boolean>>
}

/** What is pushed. */
export interface PushChoice {
  policy: PushPolicy
  /** The kinds that are on. */
  alerts: readonly string[]
}

export interface NewPushSubscription extends PushInput, PushChoice {
  standard: boolean
  /** It takes the place of one that has ended: not where its owner ended it. */
  renewed: boolean
  /** The token of the request: its id, and itself. */
  token: { id: OauthTokenId; secret: string }
}

/** Each is a request per notification, so that nobody turns one into thousands; the oldest go. */
const maxPerAccount = 50

const columns = sql`id, endpoint, standard, policy, alerts`

/** With what the token of a subscription is sealed. */
export const tokenEncryption = (secrets: Secrets, tokenId: OauthTokenId): EncryptionKey => ({
  base: secrets.secretKeyBase,
  purpose: 'push token',
  owner: tokenId,
})

/** The subscription of a token. Throws `not_found` when there is none. */
export async function getPushSubscription(reader: Reader, tokenId: OauthTokenId): Promise<PushSubscription> {
  const { rows } = await sql<PushSubscription>`
    select ${columns} from web_push_subscriptions where token_id = ${tokenId}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** A subscription in the list of all of somebody's. */
export interface ListedPushSubscription extends PushSubscription {
  created_at: Date
  /** The application that has it; null for this server's own. */
  application: string | null
  /** The browser of the session to which it belongs, as it calls itself. */
  user_agent: string | null
}

/** All subscriptions of an account that still push, the newest first. There are no more than `maxPerAccount`. */
export async function listPushSubscriptions(
  reader: Reader,
  accountId: AccountId,
): Promise<ListedPushSubscription[]> {
  const { rows } = await sql<ListedPushSubscription>`
    select w.id, w.endpoint, w.standard, w.policy, w.alerts, w.created_at, p.name as application, s.user_agent
    from web_push_subscriptions w
    join oauth_tokens t on t.id = w.token_id and t.revoked_at is null
    left join applications p on p.id = t.application_id
    left join sessions s on s.id = t.session_id
    where w.account_id = ${accountId} order by w.id desc`.execute(reader.db)
  return rows
}

/** Chooses anew what one of somebody's subscriptions pushes. Throws `not_found`, also for those of others. */
export async function changeOwnPushSubscription(
  ctx: Ctx,
  viewer: Viewer,
  id: WebPushSubscriptionId,
  { policy, alerts }: PushChoice,
): Promise<void> {
  const { rows } = await sql`
    update web_push_subscriptions
    set policy = ${policy}, alerts = ${toColumn(alerts)}, updated_at = ${new Date(ctx.clock.now())}
    where id = ${id} and account_id = ${viewer.accountId} returning id`.execute(ctx.db)
  if (rows.length === 0) throw notFound()
}

/** Ends one of somebody's subscriptions. None, and those of others, are no error. */
export async function endOwnPushSubscription(
  ctx: Ctx,
  viewer: Pick<Viewer, 'accountId'>,
  id: WebPushSubscriptionId,
): Promise<void> {
  await sql`
    delete from web_push_subscriptions where id = ${id} and account_id = ${viewer.accountId}`.execute(ctx.db)
}

/**
 * Subscribes; what the token had before goes. Throws `invalid` for an endpoint or a key that cannot be used, and
 * `not_found` for a renewed one where there is nothing to go on with.
 */
export async function createPushSubscription(
  ctx: Ctx,
  viewer: Viewer,
  input: NewPushSubscription,
): Promise<PushSubscription> {
  const { endpoint, p256dh, auth } = checkPushInput(ctx.config, input)
  const { token } = input
  const sealed = encrypt(token.secret, tokenEncryption(ctx.secrets, token.id))
  const now = new Date(ctx.clock.now())
  return ctx.transaction(async (tx) => {
    // It waits for a revocation under way, and comes too late then.
    const { rows: valid } = await sql<{ goes_on: boolean }>`
      select push_lost_at is not null
        or exists (select 1 from web_push_subscriptions w where w.token_id = oauth_tokens.id) as goes_on
      from oauth_tokens where id = ${token.id} and revoked_at is null for update`.execute(tx.db)
    if (!valid[0]) throw unauthorized('token_revoked')
    if (input.renewed && !valid[0].goes_on) throw notFound()
    await forgetLoss(tx, token.id)
    await sql`delete from web_push_subscriptions where token_id = ${token.id}`.execute(tx.db)
    await sql`
      delete from web_push_subscriptions where id = any(array(
        select id from web_push_subscriptions where account_id = ${viewer.accountId}
        order by id desc offset ${maxPerAccount - 1}))`.execute(tx.db)
    const { rows } = await sql<PushSubscription>`
      insert into web_push_subscriptions (id, token_id, account_id, endpoint, key_p256dh, key_auth, token_sealed,
        standard, policy, alerts, created_at, updated_at)
      values (${tx.newId()}, ${token.id}, ${viewer.accountId}, ${endpoint}, ${p256dh}, ${auth}, ${sealed},
        ${input.standard}, ${input.policy}, ${toColumn(input.alerts)}, ${now}, ${now})
      returning ${columns}`.execute(tx.db)
    return rows[0] as PushSubscription
  })
}

/** Chooses anew what is pushed. Throws `not_found` when the token has no subscription. */
export async function updatePushSubscription(
  ctx: Ctx,
  tokenId: OauthTokenId,
  { policy, alerts }: PushChoice,
): Promise<PushSubscription> {
  const { rows } = await sql<PushSubscription>`
    update web_push_subscriptions
    set policy = ${policy}, alerts = ${toColumn(alerts)}, updated_at = ${new Date(ctx.clock.now())}
    where token_id = ${tokenId} returning ${columns}`.execute(ctx.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** Ends the subscription of a token. None is no error. */
export async function deletePushSubscription(ctx: Ctx, tokenId: OauthTokenId): Promise<void> {
  await sql`delete from web_push_subscriptions where token_id = ${tokenId}`.execute(ctx.db)
  await forgetLoss(ctx, tokenId)
}

/** Ends a subscription that the push service no longer knows. Its app may renew it. */
export async function dropPushSubscription(ctx: Ctx, id: WebPushSubscriptionId): Promise<void> {
  await sql`
    with lost as (delete from web_push_subscriptions where id = ${id} returning token_id)
    update oauth_tokens set push_lost_at = ${new Date(ctx.clock.now())}
    from lost where oauth_tokens.id = lost.token_id`.execute(ctx.db)
}

/** There is nothing to go on with any more. */
async function forgetLoss(reader: Reader, tokenId: OauthTokenId): Promise<void> {
  await sql`
    update oauth_tokens set push_lost_at = null where id = ${tokenId} and push_lost_at is not null`.execute(
    reader.db,
  )
}

const toColumn = (alerts: readonly string[]) =>
  sql`${JSON.stringify(Object.fromEntries(alerts.map((kind) => [kind, true])))}::jsonb`
