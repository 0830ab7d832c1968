// What other servers are told of local accounts themselves, and of reports about theirs.
import type { Ctx } from '#ports/ctx.ts'
import { findActor } from '#domain/identity/accounts/load-actor.ts'
import { findAccountState, findForwarded, loadParties } from '#domain/federation/queue/federated-facts.ts'
import { listAccountInboxes, listFlagInboxes, listKnownInboxes } from '#domain/federation/queue/recipients.ts'
import { ensureSigningKeys } from '../signatures/signing-keys.ts'
import { toActorDelete, toActorUpdate, toFlag, toMove } from '../objects/activities.ts'
import { toActor, toUnavailableActor } from '../objects/to-actor.ts'
import { instanceActorUri } from '../kit/uris.ts'
import { publish } from './publish.ts'
import type { AccountId, ReportId } from '#lib/id.ts'

/** Update of the actor to those who know it. Nothing for accounts of other servers. */
export async function deliverProfile(ctx: Ctx, accountId: AccountId): Promise<void> {
  const state = await findAccountState(ctx, accountId)
  const inboxes = state ? await listAccountInboxes(ctx, accountId) : []
  if (!state || inboxes.length === 0) return
  // The keys may be what has changed.
  const [facts, keys] = [
    await findActor(ctx, accountId),
    await ensureSigningKeys(ctx, accountId, { anew: true }),
  ]
  if (!facts) return
  const actor = state.suspended
    ? toUnavailableActor(ctx.config, facts, keys)
    : toActor(ctx.config, facts, keys)
  const activity = toActorUpdate(actor, { uri: keys.actorUri, at: state.changedAt })
  await publish(ctx, { senderId: accountId, activity, inboxes, reach: 'open' })
}

/** Delete of an account that is gone for good, to every server that may have heard of it. */
export async function deliverAccountDelete(ctx: Ctx, accountId: AccountId): Promise<void> {
  const account = (await loadParties(ctx, [accountId])).get(accountId)
  if (account?.domain !== null) return
  const inboxes = await listKnownInboxes(ctx)
  await publish(ctx, { senderId: accountId, activity: toActorDelete(account.uri), inboxes, reach: 'relayed' })
}

/** Move of a local account, after the Update that says where to, to those who may follow it there. */
export async function deliverMove(
  ctx: Ctx,
  { accountId, targetAccountId }: { accountId: AccountId; targetAccountId: AccountId },
): Promise<void> {
  const parties = await loadParties(ctx, [accountId, targetAccountId])
  const [account, target] = [parties.get(accountId), parties.get(targetAccountId)]
  if (account?.domain !== null || !target) return
  await deliverProfile(ctx, accountId)
  const inboxes = await listAccountInboxes(ctx, accountId, { blocked: true })
  await publish(ctx, {
    senderId: accountId,
    activity: toMove(account.uri, target.uri),
    inboxes,
    reach: 'relayed',
  })
}

/** Flag in the name of the server, to the servers to which whoever reports had it forwarded. */
export async function deliverReport(ctx: Ctx, reportId: ReportId): Promise<void> {
  const report = await findForwarded(ctx, reportId)
  if (!report) return
  const { uri, accountUri, statusUris, comment } = report
  const activity = toFlag(instanceActorUri(ctx.config), { id: uri, accountUri, statusUris, comment })
  await publish(ctx, { senderId: null, activity, inboxes: await listFlagInboxes(ctx, reportId) })
}
