// Follows and blocks between local accounts and those of other servers.
import type { Ctx } from '#ports/ctx.ts'
import {
  findRelation,
  listTies,
  loadParties,
  type Party,
  type Tie,
} from '#domain/federation/queue/federated-facts.ts'
import type { Pair } from '#domain/social/relationships/rows.ts'
import { toBlock, toFollow, toFollowAnswer, toUndo, type Between } from '../objects/activities.ts'
import { publish } from './publish.ts'
import type { JsonObject } from '../kit/json.ts'
import type { AccountId, IdCursor } from '#lib/id.ts'

/** `uri`: the activity that began it. */
type Told = Pair & { uri?: string | null }

/** Both sides, when the acting one is of this server and the other one elsewhere. */
interface Sides {
  sender: Party
  inboxUrl: string
  between: Between
}

/** `by`: who acts, the source of the pair or its target. */
async function findSides(ctx: Ctx, pair: Pair, by: 'source' | 'target'): Promise<Sides | null> {
  const parties = await loadParties(ctx, [pair.accountId, pair.targetAccountId])
  const [source, target] = [parties.get(pair.accountId), parties.get(pair.targetAccountId)]
  const [sender, other] = by === 'source' ? [source, target] : [target, source]
  if (!sender || sender.domain !== null || !other || other.domain === null || other.inboxUrl === null)
    return null
  return { sender, inboxUrl: other.inboxUrl, between: { actor: sender.uri, other: other.uri } }
}

const send = (ctx: Ctx, { sender, inboxUrl }: Sides, activity: JsonObject) =>
  publish(ctx, { senderId: sender.id, activity, inboxes: [inboxUrl] })

/**
 * As `send`, for what ends something between the two: also when this server has broken off with the other one, which
 * would believe in it for ever, and also when that block comes while it waits.
 */
const sendSevering = (ctx: Ctx, { sender, inboxUrl }: Sides, activity: JsonObject) =>
  publish(ctx, { senderId: sender.id, activity, inboxes: [inboxUrl], severing: true })

/** Before follows had ids of their own. */
const oldId = ({ sender }: Sides, kind: string, pair: Pair) => `${sender.uri}#${kind}/${pair.targetAccountId}`

/** What has been taken back meanwhile is not told any more, though there may be another one by now. */
const isStill = (row: { uri: string | null }, { uri }: Told) => uri === undefined || row.uri === uri

/** Follow, while it is still wanted. */
export async function deliverFollow(ctx: Ctx, pair: Told): Promise<void> {
  const sides = await findSides(ctx, pair, 'source')
  if (!sides) return
  const row = (await findRelation(ctx, 'follow_requests', pair)) ?? (await findRelation(ctx, 'follows', pair))
  if (row && isStill(row, pair))
    await send(ctx, sides, toFollow(sides.between, row.uri ?? oldId(sides, 'follows', pair)))
}

/** Undo of the Follow with this id. */
export async function deliverUnfollow(ctx: Ctx, pair: Told): Promise<void> {
  const sides = await findSides(ctx, pair, 'source')
  if (!sides) return
  await sendSevering(ctx, sides, toUndo(toFollow(sides.between, pair.uri ?? oldId(sides, 'follows', pair))))
}

/** Accept, while they follow. */
export async function deliverAccept(ctx: Ctx, pair: Pair): Promise<void> {
  const sides = await findSides(ctx, pair, 'target')
  const row = sides && (await findRelation(ctx, 'follows', pair))
  if (row) await send(ctx, sides, toFollowAnswer('Accept', sides.between, row.uri))
}

/** Reject of a follow or a request that was there. */
export async function deliverReject(ctx: Ctx, pair: Told): Promise<void> {
  const sides = await findSides(ctx, pair, 'target')
  if (sides) await sendSevering(ctx, sides, toFollowAnswer('Reject', sides.between, pair.uri ?? null))
}

/** Block, while it holds. */
export async function deliverBlock(ctx: Ctx, pair: Told): Promise<void> {
  const sides = await findSides(ctx, pair, 'source')
  const row = sides && (await findRelation(ctx, 'blocks', pair))
  if (row && isStill(row, pair))
    await send(ctx, sides, toBlock(sides.between, row.uri ?? oldId(sides, 'blocks', pair)))
}

/** Undo of the Block with this id. */
export async function deliverUnblock(ctx: Ctx, pair: Told): Promise<void> {
  const sides = await findSides(ctx, pair, 'source')
  if (!sides) return
  await sendSevering(ctx, sides, toUndo(toBlock(sides.between, pair.uri ?? oldId(sides, 'blocks', pair))))
}

/**
 * Tells the server of an account that is about to be forgotten here, or has been deleted by staff, that whatever there
 * was between it and people here is over. Safe to run again.
 */
export async function deliverLeave(ctx: Ctx, accountId: AccountId): Promise<void> {
  const other = (await loadParties(ctx, [accountId], { withDeleted: true })).get(accountId)
  if (!other || other.domain === null || other.inboxUrl === null) return
  const to = { uri: other.uri, inboxUrl: other.inboxUrl }
  for (let after: IdCursor = '0'; ;) {
    const ties = await listTies(ctx, accountId, after)
    for (const tie of ties) await deliverEnd(ctx, tie, to)
    if (!ties.at(-1)) return
    after = (ties.at(-1) as Tie).id
  }
}

async function deliverEnd(ctx: Ctx, tie: Tie, to: { uri: string; inboxUrl: string }): Promise<void> {
  const sender = (await loadParties(ctx, [tie.ourId])).get(tie.ourId)
  if (sender?.domain !== null) return
  const sides = { sender, inboxUrl: to.inboxUrl, between: { actor: sender.uri, other: to.uri } }
  await sendSevering(ctx, sides, toEnd(sides, tie))
}

function toEnd(sides: Sides, { kind, uri, theirId }: Tie): JsonObject {
  const pair = { accountId: sides.sender.id, targetAccountId: theirId }
  if (kind === 'follower') return toFollowAnswer('Reject', sides.between, uri)
  if (kind === 'block') return toUndo(toBlock(sides.between, uri ?? oldId(sides, 'blocks', pair)))
  return toUndo(toFollow(sides.between, uri ?? oldId(sides, 'follows', pair)))
}
