// What a peer on Fedify does about an activity that came with a valid signature of its actor.
import type { InboxContext } from '@fedify/fedify'
import {
  Accept,
  Create,
  Follow,
  Note,
  Question,
  Reject,
  Undo,
  type Activity,
  type Actor,
} from '@fedify/fedify/vocab'
import type { ActorState, Follower, PeerContext, PeerState } from './state.ts'

export async function onActivity(ctx: InboxContext<PeerState>, activity: Activity): Promise<void> {
  ctx.data.received.push({ activity, inbox: ctx.recipient })
  if (activity instanceof Follow) await onFollow(ctx, activity)
  if (activity instanceof Accept || activity instanceof Reject) await onAnswer(ctx, activity)
  if (activity instanceof Undo) await onUndo(ctx, activity)
  if (activity instanceof Create) await onCreate(ctx, activity)
}

async function onFollow(ctx: InboxContext<PeerState>, follow: Follow): Promise<void> {
  const target = localActor(ctx, follow.objectId)
  const actor = await follow.getActor(ctx)
  if (!target || !actor?.id || !follow.id) throw new Error('a Follow without actor, object or id')
  const follower: Follower = {
    id: actor.id,
    inboxId: actor.inboxId,
    endpoints: actor.endpoints,
    follow: follow.id,
  }
  if (target.locked) target.requests.set(actor.id.href, follower)
  else await acceptFollow(ctx, target, follower)
}

/** Makes somebody a follower, and tells. */
export async function acceptFollow(ctx: PeerContext, target: ActorState, follower: Follower): Promise<void> {
  target.requests.delete(follower.id.href)
  target.followers.set(follower.id.href, follower)
  await answerFollow(ctx, Accept, { target, follower })
}

/** Sends an Accept or a Reject of a Follow. */
export async function answerFollow(
  ctx: PeerContext,
  Answer: typeof Accept | typeof Reject,
  { target, follower }: { target: ActorState; follower: Follower },
): Promise<void> {
  const me = ctx.getActorUri(target.name)
  const answer = new Answer({
    id: new URL(`#answers/${crypto.randomUUID()}`, me),
    actor: me,
    object: new Follow({ id: follower.follow, actor: follower.id, object: me }),
  })
  await ctx.sendActivity({ identifier: target.name }, follower, answer)
}

async function onAnswer(ctx: InboxContext<PeerState>, answer: Accept | Reject): Promise<void> {
  const follow = await answer.getObject({ ...ctx, crossOrigin: 'trust' })
  if (!(follow instanceof Follow)) return
  const me = localActor(ctx, follow.actorId)
  const other = answer.actorId?.href
  if (!me || !other || follow.objectId?.href !== other) throw new Error('an answer to no Follow of ours')
  if (answer instanceof Accept) me.following.add(other)
  else {
    me.following.delete(other)
    me.rejectedBy.add(other)
  }
}

async function onUndo(ctx: InboxContext<PeerState>, undo: Undo): Promise<void> {
  const undone = await undo.getObject(ctx)
  if (!(undone instanceof Follow) || !undo.actorId) return
  const target = localActor(ctx, undone.objectId)
  target?.followers.delete(undo.actorId.href)
  target?.requests.delete(undo.actorId.href)
}

/** A note with a name that answers a Question is a vote. */
async function onCreate(ctx: InboxContext<PeerState>, create: Create): Promise<void> {
  const note = await create.getObject(ctx)
  const poll = ctx.data.published.get((note instanceof Note && note.replyTargetId?.href) || '')
  if (!(poll?.object instanceof Question) || note?.name == null || !create.actorId) return
  const voters = poll.votes.get(String(note.name))
  if (!voters) throw new Error(`a vote for ${note.name}, which is no option`)
  voters.add(create.actorId.href)
}

function localActor(ctx: PeerContext, uri: URL | null): ActorState | undefined {
  const parsed = ctx.parseUri(uri)
  return parsed?.type === 'actor' ? ctx.data.actors.get(parsed.identifier) : undefined
}

/** An actor of another server. Throws when it cannot be read. */
export async function lookUpActor(ctx: PeerContext, reader: string, uri: string | URL): Promise<Actor> {
  const documentLoader = await ctx.getDocumentLoader({ identifier: reader })
  const found = await ctx.lookupObject(uri, { documentLoader })
  if (!found || !('preferredUsername' in found)) throw new Error(`${String(uri)} is no actor`)
  return found as Actor
}
