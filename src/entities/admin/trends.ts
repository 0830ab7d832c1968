import {
  entity,
  extending,
  flag,
  flagOrNull,
  id,
  text,
  timeOrNull,
  type Json,
  type Schema,
} from '../entity.ts'
import { TrendsLink } from '../preview-card.ts'
import { Status } from '../status.ts'
import { Tag } from '../tag.ts'

/** https://docs.joinmastodon.org/entities/Tag/#admin */
const adminTag = extending('AdminTag', Tag, {
  trendable: flag,
  usable: flag,
  listable: flag,
  requires_review: flag,
})
export interface AdminTag extends Json<typeof adminTag> {}
export const AdminTag: Schema<AdminTag> = adminTag

/** Admin::Trends::Link: Trends::Link with the id by which staff decide about it. */
const adminTrendsLink = extending('AdminTrendsLink', TrendsLink, { id, requires_review: flag })
export interface AdminTrendsLink extends Json<typeof adminTrendsLink> {}
export const AdminTrendsLink: Schema<AdminTrendsLink> = adminTrendsLink

/** Admin::Trends::Status: Status with whether somebody has to decide about it. */
const adminTrendsStatus = extending('AdminTrendsStatus', Status, { requires_review: flag })
export interface AdminTrendsStatus extends Json<typeof adminTrendsStatus> {}
export const AdminTrendsStatus: Schema<AdminTrendsStatus> = adminTrendsStatus

/** PreviewCardProvider, as Mastodon's admin API shows publishers. */
const adminPublisher = entity('AdminPublisher', {
  id,
  domain: text,
  trendable: flagOrNull,
  reviewed_at: timeOrNull,
  requested_review_at: timeOrNull,
  requires_review: flag,
})
export interface AdminPublisher extends Json<typeof adminPublisher> {}
export const AdminPublisher: Schema<AdminPublisher> = adminPublisher
