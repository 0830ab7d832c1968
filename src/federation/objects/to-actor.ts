import { actorUri, mediaUrl, profileUrl, tagUrl } from '#domain/server/instance/urls.ts'
import type { ActorFacts } from '#domain/identity/accounts/load-actor.ts'
import { mediaTypeOf } from '#lib/net/content-type.ts'
import { extractHashtags } from '#lib/text/hashtag.ts'
import { formatCoarse } from '#lib/time/time.ts'
import type { Config } from '#ports/ctx.ts'
import { publicAddress } from './audience.ts'
import { toEmoji } from './emoji.ts'
import { toPublicKeys, type PublicKeys } from './public-keys.ts'
import type { JsonObject } from './to-note.ts'

/**
 * A local account as an ActivityPub actor (https://docs.joinmastodon.org/spec/activitypub/#profiles), without
 * `@context`. Archives have it without keys.
 */
export function toActor(config: Config, actor: ActorFacts, keys?: PublicKeys): JsonObject {
  const uri = actorUri(config, actor.username)
  return {
    ...addresses(config, actor),
    name: actor.display_name === '' ? actor.username : actor.display_name,
    summary: actor.note_html,
    manuallyApprovesFollowers: actor.locked,
    discoverable: actor.discoverable ?? false,
    indexable: actor.indexable,
    memorial: actor.memorial,
    published: formatCoarse(actor.created_at),
    ...(actor.moved_to_uri !== null && { movedTo: actor.moved_to_uri }),
    ...(actor.also_known_as.length > 0 && { alsoKnownAs: actor.also_known_as }),
    interactionPolicy: { canFeature: { automaticApproval: [featurePolicy(config, actor)] } },
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
    ...(keys && toPublicKeys(uri, keys)),
  }
}

/** A suspended account: where it was, and that it is suspended. Nothing that the person wrote of themselves. */
export function toUnavailableActor(config: Config, actor: ActorFacts, keys: PublicKeys): JsonObject {
  return {
    ...addresses(config, actor),
    name: actor.username,
    summary: '',
    manuallyApprovesFollowers: actor.locked,
    suspended: true,
    ...toPublicKeys(actorUri(config, actor.username), keys),
  }
}

/** What it is, and where others find it and write to it. */
function addresses(config: Config, { actor_type: type, username }: ActorFacts): JsonObject {
  const uri = actorUri(config, username)
  return {
    id: uri,
    type,
    following: `${uri}/following`,
    followers: `${uri}/followers`,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    featured: `${uri}/collections/featured`,
    featuredTags: `${uri}/collections/tags`,
    endpoints: { sharedInbox: `${config.baseUrl}/inbox` },
    preferredUsername: username,
    // The handle, where others would guess it wrong from the address (FEP-2c59).
    webfinger: `${username}@${config.localDomain}`,
    url: profileUrl(config, username),
  }
}

/** Who may show the account in a collection of theirs. */
const featurePolicy = (config: Config, { discoverable, username }: ActorFacts) =>
  discoverable ? publicAddress : actorUri(config, username)

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
