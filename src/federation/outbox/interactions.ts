// What local people do with statuses of other servers, which only the author is told, and what they pin.
import type { Ctx } from '#ports/ctx.ts'
import {
  findFavouriteId,
  findReaction,
  findTagNames,
  findVotes,
  isPinned,
  loadParties,
  type Party,
  type ReactedWith,
} from '#domain/federation/queue/federated-facts.ts'
import { listFollowerInboxes } from '#domain/federation/queue/recipients.ts'
import { mediaUrl, tagUrl } from '#domain/server/instance/urls.ts'
import { mediaTypeOf } from '#lib/net/content-type.ts'
import { formatTime } from '#lib/time/time.ts'
import type { JsonObject } from '../kit/json.ts'
import {
  toFeatured,
  toLike,
  toReact,
  toReplyRejection,
  toUndo,
  toVote,
  type Target,
} from '../objects/activities.ts'
import { findNamed } from './find-named.ts'
import { publish } from './publish.ts'
import type { AccountId, FavouriteId, PollId, StatusId, StatusReactionId, TagId } from '#lib/id.ts'

interface Deed {
  accountId: AccountId
  statusId: StatusId
}

interface Sides {
  sender: Party
  inboxUrl: string
  target: Target
}

/** Who acts and on what, when the one is of this server and the other one is not. */
async function findSides(ctx: Ctx, { accountId, statusId }: Deed): Promise<Sides | null> {
  const status = await findNamed(ctx, statusId)
  if (!status || status.local) return null
  const parties = await loadParties(ctx, [accountId, status.authorId])
  const [sender, author] = [parties.get(accountId), parties.get(status.authorId)]
  if (sender?.domain !== null || !author?.inboxUrl) return null
  return { sender, inboxUrl: author.inboxUrl, target: status }
}

const send = (ctx: Ctx, { sender, inboxUrl }: Sides, activity: JsonObject) =>
  publish(ctx, { senderId: sender.id, activity, inboxes: [inboxUrl] })

/** Like, while it is there: what was taken back is not told any more, as the next one of the same has its own id. */
export async function deliverLike(ctx: Ctx, deed: Deed & { favouriteId: FavouriteId }): Promise<void> {
  const sides = await findSides(ctx, deed)
  if (!sides || (await findFavouriteId(ctx, deed)) !== deed.favouriteId) return
  await send(ctx, sides, toLike(sides.sender.uri, sides.target, deed.favouriteId))
}

export async function deliverUnlike(ctx: Ctx, deed: Deed & { favouriteId: FavouriteId }): Promise<void> {
  const sides = await findSides(ctx, deed)
  if (sides) await send(ctx, sides, toUndo(toLike(sides.sender.uri, sides.target, deed.favouriteId)))
}

/** EmojiReact, while it is there. */
export async function deliverReaction(
  ctx: Ctx,
  deed: Deed & { reactionId: StatusReactionId },
): Promise<void> {
  const sides = await findSides(ctx, deed)
  const reaction = sides && (await findReaction(ctx, deed.reactionId))
  if (!reaction) return
  const tag = reaction.shortcode === null ? [] : [toReactedEmoji(ctx, reaction)]
  const { reactionId: id } = deed
  await send(
    ctx,
    sides,
    toReact(sides.sender.uri, sides.target, { id, content: toContent(reaction.name), tag }),
  )
}

export async function deliverUnreaction(
  ctx: Ctx,
  deed: Deed & { reactionId: StatusReactionId; name: string },
): Promise<void> {
  const sides = await findSides(ctx, deed)
  if (!sides) return
  const reaction = { id: deed.reactionId, content: toContent(deed.name) }
  await send(ctx, sides, toUndo(toReact(sides.sender.uri, sides.target, reaction)))
}

const toContent = (name: string) => (/^\w+$/.test(name) ? `:${name}:` : name)

/** Another server's emoji keeps its own address. */
function toReactedEmoji({ config }: Ctx, reaction: ReactedWith): JsonObject {
  const { shortcode, uri, imageKey, remoteImageUrl, domain, updatedAt } = reaction
  const url = domain !== null && remoteImageUrl !== null ? remoteImageUrl : mediaUrl(config, imageKey ?? '')
  return {
    id: uri ?? `${config.baseUrl}/emojis/${shortcode}`,
    type: 'Emoji',
    name: `:${shortcode}:`,
    ...(updatedAt && { updated: formatTime(updatedAt) }),
    icon: { type: 'Image', mediaType: mediaTypeOf(url) ?? 'image/png', url },
  }
}

/** The votes of a local account in a poll of another server, each a Create of its own. */
export async function deliverVotes(
  ctx: Ctx,
  { choices, ...ballot }: { pollId: PollId; accountId: AccountId; choices: readonly number[] | undefined },
): Promise<void> {
  const votes = await findVotes(ctx, ballot)
  const sides = votes && (await findSides(ctx, { ...ballot, statusId: votes.statusId }))
  if (!sides) return
  for (const choice of votes.choices) {
    if (choices && !choices.includes(choice.index)) continue
    await send(ctx, sides, toVote(sides.sender.uri, sides.target, { pollId: ballot.pollId, ...choice }))
  }
}

/** Reject of a reply that its author's policy does not allow, to whoever wrote it. */
export async function deliverReplyRejection(
  ctx: Ctx,
  { accountId, statusId, replyUri }: Deed & { replyUri: string },
): Promise<void> {
  const status = await findNamed(ctx, statusId)
  if (!status?.local) return
  const parties = await loadParties(ctx, [accountId, status.authorId])
  const [replier, author] = [parties.get(accountId), parties.get(status.authorId)]
  if (!replier?.inboxUrl || !author) return
  const activity = toReplyRejection({ actor: author.uri, other: replier.uri }, replyUri)
  await publish(ctx, { senderId: author.id, activity, inboxes: [replier.inboxUrl] })
}

/** Add or Remove of what a local account shows on its profile, while that is how it is, to its followers. */
export async function deliverPin(
  ctx: Ctx,
  { accountId, statusId }: Deed,
  type: 'Add' | 'Remove',
): Promise<void> {
  const status = await findNamed(ctx, statusId)
  if (!status?.local || status.localOnly || status.deleted || status.authorId !== accountId) return
  if ((await isPinned(ctx, statusId)) !== (type === 'Add')) return
  await publish(ctx, {
    senderId: accountId,
    activity: toFeatured(type, status.authorUri, { object: status.uri, id: ctx.newId() }),
    inboxes: await listFollowerInboxes(ctx, accountId),
    ...(status.visibility !== 'private' && { reach: 'open' as const }),
  })
}

/** The same of a hashtag. */
export async function deliverFeaturedTag(
  ctx: Ctx,
  { accountId, tagId }: { accountId: AccountId; tagId: TagId },
  type: 'Add' | 'Remove',
): Promise<void> {
  const account = (await loadParties(ctx, [accountId])).get(accountId)
  const tag = await findTagNames(ctx, { accountId, tagId })
  if (account?.domain !== null || tag?.featured !== (type === 'Add')) return
  const object = { type: 'Hashtag', href: tagUrl(ctx.config, tag.name), name: `#${tag.displayName}` }
  await publish(ctx, {
    senderId: accountId,
    activity: toFeatured(type, account.uri, { object, id: ctx.newId() }),
    inboxes: await listFollowerInboxes(ctx, accountId),
    reach: 'open',
  })
}
