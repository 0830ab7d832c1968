import type { Relationship } from '#entities/relationship.ts'
import type { Config } from '#ports/ctx.ts'
import type { Relation } from '#domain/social/relationships/queries.ts'
import { formatTime } from '#lib/time/time.ts'

/**
 * Relationship (https://docs.joinmastodon.org/entities/Relationship/). Who blocked whom is never told: the key for
 * it is there only for apps that cannot do without, and is always false.
 */
export function renderRelationship(config: Config, relation: Relation): Relationship {
  return {
    id: relation.id,
    following: relation.following,
    showing_reblogs: relation.showing_reblogs,
    notifying: relation.notifying,
    languages: relation.languages,
    followed_by: relation.followed_by,
    blocking: relation.blocking,
    blocked_by: config.compatBlockedBy ? false : undefined,
    muting: relation.muting,
    muting_notifications: relation.muting_notifications,
    muting_expires_at: relation.muting_expires_at === null ? null : formatTime(relation.muting_expires_at),
    requested: relation.requested,
    requested_by: relation.requested_by,
    domain_blocking: relation.domain_blocking,
    endorsed: relation.endorsed,
    note: relation.note,
  }
}
