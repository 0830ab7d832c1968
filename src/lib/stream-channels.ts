// The channels of the bus that streaming uses, and what is sent on them: ids, never texts. Effects publish, sessions
// listen.
import type {
  AccountConversationId,
  AccountId,
  AnnouncementId,
  AnyId,
  DraftId,
  ListId,
  NotificationId,
  OauthTokenId,
  StatusId,
} from './id.ts'

/** What becomes of a status on a stream. */
export type StatusEvent = 'update' | 'status.update' | 'delete'

/** A status on one of the public channels. */
export interface PublicMessage {
  event: StatusEvent
  id: StatusId
}

/** A status in feeds. `to`: the accounts, or lists, whose feeds hold it. */
export interface FeedMessage extends PublicMessage {
  to: readonly (AccountId | ListId)[]
}

/** What concerns one person. */
export type PersonMessage =
  | { event: 'notification'; id: NotificationId }
  | { event: 'notifications_merged' }
  | { event: 'filters_changed' }
  /** An extension, as those of drafts. */
  | { event: 'columns_changed' }
  | { event: 'conversation'; id: AccountConversationId }
  | { event: 'marker'; timeline: string }
  /** Saved; gone. Extensions: apps that do not know them pass them over. */
  | { event: 'draft'; id: DraftId }
  | { event: 'draft.delete'; id: DraftId }
  /** An edit of a status that names them. `home`: their home feed has it and tells them already. */
  | { event: 'status.update'; id: StatusId; home: boolean }
  /** A status that names them is gone. Their home feed does not have it. */
  | { event: 'delete'; id: StatusId }
  /** Whom they block, mute or hide has changed, or who blocks them. */
  | { event: 'rules' }
  /** Their access has to be looked at. */
  | { event: 'access' }

export type AnnouncementMessage =
  | { event: 'announcement'; id: AnnouncementId }
  | { event: 'announcement.delete'; id: AnnouncementId }
  | { event: 'announcement.reaction'; id: AnnouncementId; name: string }

/** A token that opens nothing any more. */
export interface AccessMessage {
  token: OauthTokenId
}

/** Where announcements are told. */
export const announcementChannel = 'stream:announcements'
/** Where lost access is told. Whoever serves any stream listens to it. */
export const accessChannel = 'stream:access'
/** What concerns one person. */
export const personChannel = (accountId: AccountId) => `stream:account:${accountId}`

/** Where and how a public status is shown. */
export interface PublicPlace {
  local: boolean
  media: boolean
  tags: readonly string[]
  /** Replies to others are only on the channels of their hashtags. */
  tagsOnly: boolean
}

/** `public`, `public:local`, `public:remote`, and each with `:media`. */
export const publicChannel = (name: string) => `stream:${name}`

/** `name` is in the normal form of hashtags. */
export const tagChannel = (name: string, { local }: { local: boolean }) =>
  `stream:tag${local ? ':local' : ''}:${name}`

/** The channels on which a public status is told. */
export function publicChannels({ local, media, tags, tagsOnly }: PublicPlace): string[] {
  const names = ['public', local ? 'public:local' : 'public:remote']
  const open = tagsOnly ? [] : media ? names.flatMap((name) => [name, `${name}:media`]) : names
  return [
    ...open.map(publicChannel),
    ...tags.map((name) => tagChannel(name, { local: false })),
    ...(local ? tags.map((name) => tagChannel(name, { local: true })) : []),
  ]
}

/**
 * Feeds share channels: one for each of so many parts. A post for thousands of followers is then a few messages, and a
 * process hears only of the parts that somebody with a stream there belongs to.
 */
const parts = 256n

/** The channel of a home feed, by its account, or of a list's. */
export const feedChannel = (kind: 'home' | 'list', id: AccountId | ListId) => `stream:${kind}:${partOf(id)}`

/** The feeds by the channel that they share. */
export function feedChannels<Id extends AccountId | ListId>(
  kind: 'home' | 'list',
  ids: readonly Id[],
): Map<string, Id[]> {
  return Map.groupBy(ids, (id) => feedChannel(kind, id))
}

/** Ids end in a sequence that is most often 0, so the time before it counts. */
function partOf(id: AnyId): bigint {
  const number = BigInt(id)
  return (number ^ (number >> 16n)) % parts
}
