// What other servers are told of local statuses.
import type { Ctx } from '#ports/ctx.ts'
import { findPollStatusId, type NamedStatus } from '#domain/federation/queue/federated-facts.ts'
import { listStatusInboxes } from '#domain/federation/queue/recipients.ts'
import { listAcceptedRelays } from '#domain/federation/relays/relays.ts'
import { loadNotes, type NoteFacts } from '#domain/content/statuses/load-note-data.ts'
import type { StatusVisibility } from '#domain/content/statuses/visibility.ts'
import { addressed } from '../objects/audience.ts'
import { toNoteDelete, toNoteUpdate, toUndo } from '../objects/activities.ts'
import { toActivity } from '../objects/to-activity.ts'
import { findNamed } from './find-named.ts'
import { publish, type Publication } from './publish.ts'
import type { PollId, StatusId } from '#lib/id.ts'

/** What is open to all proves where it comes from, and relays pass on what is public. */
function withReach(visibility: StatusVisibility): Pick<Publication, 'reach'> {
  if (visibility === 'public') return { reach: 'relayed' }
  return visibility === 'unlisted' ? { reach: 'open' } : {}
}

/** A local status that may leave this server, with what it needs; null otherwise. Nobody hears of suspended people. */
async function findPublic(ctx: Ctx, statusId: StatusId): Promise<NoteFacts | null> {
  const note = (await loadNotes(ctx, [statusId])).get(statusId)
  return !note || note.suspended || note.localOnly || note.reblogOf?.localOnly ? null : note
}

/**
 * Create, or Announce of a boost. Their own private statuses, which nobody could fetch, go along with boosts. What
 * nobody elsewhere gets is not put together.
 */
export async function deliverNew(ctx: Ctx, statusId: StatusId): Promise<void> {
  const inboxes = await listStatusInboxes(ctx, statusId, 'new')
  if (inboxes.length === 0 && (await listAcceptedRelays(ctx)).length === 0) return
  const note = await findPublic(ctx, statusId)
  if (!note) return
  const of = note.reblogOf?.ownPrivate ? note.reblogOf.id : null
  const original = of === null ? undefined : (await loadNotes(ctx, [of])).get(of)
  await publish(ctx, {
    senderId: note.accountId,
    activity: toActivity(ctx.config, note, ctx.clock.now(), original),
    inboxes,
    ...withReach(note.visibility),
    synchronise: note.visibility === 'private',
  })
}

/** Update of a Note or Question, to all whom it has reached. `at`: when it became what it is, if not by an edit. */
export async function deliverChanged(ctx: Ctx, statusId: StatusId, at?: number): Promise<void> {
  const note = await findPublic(ctx, statusId)
  if (!note || note.reblogOf) return
  const now = ctx.clock.now()
  await publish(ctx, {
    senderId: note.accountId,
    activity: toNoteUpdate(ctx.config, note, { at: at ?? note.editedAt?.getTime() ?? now, now }),
    inboxes: await listStatusInboxes(ctx, statusId, 'changed'),
    ...withReach(note.visibility),
  })
}

/** Update of a Question with its results, to all whom it has reached but relays. */
export async function deliverResults(ctx: Ctx, pollId: PollId): Promise<void> {
  const statusId = await findPollStatusId(ctx, pollId)
  const note = statusId === null ? null : await findPublic(ctx, statusId)
  if (!note) return
  const now = ctx.clock.now()
  await publish(ctx, {
    senderId: note.accountId,
    activity: toNoteUpdate(ctx.config, note, { at: now, now }),
    inboxes: await listStatusInboxes(ctx, note.id, 'changed'),
    ...withReach(note.visibility === 'public' ? 'unlisted' : note.visibility),
  })
}

/**
 * Delete with a Tombstone to all whom a status has reached, or Undo of an Announce. Of an account that is gone its own
 * Delete says all.
 */
export async function deliverDeleted(ctx: Ctx, statusId: StatusId): Promise<void> {
  const status = await findNamed(ctx, statusId)
  if (!status?.local || !status.deleted || status.localOnly || status.authorGone) return
  if (status.reblogOfId !== null) return deliverUnboosted(ctx, status)
  await publish(ctx, {
    senderId: status.authorId,
    activity: toNoteDelete(status.authorUri, status.uri),
    inboxes: await listStatusInboxes(ctx, statusId, 'gone'),
    ...withReach(status.visibility),
  })
}

/** Also when what was boosted is gone: those who got it by the boost alone hear of it in no other way. */
async function deliverUnboosted(ctx: Ctx, boost: NamedStatus): Promise<void> {
  const { authorUri: actor, reblogOfId } = boost
  const original = reblogOfId === null ? null : await findNamed(ctx, reblogOfId)
  if (!original || original.localOnly) return
  const { to, cc } = addressed(boost.visibility, `${actor}/followers`, [])
  const announce = { type: 'Announce', actor, to, cc: [original.authorUri, ...cc], object: original.uri }
  const undo = toUndo({ id: `${boost.uri}/activity`, ...announce })
  await publish(ctx, {
    senderId: boost.authorId,
    activity: { ...undo, id: `${actor}#announces/${boost.id}/undo` },
    inboxes: await listStatusInboxes(ctx, boost.id, 'new'),
    ...withReach(boost.visibility),
  })
}
