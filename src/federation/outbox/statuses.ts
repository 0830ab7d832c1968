// What other servers are told of local statuses.
import type { Ctx } from '#ports/ctx.ts'
import { findPollStatusId, loadNamedStatuses, loadParties } from '#domain/exchange/outbound.ts'
import { listPollInboxes, listStatusInboxes } from '#domain/exchange/recipients.ts'
import { actorUri } from '#domain/instance/urls.ts'
import { loadNotes, type NoteFacts } from '#domain/statuses/load-notes.ts'
import type { StatusVisibility } from '#domain/statuses/visibility.ts'
import type { Id } from '#lib/id.ts'
import { addressed } from '../objects/audience.ts'
import { toNoteDelete, toNoteUpdate, toUndo } from '../objects/activities.ts'
import { toActivity } from '../objects/to-activity.ts'
import { followersUri } from '../objects/to-note.ts'
import { publish, type Publication } from './publish.ts'

/** What is open to all proves where it comes from, and relays pass on what is public. */
function withReach(visibility: StatusVisibility): Pick<Publication, 'reach'> {
  if (visibility === 'public') return { reach: 'relayed' }
  return visibility === 'unlisted' ? { reach: 'open' } : {}
}

/** A local status that may leave this server, with what it needs; null otherwise. */
async function findPublic(ctx: Ctx, statusId: Id): Promise<NoteFacts | null> {
  const note = (await loadNotes(ctx, [statusId])).get(statusId)
  return !note || note.localOnly || note.reblogOf?.localOnly ? null : note
}

/** Create, or Announce of a boost. Their own private statuses, which nobody could fetch, go along with boosts. */
export async function deliverNew(ctx: Ctx, statusId: Id): Promise<void> {
  const note = await findPublic(ctx, statusId)
  if (!note) return
  const of = note.reblogOf?.ownPrivate ? note.reblogOf.id : null
  const original = of === null ? undefined : (await loadNotes(ctx, [of])).get(of)
  await publish(ctx, {
    senderId: note.accountId,
    activity: toActivity(ctx.config, note, ctx.clock.now(), original),
    inboxes: await listStatusInboxes(ctx, statusId, { everybody: false }),
    ...withReach(note.visibility),
    synchronise: note.visibility === 'private',
  })
}

/** Update of a Note or Question, to all whom it has reached. `at`: when it became what it is, if not by an edit. */
export async function deliverChanged(ctx: Ctx, statusId: Id, at?: number): Promise<void> {
  const note = await findPublic(ctx, statusId)
  if (!note || note.reblogOf) return
  const now = ctx.clock.now()
  await publish(ctx, {
    senderId: note.accountId,
    activity: toNoteUpdate(ctx.config, note, { at: at ?? note.editedAt?.getTime() ?? now, now }),
    inboxes: await listStatusInboxes(ctx, statusId, { everybody: true }),
    ...withReach(note.visibility),
  })
}

/** Update of a Question with its results, to those who voted and those who may see it. */
export async function deliverResults(ctx: Ctx, pollId: Id): Promise<void> {
  const statusId = await findPollStatusId(ctx, pollId)
  const note = statusId === null ? null : await findPublic(ctx, statusId)
  if (!note) return
  const now = ctx.clock.now()
  await publish(ctx, {
    senderId: note.accountId,
    activity: toNoteUpdate(ctx.config, note, { at: now, now }),
    inboxes: await listPollInboxes(ctx, pollId),
    ...withReach(note.visibility === 'public' ? 'unlisted' : note.visibility),
  })
}

/** Delete with a Tombstone to all whom a status has reached, or Undo of an Announce. */
export async function deliverDeleted(ctx: Ctx, statusId: Id): Promise<void> {
  const status = (await loadNamedStatuses(ctx, [statusId])).get(statusId)
  if (!status?.local || !status.deleted || status.localOnly) return
  if (status.reblogOfId !== null) return deliverUnboosted(ctx, statusId)
  await publish(ctx, {
    senderId: status.authorId,
    activity: toNoteDelete(status.authorUri, status.uri),
    inboxes: await listStatusInboxes(ctx, statusId, { everybody: true }),
    ...withReach(status.visibility),
  })
}

/** Also when what was boosted is gone: those who got it by the boost alone hear of it in no other way. */
async function deliverUnboosted(ctx: Ctx, statusId: Id): Promise<void> {
  const boost = (await loadNamedStatuses(ctx, [statusId])).get(statusId)
  const of = boost?.reblogOfId
  const original = of ? (await loadNamedStatuses(ctx, [of])).get(of) : undefined
  const author = boost && (await loadParties(ctx, [boost.authorId])).get(boost.authorId)
  if (!boost || !author || !original || original.localOnly) return
  const actor = actorUri(ctx.config, author.username)
  const { to, cc } = addressed(boost.visibility, followersUri(ctx.config, author.username), [])
  const announce = { type: 'Announce', actor, to, cc: [original.authorUri, ...cc], object: original.uri }
  const undo = toUndo({ id: `${boost.uri}/activity`, ...announce })
  await publish(ctx, {
    senderId: boost.authorId,
    activity: { ...undo, id: `${actor}#announces/${boost.id}/undo` },
    inboxes: await listStatusInboxes(ctx, statusId, { everybody: false }),
    ...withReach(boost.visibility),
  })
}
