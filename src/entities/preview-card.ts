import { z } from 'zod'
import { Account } from './account.ts'
import {
  count,
  entity,
  extending,
  text,
  textOrNull,
  timeOrNull,
  url,
  urlOrNull,
  type Json,
  type Schema,
} from './entity.ts'
import { history } from './tag.ts'

/** https://docs.joinmastodon.org/entities/PreviewCardAuthor/ */
const previewCardAuthor = entity('PreviewCardAuthor', { name: text, url, account: Account.nullable() })
export interface PreviewCardAuthor extends Json<typeof previewCardAuthor> {}
export const PreviewCardAuthor: Schema<PreviewCardAuthor> = previewCardAuthor

/** https://docs.joinmastodon.org/entities/PreviewCard/ */
const previewCard = entity('PreviewCard', {
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
export interface PreviewCard extends Json<typeof previewCard> {}
export const PreviewCard: Schema<PreviewCard> = previewCard

/** https://docs.joinmastodon.org/entities/PreviewCard/#trends-link */
const trendsLink = extending('TrendsLink', PreviewCard, { history })
export interface TrendsLink extends Json<typeof trendsLink> {}
export const TrendsLink: Schema<TrendsLink> = trendsLink
