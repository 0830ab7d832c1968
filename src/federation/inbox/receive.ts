// Takes activities in: who sent it is made sure of at once, what it means is dealt with by a worker.
import { createHash } from 'node:crypto'
import type { SignedRequest } from '#ports/activity-pub.ts'
import type { Ctx } from '#ports/ctx.ts'
import { findLocalAccount } from '#domain/identity/accounts/lookup.ts'
import { findKnownActor, type StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import { findGreylistEnd } from '#domain/federation/queue/greylist.ts'
import { insertIncoming, isSuspendedRemotely } from '#domain/federation/queue/incoming.ts'
import { numberOf } from '#domain/federation/queue/tombstones.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { badRequest, forbidden, notFound, unauthorized } from '#lib/errors.ts'
import { hostOf, toId } from '../kit/json.ts'
import { assertRoomFor } from './inbox-quota.ts'
import { isHandled, isHint, mayComeFrom } from './handlers.ts'
import { assertSpokenWith, findSigner, readRequest } from './identify.ts'
import { isRelay, isTrustedForwarder } from './kit/trusted-forwarders.ts'
import { parseActivity, type ReadActivity } from './read-activity.ts'
import { recordSynchronisation, synchronisationHeader } from './synchronise.ts'
import type { AccountId } from '#lib/id.ts'

/** The channel on which a process that took an activity in says so. The table is the truth. */
export const incomingChannel = 'incoming'

/** Takes an activity and answers at once. See `ActivityPub.receive`. */
export async function receiveActivity(
  ctx: Ctx,
  request: SignedRequest,
  username: string | null,
): Promise<void> {
  if (!request.headers.has('signature')) throw unauthorized('inbox_not_signed')
  const signature = readRequest(ctx, request)
  const body = request.body?.toString('utf8') ?? ''
  const activity = parseActivity(body)
  if (!activity) throw badRequest('body_no_activity')
  await assertSpokenWith(ctx, signature)
  const recipientId = username === null ? null : await getRecipient(ctx, username)
  if (await isFromStranger(ctx, activity)) return
  const signer = await findSigner(ctx, signature, request.sender)
  await assertHeard(ctx, signer, activity)
  if (signer.uri === activity.actorUri ? !isHandled(activity.type) : !isHint(activity.type)) return
  await assertRoomFor(ctx, hostOf(signer.uri) as string)
  const dueAt = await findDueTime(ctx, signer)
  if (
    (await insertIncoming(ctx, {
      id: ctx.newId(),
      signerId: signer.id,
      digest: digestOf(signer, activity, recipientId),
      body,
      recipientId,
      signedAt: signature.created,
      dueAt,
      traceparent: ctx.trace.carry(),
      orderingKey: await findOrderingKey(ctx, signer, activity),
    })) &&
    dueAt === null
  )
    ctx.bus.publish(incomingChannel, '')
  await recordSynchronisation(ctx, signer, request.headers.get(synchronisationHeader))
}

/** What comes from a server that was never heard of before waits, if staff want that. Null: it does not. */
async function findDueTime(ctx: Ctx, { uri }: StoredActor): Promise<Date | null> {
  const { greylist_minutes: minutes } = await getSettings(ctx)
  if (minutes === null) return null
  const end = await findGreylistEnd(ctx, { uri, host: hostOf(uri) as string }, minutes)
  return end === null ? null : new Date(end)
}

async function getRecipient(ctx: Ctx, username: string): Promise<AccountId> {
  const account = await findLocalAccount(ctx, username)
  if (!account || account.gone) throw notFound()
  return account.id
}

/**
 * An actor that is not known here was deleted or changed. Its key is not asked for: many servers tell everyone they
 * know of when an account goes, and there is nothing left to ask for then.
 */
async function isFromStranger(ctx: Ctx, { type, actorUri, json }: ReadActivity): Promise<boolean> {
  if ((type !== 'Delete' && type !== 'Update') || toId(json['object']) !== actorUri) return false
  const known = await findKnownActor(ctx, actorUri, hostOf(actorUri) as string)
  return known === null || (known.deleted && type === 'Delete')
}

/** Throws `forbidden` and `unauthorized`. */
async function assertHeard(ctx: Ctx, signer: StoredActor, activity: ReadActivity): Promise<void> {
  if (signer.suspended && !(await isSuspendedRemotely(ctx, signer.id)))
    throw forbidden('account_suspended_here')
  if (!mayComeFrom(signer, activity.type)) throw forbidden('account_suspended')
  // Signatures inside of documents have no authority here: such an activity is at most a hint where to look.
  if (signer.uri !== activity.actorUri && !(await isTrustedForwarder(ctx, signer)))
    throw unauthorized('activity_not_of_signer')
}

/**
 * What a relay and others pass on says where to look, in whatever order: it is dealt with in an order for each thing that
 * it speaks of. Null: in that of the signer.
 */
async function findOrderingKey(
  ctx: Ctx,
  signer: StoredActor,
  activity: ReadActivity,
): Promise<string | null> {
  const isPassedOn =
    signer.uri !== activity.actorUri || (activity.type === 'Announce' && (await isRelay(ctx, signer)))
  const uri = isPassedOn ? toId(activity.json['object']) : null
  return uri === null ? null : numberOf(uri)
}

/** What waits already is not taken twice. To another's inbox it may mean more. */
function digestOf(signer: StoredActor, activity: ReadActivity, recipientId: AccountId | null): Buffer {
  const what = activity.id ?? JSON.stringify(activity.json)
  return createHash('sha256')
    .update(JSON.stringify([signer.id, recipientId, what]))
    .digest()
}
