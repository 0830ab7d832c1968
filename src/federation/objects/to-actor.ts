import { actorUri, mediaUrl, profileUrl, tagUrl } from '#domain/instance/urls.ts'
import type { ActorFacts } from '#domain/accounts/load-actor.ts'
import { mediaTypeOf } from '#lib/content-type.ts'
import { extractHashtags } from '#lib/hashtag.ts'
import { formatCoarse } from '#lib/time.ts'
import type { Config } from '#ports/ctx.ts'
import { toEmoji } from './emoji.ts'
import type { JsonObject } from './to-note.ts'

/**
 * A local account as an ActivityPub actor (https://docs.joinmastodon.org/spec/activitypub/#profiles), without
 * `@context` and keys.
 */
export function toActor(config: Config, actor: ActorFacts): JsonObject {
  const uri = actorUri(config, actor.username)
  return {
    id: uri,
    type: actor.actor_type,
    following: `${uri}/following`,
    followers: `${uri}/followers`,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    featured: `${uri}/collections/featured`,
    featuredTags: `${uri}/collections/tags`,
    endpoints: { sharedInbox: `${config.baseUrl}/inbox` },
    preferredUsername: actor.username,
    name: actor.display_name === '' ? actor.username : actor.display_name,
    summary: actor.note_html,
    url: profileUrl(config, actor.username),
    manuallyApprovesFollowers: actor.locked,
    discoverable: actor.discoverable ?? false,
    indexable: actor.indexable,
    memorial: actor.memorial,
    published: formatCoarse(actor.created_at),
    ...(actor.moved_to_uri !== null && { movedTo: actor.moved_to_uri }),
    attributionDomains: actor.attribution_domains,
    attachment: actor.fields.map(({ name, html }) => ({ type: 'PropertyValue', name, value: html })),
    tag: [
      ...actor.emojis.map((emoji) => toEmoji(config, emoji)),
      ...extractHashtags(actor.note).map(({ name }) => ({
        type: 'Hashtag',
        href: tagUrl(config, name),
        name: `#${name}`,
      })),
    ],
    ...picture(config, 'icon', actor.avatar_key, actor.avatar_description),
    ...picture(config, 'image', actor.header_key, actor.header_description),
  }
}

function picture(config: Config, name: string, key: string | null, description: string): JsonObject {
  if (key === null) return {}
  const url = mediaUrl(config, key)
  return {
    [name]: {
      type: 'Image',
      mediaType: mediaTypeOf(url) ?? 'image/png',
      url,
      ...(description !== '' && { summary: description }),
    },
  }
}
