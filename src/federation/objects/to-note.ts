import { actorUri, contextUri, mediaUrl, statusUri, statusUrl, tagUrl } from '#domain/server/instance/urls.ts'
import type { MediaRow } from '#domain/content/media/load.ts'
import { maxOwnReplies, type NamedActor, type NoteFacts } from '#domain/content/statuses/load-note-data.ts'
import { mediaTypeOf } from '#lib/net/content-type.ts'
import { idToTime } from '#lib/ids.ts'
import { formatDate, formatTime } from '#lib/time/time.ts'
import type { Config } from '#ports/ctx.ts'
import { hostOf, type JsonObject } from '../kit/json.ts'
import { addressed, publicAddress, type Audience } from './audience.ts'
import { toEmoji } from './emoji.ts'

export type { JsonObject }

/**
 * A local status as an ActivityPub Note, or as a Question when it is a poll
 * (https://docs.joinmastodon.org/spec/activitypub/), without `@context`. Not for boosts: see `toActivity`. `now`, in
 * milliseconds, decides whether a poll is closed.
 */
export function toNote(config: Config, note: NoteFacts, now: number): JsonObject {
  const uri = statusUri(config, note.username, note.id)
  const content = withDomains(config, note)
  const summary = note.spoilerText === '' ? null : note.spoilerText
  return {
    id: uri,
    type: note.poll ? 'Question' : 'Note',
    summary,
    ...(note.language !== null && summary !== null && { summaryMap: { [note.language]: summary } }),
    inReplyTo: note.parentUri,
    inReplyToAtomUri: note.parentUri,
    published: formatTime(note.createdAt),
    ...(note.editedAt && { updated: formatTime(note.editedAt) }),
    url: statusUrl(config, note.username, note.id),
    attributedTo: actorUri(config, note.username),
    ...noteAudience(config, note),
    sensitive: note.sensitive,
    atomUri: uri,
    ...conversationProperties(config, note),
    content,
    ...(note.language !== null && { contentMap: { [note.language]: content } }),
    source: { content: note.text, mediaType: note.contentType },
    // What says so was never meant to leave its server.
    ...(note.localOnly && { localOnly: true }),
    attachment: note.media.flatMap((media) => toDocument(config, media)),
    tag: [
      ...note.mentions.map((mention) => toMention(config, mention)),
      ...note.hashtags.map((name) => ({ type: 'Hashtag', href: tagUrl(config, name), name: `#${name}` })),
      ...note.emojis.map((emoji) => toEmoji(config, emoji)),
    ],
    ...collectionProperties(uri, note),
    interactionPolicy: { canQuote: quotePolicy(config, note), canReply: replyPolicy(config, note) },
    ...quoteProperties(note),
    ...questionProperties(note, now),
  }
}

/** To whom a status is addressed. */
export function noteAudience(config: Config, note: NoteFacts): Audience {
  const others = note.mentions
    .filter((mention) => mention.addressed)
    .flatMap(({ uri, groupFollowersUri }) => (groupFollowersUri === null ? [uri] : [uri, groupFollowersUri]))
  return addressed(note.visibility, followersUri(config, note.username), others)
}

export const followersUri = (config: Config, username: string) => `${actorUri(config, username)}/followers`

const handleOf = (config: Config, { username, domain }: NamedActor) =>
  `${username}@${domain ?? config.localDomain}`

const toMention = (config: Config, mention: NamedActor) => ({
  type: 'Mention',
  href: mention.uri,
  name: `@${handleOf(config, mention)}`,
})

const mentionLink = /(<a href="([^"]+)" class="u-url mention"[^>]*>@<span>)([^<@]+)(?=<\/span>)/g

/** The text as it is read elsewhere: names alone would be those of somebody there. */
function withDomains(config: Config, note: NoteFacts): string {
  if (note.mentions.length === 0) return note.content
  return note.content.replaceAll(mentionLink, (whole, start: string, href: string, name: string) => {
    const named = note.mentions.find(
      ({ uri, username }) => username.toLowerCase() === name.toLowerCase() && hostOf(uri) === hostOf(href),
    )
    return named ? `${start}${handleOf(config, named)}` : whole
  })
}

/** What belongs together: by the name that older servers give it, and by an address that lists it (FEP-7888). */
function conversationProperties(config: Config, { conversation }: NoteFacts): JsonObject {
  if (!conversation) return {}
  const { id, uri } = conversation
  if (uri !== null) return { conversation: uri, ...(hostOf(uri) !== null && { context: uri }) }
  const date = formatDate(idToTime(id))
  return {
    conversation: `tag:${config.localDomain},${date}:objectId=${id}:objectType=Conversation`,
    context: contextUri(config, id),
  }
}

