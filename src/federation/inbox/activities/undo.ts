import { findDoneByUri, type Done } from '#domain/federation/queue/find-done.ts'
import { unblockAccount } from '#domain/social/relationships/block.ts'
import { unfollowAccount } from '#domain/social/relationships/follow.ts'
import { removeReblog } from '#domain/content/statuses/remote/save-remote-reblog.ts'
import { unfavouriteStatus } from '#domain/content/statuses/interactions/favourite.ts'
import { removeRemoteReaction } from '#domain/content/statuses/interactions/reactions.ts'
import type { Ctx } from '#ports/ctx.ts'
import { isSameHost, toId, toObject, typeOf, type JsonObject } from '#federation/kit/json.ts'
import { findAnsweredRequest } from '../kit/find-answered-request.ts'
import type { Handler, Incoming, Outcome } from '../kit/handler.ts'
import { findKnownStatus, findLocalActor, findLocalStatus } from '../kit/local.ts'
import { readReaction } from './reaction.ts'
import { refuseFollower } from './reject.ts'
import { recordEnded, recordUndone } from '../kit/find-undone-activity.ts'

/** Takes back what the actor did before, or what has not arrived yet. It may be embedded or given by its id alone. */
export const onUndo: Handler = async (ctx, incoming) => {
  const { actor, json } = incoming
  const undone = toObject(json['object'])
  const uri = toId(json['object'])
  const doer = toId(undone?.['actor'])
  if (doer !== null && doer !== actor.uri) return 'ignored'
  // First: if it arrives at the same time, it is either seen here, or sees this.
  if (uri !== null && isSameHost(uri, actor.uri)) await recordUndone(ctx, actor, uri)
  const done = uri === null ? null : await findDoneByUri(ctx, actor.id, uri)
  if (uri !== null && done) return undo(ctx, incoming, done, uri)
  const described = undone && ways.get(typeOf(undone))
  return described ? described(ctx, incoming, undone) : 'ignored'
}

async function undo(ctx: Ctx, incoming: Incoming, done: Done, uri: string): Promise<Outcome> {
  const by = { accountId: incoming.actor.id }
  if (done.kind === 'favourite') await unfavouriteStatus(ctx, by, done.id)
  else if (done.kind === 'reaction') await removeRemoteReaction(ctx, by, { reactionId: done.id })
  else if (done.kind === 'reblog') await removeReblog(ctx, by, { reblogId: done.id })
  else if (done.kind === 'follow') {
    await unfollowAccount(ctx, by, done.id)
    await recordEnded(ctx, incoming, uri)
  } else await unblockAccount(ctx, by, done.id)
  return 'done'
}

type Way = (ctx: Ctx, incoming: Incoming, undone: JsonObject) => Promise<Outcome>

/** By what it was done to: not everybody gives what they do an id, or the same one again. */
const ways: ReadonlyMap<string, Way> = new Map([
  ['Like', undoLike],
  ['EmojiReact', undoLike],
  ['Follow', undoFollow],
  ['Block', undoBlock],
  ['Announce', undoAnnounce],
  ['Accept', undoAccept],
])

async function undoLike(ctx: Ctx, { actor }: Incoming, undone: JsonObject): Promise<Outcome> {
  const status = await findLocalStatus(ctx, toId(undone['object']))
  if (!status) return 'ignored'
  const by = { accountId: actor.id }
  const reaction = readReaction(undone)
  const domain = reaction?.unicode === false ? actor.domain : null
  const which = reaction && { statusId: status.id, name: reaction.name, domain }
  if (which && (await removeRemoteReaction(ctx, by, which))) return 'done'
  if (typeOf(undone) === 'EmojiReact') return 'ignored'
  await unfavouriteStatus(ctx, by, status.id)
  return 'done'
}

async function undoFollow(ctx: Ctx, { actor }: Incoming, undone: JsonObject): Promise<Outcome> {
  const target = await findLocalActor(ctx, toId(undone['object']))
  if (!target) return 'ignored'
  await unfollowAccount(ctx, { accountId: actor.id }, target.id)
  return 'done'
}

async function undoBlock(ctx: Ctx, { actor }: Incoming, undone: JsonObject): Promise<Outcome> {
  const target = await findLocalActor(ctx, toId(undone['object']))
  if (!target) return 'ignored'
  await unblockAccount(ctx, { accountId: actor.id }, target.id)
  return 'done'
}

async function undoAnnounce(ctx: Ctx, { actor }: Incoming, undone: JsonObject): Promise<Outcome> {
  const uri = toId(undone['object'])
  const original = uri === null ? null : await findKnownStatus(ctx, uri)
  if (!original) return 'ignored'
  return (await removeReblog(ctx, { accountId: actor.id }, { originalId: original.id })) ? 'done' : 'ignored'
}

/** Somebody is no longer to follow the actor. */
async function undoAccept(ctx: Ctx, incoming: Incoming, undone: JsonObject): Promise<Outcome> {
  const answered = await findAnsweredRequest(ctx, { ...incoming, json: undone })
  if (answered?.kind !== 'follow') return 'ignored'
  await refuseFollower(ctx, incoming.actor.id, answered.followerId)
  return 'done'
}
