import { z } from 'zod'
import { count, entity, flag, id, text, texts, time, timeOrNull, type Json, type Schema } from './entity.ts'

/**
 * https://docs.joinmastodon.org/entities/Relationship/: nobody is told who blocked them, so that `blocked_by` is there
 * only for apps that cannot do without.
 */
const relationship = entity('Relationship', {
  id,
  following: flag,
  showing_reblogs: flag,
  notifying: flag,
  languages: texts.nullable(),
  followed_by: flag,
  blocking: flag,
  blocked_by: z.literal(false).optional(),
  muting: flag,
  muting_notifications: flag,
  muting_expires_at: timeOrNull,
  requested: flag,
  requested_by: flag,
  domain_blocking: flag,
  endorsed: flag,
  note: text,
})
export interface Relationship extends Json<typeof relationship> {}
export const Relationship: Schema<Relationship> = relationship

/** https://docs.joinmastodon.org/entities/DomainBlockPreview/: what hiding a server would end. */
const domainBlockPreview = entity('DomainBlockPreview', {
  following_count: count,
  followers_count: count,
})
export interface DomainBlockPreview extends Json<typeof domainBlockPreview> {}
export const DomainBlockPreview: Schema<DomainBlockPreview> = domainBlockPreview

/** https://docs.joinmastodon.org/entities/RelationshipSeveranceEvent/ */
const relationshipSeveranceEvent = entity('RelationshipSeveranceEvent', {
  id,
  type: z.enum(['domain_block', 'user_domain_block', 'account_suspension']),
  purged: flag,
  target_name: text,
  followers_count: count,
  following_count: count,
  created_at: time,
})
export interface RelationshipSeveranceEvent extends Json<typeof relationshipSeveranceEvent> {}
export const RelationshipSeveranceEvent: Schema<RelationshipSeveranceEvent> = relationshipSeveranceEvent
