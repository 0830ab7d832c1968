import { z } from 'zod'
import { Account } from './account.ts'
import { count, entity, text, textOrNull, timeOrNull, url, urlOrNull, type Json } from './entity.ts'
import { history } from './tag.ts'

/** https://docs.joinmastodon.org/entities/PreviewCardAuthor/ */
export const PreviewCardAuthor = entity('PreviewCardAuthor', { name: text, url, account: Account.nullable() })
export interface PreviewCardAuthor extends Json<typeof PreviewCardAuthor> {}

/** https://docs.joinmastodon.org/entities/PreviewCard/ */
export const PreviewCard = entity('PreviewCard', {
  url,
  title: text,
  description: text,
  language: textOrNull,
  type: z.enum(['link', 'photo', 'video', 'rich']),
  author_name: text,
  author_url: url,
  provider_name: text,
  provider_url: url,
  /** Of other sites: never put into a page of this one. */
  html: text,
  width: count,
  height: count,
  image: urlOrNull,
  image_description: text,
  embed_url: url,
  blurhash: textOrNull,
  published_at: timeOrNull,
  authors: z.array(PreviewCardAuthor),
})
export interface PreviewCard extends Json<typeof PreviewCard> {}

/** https://docs.joinmastodon.org/entities/PreviewCard/#trends-link */
export const TrendsLink = entity('TrendsLink', { ...PreviewCard.shape, history })
export interface TrendsLink extends Json<typeof TrendsLink> {}