/** What others added is told only of what is open to all. */
function collectionProperties(uri: string, note: NoteFacts): JsonObject {
  if (note.visibility !== 'public' && note.visibility !== 'unlisted') return {}
  const replies = `${uri}/replies`
  return {
    replies: {
      id: replies,
      type: 'Collection',
      first: {
        type: 'CollectionPage',
        partOf: replies,
        next: `${replies}?page=true&${restOf(note.ownReplies)}`,
        items: note.ownReplies,
      },
    },
    likes: { id: `${uri}/likes`, type: 'Collection', totalItems: note.favouritesCount },
    shares: { id: `${uri}/shares`, type: 'Collection', totalItems: note.reblogsCount },
  }
}

/** Which replies come after these: further ones of its author, then those of others. */
function restOf(own: readonly string[]): string {
  const last = own.length < maxOwnReplies ? undefined : own.at(-1)
  return last === undefined ? 'only_other_accounts=true' : `min_id=${last.slice(last.lastIndexOf('/') + 1)}`
}

/** Nothing for a file that is not there. */
function toDocument(config: Config, media: MediaRow): JsonObject[] {
  const url = media.original_key === null ? media.remote_url : mediaUrl(config, media.original_key)
  if (url === null) return []
  const { width, height } = media.facts
  return [
    {
      type: 'Document',
      mediaType: mediaTypeOf(url) ?? 'application/octet-stream',
      url,
      name: media.description === '' ? null : media.description,
      blurhash: media.blurhash,
      ...(media.focus_x !== null && media.focus_y !== null && { focalPoint: [media.focus_x, media.focus_y] }),
      ...(width !== undefined && height !== undefined && { width, height }),
      ...thumbnail(config, media),
    },
  ]
}

/** What to show of a film or a sound before it is played. */
function thumbnail(config: Config, { type, preview_key: key }: MediaRow): JsonObject {
  if (key === null || (type !== 'video' && type !== 'audio')) return {}
  const url = mediaUrl(config, key)
  return { icon: { type: 'Image', mediaType: mediaTypeOf(url) ?? 'image/jpeg', url } }
}

/** https://w3id.org/fep/044f: those who may quote at once, and those who may ask. The author always may. */
function quotePolicy(config: Config, note: NoteFacts): JsonObject {
  const automatic = note.quoteAutomatic.flatMap((group) => groupUri(config, note, group))
  const manual = note.quoteManual.flatMap((group) => groupUri(config, note, group))
  return {
    automaticApproval: automatic.length > 0 ? automatic : [actorUri(config, note.username)],
    ...(manual.length > 0 && { manualApproval: manual }),
  }
}

/** https://docs.gotosocial.org/en/latest/federation/interaction_controls/: the author and those it names always may. */
function replyPolicy(config: Config, note: NoteFacts): JsonObject {
  if (note.replyAutomatic === null) return { automaticApproval: [publicAddress] }
  const groups = note.replyAutomatic.flatMap((group) => groupUri(config, note, group))
  const named = note.mentions.map(({ uri }) => uri)
  return { automaticApproval: [...new Set([actorUri(config, note.username), ...named, ...groups])] }
}

function groupUri(config: Config, note: NoteFacts, group: string): string[] {
  if (group === 'public') return [publicAddress]
  if (group === 'followers') return [followersUri(config, note.username)]
  return group === 'following' ? [`${actorUri(config, note.username)}/following`] : []
}

function quoteProperties({ quote }: NoteFacts): JsonObject {
  if (!quote) return {}
  return {
    quote: quote.uri,
    quoteUri: quote.uri,
    _misskey_quote: quote.uri,
    ...(quote.approvalUri !== null && { quoteAuthorization: quote.approvalUri }),
  }
}

function questionProperties({ poll }: NoteFacts, now: number): JsonObject {
  if (!poll) return {}
  const isOver = poll.expires_at !== null && poll.expires_at.getTime() <= now
  const isShown = isOver || !poll.hide_totals
  const options = poll.options.map((name, index) => ({
    type: 'Note',
    name,
    replies: { type: 'Collection', ...(isShown && { totalItems: poll.tallies[index] ?? 0 }) },
  }))
  const end = poll.expires_at && formatTime(poll.expires_at)
  return {
    [poll.multiple ? 'anyOf' : 'oneOf']: options,
    ...(end !== null && { endTime: end, ...(isOver && { closed: end }) }),
    ...(poll.voters_count !== null && { votersCount: poll.voters_count }),
  }
}
