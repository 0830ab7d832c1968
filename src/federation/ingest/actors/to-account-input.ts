import type { RemoteAccountInput } from '#domain/identity/accounts/remote/save-remote.ts'
import type { HostPolicy } from '#domain/server/hosts/host-policy.ts'
import type { Acct } from '#lib/acct.ts'
import type { Ctx } from '#ports/ctx.ts'
import { hostOf } from '#federation/kit/json.ts'
import type { RemoteActor } from './read-actor.ts'
import type { AccountId } from '#lib/id.ts'

export interface Decided {
  /** Null keeps the handle that is stored. */
  acct: Acct | null
  policy: HostPolicy
  movedToId: AccountId | null
}

/** An actor as the row that is stored of it. */
export function toAccountInput(ctx: Ctx, actor: RemoteActor, decided: Decided): RemoteAccountInput {
  const { acct, policy } = decided
  const now = ctx.clock.now()
  return {
    uri: actor.uri,
    uriHost: hostOf(actor.uri) as string,
    username: acct?.username ?? actor.username,
    domain: acct?.domain ?? null,
    suspended: actor.suspended,
    silencedSince: policy.silencedSince,
    createdAt: new Date(Math.min(actor.publishedAt?.getTime() ?? now, now)),
    profile: toProfile(actor, decided),
    places: {
      inbox_url: actor.inboxUrl,
      shared_inbox_url: actor.sharedInboxUrl,
      outbox_url: actor.outboxUrl,
      followers_url: actor.followersUrl,
      following_url: actor.followingUrl,
      featured_url: actor.featuredUrl,
      featured_tags_url: actor.featuredTagsUrl,
    },
  }
}

function toProfile(actor: RemoteActor, { policy, movedToId }: Decided): RemoteAccountInput['profile'] {
  const avatar = policy.rejectMedia ? null : actor.avatar
  const header = policy.rejectMedia ? null : actor.header
  return {
    display_name: actor.displayName,
    note: actor.note,
    note_html: actor.noteHtml,
    fields: actor.fields,
    actor_type: actor.type,
    locked: actor.locked,
    discoverable: actor.discoverable,
    indexable: actor.indexable,
    memorial: actor.memorial,
    show_media: actor.showMedia,
    show_media_replies: actor.showMediaReplies,
    show_featured: actor.showFeatured,
    attribution_domains: actor.attributionDomains,
    avatar_remote_url: avatar?.url ?? null,
    avatar_description: avatar?.description ?? '',
    header_remote_url: header?.url ?? null,
    header_description: header?.description ?? '',
    moved_to_account_id: movedToId,
    also_known_as: actor.alsoKnownAs,
    url: actor.url,
  }
}
