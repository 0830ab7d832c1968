// The documents that a peer on Fedify serves.
import { Create, Endpoints, Image, Person, PropertyValue, PUBLIC_COLLECTION } from '@fedify/fedify/vocab'
import type { PeerContext, Published } from './state.ts'

/** `to` and `cc` as the fediverse writes a visibility. */
export function audienceOf(
  ctx: PeerContext,
  { author, visibility, mentioned }: Pick<Published, 'author' | 'visibility' | 'mentioned'>,
): { tos: URL[]; ccs: URL[] } {
  const followers = ctx.getFollowersUri(author)
  if (visibility === 'public') return { tos: [PUBLIC_COLLECTION], ccs: [followers, ...mentioned] }
  if (visibility === 'unlisted') return { tos: [followers], ccs: [PUBLIC_COLLECTION, ...mentioned] }
  if (visibility === 'private') return { tos: [followers], ccs: [...mentioned] }
  return { tos: [...mentioned], ccs: [] }
}

/** The actor as a document. */
export async function toPerson(ctx: PeerContext, name: string): Promise<Person | null> {
  const actor = ctx.data.actors.get(name)
  if (!actor) return null
  const keys = await ctx.getActorKeyPairs(name)
  const picture = ctx.data.files.has('/avatar.png') ? new URL('/avatar.png', ctx.canonicalOrigin) : null
  return new Person({
    id: ctx.getActorUri(name),
    preferredUsername: name,
    name: actor.displayName,
    summary: actor.summary,
    url: ctx.getActorUri(name),
    inbox: ctx.getInboxUri(name),
    outbox: ctx.getOutboxUri(name),
    followers: ctx.getFollowersUri(name),
    endpoints: new Endpoints({ sharedInbox: ctx.getInboxUri() }),
    publicKey: keys[0]?.cryptographicKey,
    assertionMethods: keys.map((pair) => pair.multikey),
    manuallyApprovesFollowers: actor.locked,
    aliases: actor.aliases,
    successor: actor.movedTo,
    attachments: [new PropertyValue({ name: 'Library', value: 'Fedify' })],
    ...(picture && { icon: new Image({ url: picture, mediaType: 'image/png' }) }),
  })
}

/** Public posts of an actor, newest first. */
export function publicPosts(ctx: PeerContext, name: string): Create[] {
  return [...ctx.data.published.values()]
    .filter((entry) => entry.author === name && entry.visibility === 'public')
    .toReversed()
    .map(
      ({ object }) =>
        new Create({
          id: new URL('#create', object.id as URL),
          actor: ctx.getActorUri(name),
          object,
          to: PUBLIC_COLLECTION,
        }),
    )
}
