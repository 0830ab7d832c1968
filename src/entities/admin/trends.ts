import { entity, flag, flagOrNull, id, text, timeOrNull, type Json } from '../entity.ts'
import { TrendsLink } from '../preview-card.ts'
import { Status } from '../status.ts'
import { Tag } from '../tag.ts'

/** https://docs.joinmastodon.org/entities/Tag/#admin */
export const AdminTag = entity('AdminTag', {
  ...Tag.shape,
  trendable: flag,
  usable: flag,
  listable: flag,
  requires_review: flag,
})
export interface AdminTag extends Json<typeof AdminTag> {}

/** Admin::Trends::Link: Trends::Link with the id by which staff decide about it. */
export const AdminTrendsLink = entity('AdminTrendsLink', { id, ...TrendsLink.shape, requires_review: flag })
export interface AdminTrendsLink extends Json<typeof AdminTrendsLink> {}

/** Admin::Trends::Status: Status with whether somebody has to decide about it. */
export const AdminTrendsStatus = entity('AdminTrendsStatus', { ...Status.shape, requires_review: flag })
export interface AdminTrendsStatus extends Json<typeof AdminTrendsStatus> {}

/** PreviewCardProvider, as Mastodon's admin API shows publishers. */
export const AdminPublisher = entity('AdminPublisher', {
  id,
  domain: text,
  trendable: flagOrNull,
  reviewed_at: timeOrNull,
  requested_review_at: timeOrNull,
  requires_review: flag,
})
export interface AdminPublisher extends Json<typeof AdminPublisher> {}
