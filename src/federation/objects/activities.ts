// Activities of local accounts, but for those that make a status (https://docs.joinmastodon.org/spec/activitypub/).
// All are pure and without `@context`. Ids are the same when the same thing is told again.
import { createHash } from 'node:crypto'
import { actorUri, statusUri } from '#domain/server/instance/urls.ts'
import type { NoteFacts } from '#domain/content/statuses/load-note-data.ts'
import { formatTime } from '#lib/time/time.ts'
import type { Config } from '#ports/ctx.ts'
import type { JsonObject } from '../kit/json.ts'
import { publicAddress } from './audience.ts'
import { noteAudience, toNote } from './to-note.ts'
import type { FavouriteId, PollId } from '#lib/id.ts'

const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 24)

/** What takes an activity back. It goes to those who got it. */
export function toUndo(activity: JsonObject & { id: string; actor: string }): JsonObject {
  const { id, actor, to, cc } = activity
  return {
    id: `${id}${id.includes('#') ? '/' : '#'}undo`,
    type: 'Undo',
    actor,
    ...(to !== undefined && { to }),
    ...(cc !== undefined && { cc }),
    object: activity,
  }
}

/** A status as it is now. `at`: when it became so, in milliseconds. */
export function toNoteUpdate(
  config: Config,
  note: NoteFacts,
  { at, now }: { at: number; now: number },
): JsonObject {
  return {
    id: `${statusUri(config, note.username, note.id)}#updates/${at}`,
    type: 'Update',
    actor: actorUri(config, note.username),
    published: formatTime(at),
    ...noteAudience(config, note),
    object: toNote(config, note, now),
  }
}

export const toNoteDelete = (actor: string, uri: string): JsonObject => ({
  id: `${uri}#delete`,
  type: 'Delete',
  actor,
  to: [publicAddress],
  object: { id: uri, type: 'Tombstone', atomUri: uri },
})

export interface Between {
  /** Who acts. */
  actor: string
  /** The other one. */
  other: string
}

const named = ({ actor, other }: Between, id: string, type: string) => ({ id, type, actor, object: other })

export const toFollow = (between: Between, id: string) => named(between, id, 'Follow')
export const toBlock = (between: Between, id: string) => named(between, id, 'Block')

/** An answer to the `Follow` of `other`. `uri` is its id, where it had one. */
export function toFollowAnswer(
  type: 'Accept' | 'Reject',
  { actor, other }: Between,
  uri: string | null,
): JsonObject {
  return {
    id: `${actor}#${type === 'Accept' ? 'accepts' : 'rejects'}/follows/${short(`${other} ${uri}`)}`,
    type,
    actor,
    to: [other],
    object: { ...(uri !== null && { id: uri }), type: 'Follow', actor: other, object: actor },
  }
}

/** A status that is acted upon, and the account that wrote it. */
export interface Target {
  uri: string
  authorUri: string
}

export const toLike = (actor: string, { uri, authorUri }: Target, favouriteId: FavouriteId) => ({
  id: `${actor}#likes/${favouriteId}`,
  type: 'Like',
  actor,
  to: [authorUri],
  object: uri,
})

/** https://w3id.org/fep/c0e0. `content` is an emoji, or the shortcode of a custom one between colons. */
export const toReact = (
  actor: string,
  { uri, authorUri }: Target,
  { id, content, tag = [] }: { id: string; content: string; tag?: readonly JsonObject[] },
) => ({
  id: `${actor}#reactions/${id}`,
  type: 'EmojiReact',
  actor,
  to: [authorUri],
  object: uri,
  content,
  ...(tag.length > 0 && { tag }),
})

/** A choice in a poll of another server, which only its author is told of. */
export function toVote(
  actor: string,
  { uri, authorUri }: Target,
  choice: { pollId: PollId; index: number; text: string },
): JsonObject {
  const id = `${actor}#votes/${choice.pollId}/${choice.index}`
  return {
    id: `${id}/activity`,
    type: 'Create',
    actor,
    to: [authorUri],
    object: { id, type: 'Note', name: choice.text, attributedTo: actor, to: [authorUri], inReplyTo: uri },
  }
}

/** What stands on the profile, or no longer. `id` tells one time from another: both may happen again and again. */
export function toFeatured(
  type: 'Add' | 'Remove',
  actor: string,
  { object, id }: { object: unknown; id: string },
): JsonObject {
  const target = `${actor}/collections/featured`
  return { id: `${actor}#featured/${id}`, type, actor, to: [`${actor}/followers`], object, target }
}

export const toActorUpdate = (actor: JsonObject, { uri, at }: { uri: string; at: number }): JsonObject => ({
  id: `${uri}#updates/${at}`,
  type: 'Update',
  actor: uri,
  to: [publicAddress],
  object: actor,
})

export const toActorDelete = (actor: string): JsonObject => ({
  id: `${actor}#delete`,
  type: 'Delete',
  actor,
  to: [publicAddress],
  object: actor,
})

export const toMove = (actor: string, target: string): JsonObject => ({
  id: `${actor}#moves/${short(target)}`,
  type: 'Move',
  actor,
  to: [`${actor}/followers`],
  object: actor,
  target,
})

/** What a moderator here passes on, in the name of the server: nobody learns who reported. */
export const toFlag = (
  actor: string,
  {
    id,
    accountUri,
    statusUris,
    comment,
  }: { id: string; accountUri: string; statusUris: readonly string[]; comment: string },
): JsonObject => ({
  id,
  type: 'Flag',
  actor,
  to: [accountUri],
  content: comment,
  object: [accountUri, ...statusUris],
})

export interface Quoting {
  /** Who quotes. */
  actor: string
  quotedUri: string
  quotedAuthorUri: string
  /** The status that quotes, by address or whole. */
  instrument: unknown
}

/** https://w3id.org/fep/044f: asks for consent. */
export const toQuoteRequest = (
  { actor, quotedUri, quotedAuthorUri, instrument }: Quoting,
  id: string,
): JsonObject => ({
  id,
  type: 'QuoteRequest',
  actor,
  to: [quotedAuthorUri],
  object: quotedUri,
  instrument,
})

/** The answer, with the stamp that proves consent. */
export function toQuoteAnswer(request: Quoting & { id: string }, stampUri: string | null): JsonObject {
  const actor = request.quotedAuthorUri
  return {
    id: `${actor}#${stampUri === null ? 'rejects' : 'accepts'}/quote_requests/${short(request.id)}`,
    type: stampUri === null ? 'Reject' : 'Accept',
    actor,
    to: [request.actor],
    object: toQuoteRequest(request, request.id),
    ...(stampUri !== null && { result: stampUri }),
  }
}

/** An author does not take a reply. The Reject names it, as GoToSocial does. */
export const toReplyRejection = ({ actor, other }: Between, replyUri: string): JsonObject => ({
  id: `${actor}#rejects/replies/${short(replyUri)}`,
  type: 'Reject',
  actor,
  to: [other],
  object: replyUri,
})

export interface Stamp {
  id: string
  /** The quoted author. */
  owner: string
  quotingUri: string
  quotedUri: string
}

/** The consent is taken back. */
export const toStampDelete = ({ id, owner, quotingUri, quotedUri }: Stamp): JsonObject => ({
  id: `${id}#delete`,
  type: 'Delete',
  actor: owner,
  to: [publicAddress],
  object: {
    id,
    type: 'QuoteAuthorization',
    attributedTo: owner,
    interactingObject: quotingUri,
    interactionTarget: quotedUri,
  },
})
