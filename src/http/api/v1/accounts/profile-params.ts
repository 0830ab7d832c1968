// The parameters by which people change their profile, of update_credentials and of the newer profile operation.
import { z } from 'zod'
import { replyPolicy, toReplyPolicy } from '#http/kit/params/reply-policy.ts'
import { parseLanguage } from '#lib/text/language.ts'
import type { ProfileInput, SettingsInput } from '#domain/identity/accounts/profile/update-profile.ts'
import { file, objects, text, texts, truthy, word } from '#http/kit/params/fields.ts'
import { isTree } from '#http/kit/params/params.ts'
import { readImage } from '#http/kit/params/read-image.ts'

const profileFields = {
  display_name: text(),
  note: text(),
  avatar: file(),
  header: file(),
  avatar_description: text(),
  header_description: text(),
  locked: truthy(),
  bot: truthy(),
  discoverable: truthy(),
  indexable: truthy(),
  hide_collections: truthy(),
  attribution_domains: texts(),
  fields_attributes: objects(z.object({ name: text(), value: text() })),
}

/** Anything but an object, such as an empty text, is as if it were not given. */
const source = z.preprocess(
  (value) => (isTree(value) ? value : undefined),
  z
    .object({
      privacy: word(['public', 'unlisted', 'private']),
      sensitive: truthy(),
      language: text(),
      quote_policy: word(['public', 'followers', 'nobody']),
      reply_policy: replyPolicy(),
    })
    .optional(),
)

export const credentialParams = z.object({ ...profileFields, source })

export const profileParams = z.object({
  ...profileFields,
  show_media: truthy(),
  show_media_replies: truthy(),
  show_featured: truthy(),
})

/** `update_credentials` knows only some of them. */
type Params = Partial<z.output<typeof profileParams>>

/** What the command takes. Throws `invalid` for a file of more than `maxBytes`. */
export async function toProfileInput(params: Params, maxBytes: number): Promise<ProfileInput> {
  return {
    displayName: params.display_name,
    note: params.note,
    avatar: await readImage('avatar', params.avatar, maxBytes),
    header: await readImage('header', params.header, maxBytes),
    avatarDescription: params.avatar_description,
    headerDescription: params.header_description,
    locked: params.locked,
    bot: params.bot,
    discoverable: params.discoverable,
    indexable: params.indexable,
    hideCollections: params.hide_collections,
    attributionDomains: params.attribution_domains,
    fields: params.fields_attributes?.map((field) => ({ name: field.name ?? '', value: field.value ?? '' })),
    showMedia: params.show_media,
    showMediaReplies: params.show_media_replies,
    showFeatured: params.show_featured,
  }
}

/** A language that is given but blank, or that nobody knows, goes back to the default. */
export function toSettingsInput(given: z.output<typeof source>): SettingsInput | undefined {
  if (!given) return undefined
  return {
    default_privacy: given.privacy,
    default_sensitive: given.sensitive,
    default_language: given.language === undefined ? undefined : parseLanguage(given.language),
    default_quote_policy: given.quote_policy,
    default_reply_policy: toReplyPolicy(given.reply_policy),
  }
}
