// One notification on its way to one subscription: a job of its own, so that a dead endpoint holds up no other one.
import { createHash } from 'node:crypto'
import type { Ctx } from '#ports/ctx.ts'
import type { PushOutcome } from '#ports/push.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { getNotification } from '#domain/reading/notifications/queries.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { findAddressee, pushLifetime, type Addressee } from '#domain/reading/push/addressees.ts'
import { dropPushSubscription } from '#domain/reading/push/subscriptions.ts'
import { isAppError } from '#lib/errors.ts'
import { writePushMessage } from '#views/push/message.ts'
import type { AccountId, NotificationId, WebPushSubscriptionId } from '#lib/id.ts'

export interface PushJob {
  subscriptionId: WebPushSubscriptionId
  notificationId: NotificationId
  /** How often it was sent in vain. */
  failures: number
}

/** Who may keep us waiting. */
interface Destination {
  host: string
  accountId: AccountId
}

/** Of the few jobs that run at a time, these leave room for others: endpoints may keep us waiting. */
const queues = 4n
/** Tries after the first one. The last comes some six hours after it. */
const maxRetries = 6
const firstDelay = 15_000
/**
 * A host that has not answered so often within so many seconds is left alone for the rest of them; and so is an account,
 * whose subscriptions may name ever other hosts. One host alone does not hold back what its account gets elsewhere.
 */
const patience = { ofHost: 3, ofAccount: 4, seconds: 60 }

/** Queues the first attempt. Again while it waits is fine. */
export async function queuePush(ctx: Ctx, push: Omit<PushJob, 'failures'>): Promise<void> {
  await queue(ctx, { ...push, failures: 0 })
}

async function queue(ctx: Ctx, job: PushJob, runAt?: Date): Promise<void> {
  await ctx.jobs.add('deliver-push', job, {
    key: `push:${job.notificationId}:${job.subscriptionId}`,
    queue: `push-${(BigInt(job.subscriptionId) >> 16n) % queues}`,
    ...(runAt && { runAt }),
  })
}

/** Sends it, unless it is not wanted any more, and sees to what the push service says. */
export async function deliverPush(ctx: Ctx, job: PushJob): Promise<void> {
  const to = await findAddressee(ctx, job)
  const payload = to && (await writeTo(ctx, to, job.notificationId))
  if (!payload) return
  const destination = { host: new URL(to.endpoint).host, accountId: to.accountId }
  if (await isTired(ctx, destination)) return later(ctx, job, ctx.clock.now() + patience.seconds * 1000)
  const outcome = await ctx.push.send({
    ...to,
    payload,
    ttl: pushLifetime / 1000,
    contact: await contactOf(ctx),
    topic: topicOf(to, job.notificationId),
  })
  await settle(ctx, job, outcome, destination)
}

/** The message, when they can still use their account and see the notification. */
async function writeTo(
  ctx: Ctx,
  { accountId, token }: Addressee,
  id: NotificationId,
): Promise<string | null> {
  const viewer = await findViewer(ctx, accountId)
  if (!viewer || viewer.refusal) return null
  const row = await getNotification(ctx, viewer, id).catch((error: unknown) => {
    if (isAppError(error, 'not_found')) return null
    throw error
  })
  return row && writePushMessage(ctx, viewer, row, token)
}

async function contactOf(ctx: Ctx): Promise<string> {
  const { site_contact_email: email } = await getSettings(ctx)
  if (email !== '') return `mailto:${email}`
  return ctx.config.https ? ctx.config.baseUrl : `mailto:postmaster@${ctx.config.localDomain}`
}

/** One sent twice takes its own place; what it is about is known to the recipient alone. */
function topicOf({ keys }: Addressee, id: NotificationId): string {
  return createHash('sha256').update(`${keys.auth} ${id}`).digest('base64url').slice(0, 32)
}

async function settle(ctx: Ctx, job: PushJob, outcome: PushOutcome, to: Destination): Promise<void> {
  if (outcome.result === 'delivered') return
  const { subscriptionId } = job
  ctx.log.debug({ host: to.host, subscriptionId, ...outcome }, 'a push message was not taken')
  if (outcome.result === 'too-large') return
  if (outcome.result === 'gone') return dropPushSubscription(ctx, subscriptionId)
  if (job.failures >= maxRetries) {
    if (outcome.result === 'refused') await dropPushSubscription(ctx, subscriptionId)
    return
  }
  if (outcome.result === 'silent' && outcome.slow) {
    await countTimeouts(ctx, hostKey(to.host), 1)
    await countTimeouts(ctx, accountKey(to.accountId), 1)
  }
  const earliest = outcome.result === 'again' ? (outcome.restUntil ?? 0) : 0
  const delay = firstDelay * 4 ** job.failures * (1 + Math.random() / 2)
  await later(ctx, { ...job, failures: job.failures + 1 }, Math.max(earliest, ctx.clock.now() + delay))
}

/** Whoever is to wait longer than anybody wants to hear of it, is not asked again. */
async function later(ctx: Ctx, job: PushJob, time: number): Promise<void> {
  if (time < ctx.clock.now() + pushLifetime) await queue(ctx, job, new Date(time))
}

const hostKey = (host: string) => `push-timeouts:${host}`
const accountKey = (accountId: AccountId) => `push-timeouts-of:${accountId}`

const isTired = async (ctx: Ctx, { host, accountId }: Destination) =>
  (await countTimeouts(ctx, hostKey(host), 0)) >= patience.ofHost ||
  (await countTimeouts(ctx, accountKey(accountId), 0)) >= patience.ofAccount

/** Without the store nothing is known, and nobody is left alone. */
function countTimeouts(ctx: Ctx, key: string, by: number): Promise<number> {
  return ctx.kv.increment(key, by, patience.seconds).catch(() => 0)
}
