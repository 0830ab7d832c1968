import { isAutomated } from '#domain/identity/accounts/profile/automated.ts'
import type { Field, Profile } from '#entities/account.ts'
import type { Config, Ctx } from '#ports/ctx.ts'
import { formatTime } from '#lib/time/time.ts'
import { getOwnProfile, type OwnProfile } from '#domain/identity/accounts/queries.ts'
import { mediaUrl } from '#domain/server/instance/urls.ts'
import type { AccountId } from '#lib/id.ts'

/** Profile: what the owner edits, as they wrote it. */
export async function viewProfile(ctx: Ctx, accountId: AccountId): Promise<Profile> {
  const own = await getOwnProfile(ctx, accountId)
  return {
    id: own.id,
    display_name: own.display_name,
    note: own.note,
    fields: renderSourceFields(own),
    ...renderImages(ctx.config, own),
    locked: own.locked,
    bot: isAutomated(own.actor_type),
    hide_collections: own.hide_collections,
    discoverable: own.discoverable,
    indexable: own.indexable,
    show_media: own.show_media,
    show_media_replies: own.show_media_replies,
    show_featured: own.show_featured,
    attribution_domains: own.attribution_domains,
  }
}

/** Unlike in an Account, a picture that is not there is null. */
function renderImages(config: Config, own: OwnProfile) {
  const url = (key: string | null) => (key === null ? null : mediaUrl(config, key))
  return {
    avatar: url(own.avatar_key),
    avatar_static: url(own.avatar_static_key ?? own.avatar_key),
    avatar_description: own.avatar_description,
    header: url(own.header_key),
    header_static: url(own.header_static_key ?? own.header_key),
    header_description: own.header_description,
  }
}

/** Profile fields with their values as they were written. */
export function renderSourceFields(own: Pick<OwnProfile, 'fields'>): Field[] {
  return own.fields.map((field) => ({
    name: field.name,
    value: field.value,
    verified_at: field.verified_at === null ? null : formatTime(new Date(field.verified_at)),
  }))
}
