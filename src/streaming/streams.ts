// The streams by name: what each needs and which topic it follows (https://docs.joinmastodon.org/methods/streaming/).
import { feedChannel, publicChannel, tagChannel, announcementChannel } from '#lib/stream-channels.ts'
import { normaliseHashtag } from '#lib/text/hashtag.ts'
import { asId, type AccountId, type ListId } from '#lib/id.ts'

/** What is asked for, as it came. */
export interface StreamRequest {
  stream: string
  tag?: string | undefined
  list?: string | undefined
}

/** A stream that somebody may listen to. */
export interface Stream {
  /** What makes two subscriptions the same, such as `user:12`; the channel itself where there is just one. */
  readonly topic: string
  readonly kind: TopicKind
  /** The channels of the bus that it needs. */
  readonly channels: readonly string[]
  /** The name and parameter with which each message is marked, as JSON. */
  readonly label: string
  /** The list, where it is one. */
  readonly listId: ListId | null
}

export type TopicKind = 'public' | 'user' | 'user:notification' | 'list' | 'direct'

/** A refusal as clients are told it: in English, since programs alone read what a handshake says. */
export interface Refusal {
  readonly error: string
  readonly status: number
}

/** Who asks. */
export interface Listener {
  readonly accountId: AccountId
  readonly scopes: readonly string[]
}

const publicNames: ReadonlySet<string> = new Set([
  'public',
  'public:media',
  'public:local',
  'public:local:media',
  'public:remote',
  'public:remote:media',
])
const otherNames: ReadonlySet<string> = new Set([
  'user',
  'user:notification',
  'hashtag',
  'hashtag:local',
  'list',
  'direct',
])
/** Tags and ids are short; a longer parameter is nobody's. */
const maxParameterLength = 500
const idPattern = /^[1-9]\d{0,18}$/
const largestId = 2n ** 63n - 1n

const unknownStream: Refusal = { error: 'Unknown stream type', status: 400 }
const outsideScopes: Refusal = { error: 'Access token does not have the required scopes', status: 401 }
/** Also for lists that do not exist. */
export const notYourList: Refusal = { error: 'Not authorized to stream this list', status: 401 }

const isStreamName = (name: string) => publicNames.has(name) || otherNames.has(name)

/** Any one of these opens the stream. */
function scopesOf(name: string): readonly string[] {
  return ['read', name === 'user:notification' ? 'read:notifications' : 'read:statuses']
}

/** Whether notifications are among what the stream `user` tells. */
export const mayHearNotifications = (scopes: readonly string[]) =>
  scopes.includes('read') || scopes.includes('read:notifications')

/** The stream that is asked for, or why not. Whether a list is the listener's is not looked at. */
export function findStream(listener: Listener, asked: StreamRequest): Stream | Refusal {
  const { stream: name } = asked
  if (!isStreamName(name)) return unknownStream
  if (!scopesOf(name).some((scope) => listener.scopes.includes(scope))) return outsideScopes
  if (publicNames.has(name)) {
    const channel = publicChannel(name)
    return { topic: channel, kind: 'public', channels: [channel], label: labelOf(name), listId: null }
  }
  if (name === 'hashtag' || name === 'hashtag:local') return findTagStream(name, asked.tag ?? '')
  if (name === 'list') return findListStream(asked.list ?? '')
  return personalStream(name, listener.accountId)
}

export const isRefusal = (found: Stream | Refusal): found is Refusal => 'error' in found

const labelOf = (...parts: string[]) => JSON.stringify(parts)

function findTagStream(name: string, tag: string): Stream | Refusal {
  const normal = tag.length > maxParameterLength ? '' : normaliseHashtag(tag)
  if (normal === '') return { error: 'Missing tag name parameter', status: 400 }
  const channel = tagChannel(normal, { local: name === 'hashtag:local' })
  return { topic: channel, kind: 'public', channels: [channel], label: labelOf(name, tag), listId: null }
}

function findListStream(list: string): Stream | Refusal {
  if (list === '') return { error: 'Missing list name parameter', status: 400 }
  if (!idPattern.test(list) || BigInt(list) > largestId) return notYourList
  const listId = asId<ListId>(list)
  return {
    topic: `list:${list}`,
    kind: 'list',
    channels: [feedChannel('list', listId)],
    label: labelOf('list', list),
    listId,
  }
}

function personalStream(name: string, accountId: AccountId): Stream {
  const kind = name as 'user' | 'user:notification' | 'direct'
  // Everybody's own channel is listened to from their first connection on.
  const channels = kind === 'user' ? [feedChannel('home', accountId), announcementChannel] : []
  return { topic: `${kind}:${accountId}`, kind, channels, label: labelOf(name), listId: null }
}

/** The paths below `/api/v1/streaming` that are streams, for the list of routes. */
export const streamPaths: readonly string[] = [...publicNames, ...otherNames]
  .filter((name) => !name.endsWith(':media'))
  .map((name) => name.replaceAll(':', '/'))

/** The stream of a path below `/api/v1/streaming`, such as `public/local`; null for others. */
export function streamOfPath(path: string, onlyMedia: boolean): string | null {
  const name = path.replaceAll('/', ':')
  if (path.includes(':') || name.endsWith(':media') || !isStreamName(name)) return null
  return onlyMedia && publicNames.has(name) ? `${name}:media` : name
}
