// Who is told of what: one condition for every kind of notification (interface.md 1-12; rules of Mastodon 4.x).
import { sql, type RawBuilder } from 'kysely'
import { isBlocked } from '#domain/identity/accounts/is-blocked.ts'
import { bitsAllowing } from '#domain/identity/accounts/permissions.ts'
import { isMuted } from '#domain/social/relationships/mute-policy.ts'
import { visibleTo } from '#domain/content/statuses/visibility.ts'

/** What a candidate (account_id, from_account_id, type, status_id), its sender, and its status (left joined) are called. */
export interface CandidateRows {
  candidate: string
  sender: string
  status: string
}

/** `facts`: what `candidateFacts` finds out. */
interface KnownRows extends CandidateRows {
  facts: string
}

function recipientAvailable(candidate: string): RawBuilder<boolean> {
  const c = sql.id(candidate)
  return sql`exists (
  select 1 from accounts r join users ru on ru.account_id = r.id
  where r.id = ${c}.account_id and r.suspended_at is null and r.deleted_at is null
    and ru.confirmed_at is not null and ru.approved offset 0)`
}

/** The recipient follows who caused it. */
export function follows(candidate: string): RawBuilder<boolean> {
  const c = sql.id(candidate)
  return sql`exists (
  select 1 from follows rf where rf.account_id = ${c}.account_id and rf.target_account_id = ${c}.from_account_id offset 0)`
}

/** Staff who may have to reach someone whatever they block. */
const moderates = bitsAllowing('manage_reports', 'manage_users')

/** A candidate is from staff of this server with a higher role than the recipient, who write to them. */
export function staffMention(candidate: string): RawBuilder<boolean> {
  const c = sql.id(candidate)
  return sql`(${c}.type = 'mention' and exists (
  select 1 from users su join roles sr on sr.id = su.role_id
  where su.account_id = ${c}.from_account_id and not su.disabled and sr.highlighted
    and (sr.permissions & ${moderates}::bigint) <> 0
    and sr.position > coalesce((
      select rr.position from users tu join roles rr on rr.id = tu.role_id where tu.account_id = ${c}.account_id), -1) offset 0))`
}

function blocked(candidate: string): RawBuilder<boolean> {
  const c = sql.id(candidate)
  return isBlocked({ blocker: sql`${c}.account_id`, blocked: sql`${c}.from_account_id` })
}

function domainBlocked(rows: KnownRows): RawBuilder<boolean> {
  const [c, sender] = [sql.id(rows.candidate), sql.id(rows.sender)]
  return sql`(${sender}.domain is not null and exists (
  select 1 from account_domain_blocks rd where rd.account_id = ${c}.account_id and rd.domain = ${sender}.domain offset 0)
  and not ${sql.id(rows.facts)}.followed)`
}

function conversationMuted({ candidate, status }: CandidateRows): RawBuilder<boolean> {
  const [c, s] = [sql.id(candidate), sql.id(status)]
  return sql`(${s}.conversation_id is not null and exists (
  select 1 from conversation_mutes rc where rc.account_id = ${c}.account_id and rc.conversation_id = ${s}.conversation_id offset 0))`
}

/** A mention in answer to, or along with, somebody the recipient blocks or has muted with notifications. */
function mutedOrBlockedCompany({ candidate, status }: CandidateRows, now: Date): RawBuilder<boolean> {
  const [c, s] = [sql.id(candidate), sql.id(status)]
  return sql`(${c}.type = 'mention' and exists (
    select 1 from (
      select cm.account_id from mentions cm where cm.status_id = ${s}.id and not cm.silent
      union all select ${s}.in_reply_to_account_id) company
    where ${isBlocked({ blocker: sql`${c}.account_id`, blocked: sql`company.account_id` })}
      or ${isMuted({ muter: sql`${c}.account_id`, muted: sql`company.account_id` }, now, 'notifications')}))`
}

/** What people hear of although they caused it, or nobody else did. */
const selfCausedTypes = ['poll', 'annual_report', 'severed_relationships', 'moderation_warning']

/**
 * The condition on a candidate: the recipient is a user who can see it, is not its cause (but for `selfCausedTypes`), and wants to
 * hear of it.
 */
export function mayNotify(rows: KnownRows, now: Date): RawBuilder<boolean> {
  const [c, sender] = [sql.id(rows.candidate), sql.id(rows.sender)]
  return sql`((${c}.account_id <> ${c}.from_account_id or ${c}.type = any(${selfCausedTypes}::text[]))
    and ${sender}.suspended_at is null and ${sender}.deleted_at is null and ${recipientAvailable(rows.candidate)}
    and (${c}.status_id is null or ${visibleTo(sql`${c}.account_id`, rows.status)})
    and (${sql.id(rows.facts)}.from_staff or not (
      ${blocked(rows.candidate)} or ${domainBlocked(rows)} or ${conversationMuted(rows)} or ${mutedOrBlockedCompany(rows, now)}
      or ${isMuted({ muter: sql`${c}.account_id`, muted: sql`${c}.from_account_id` }, now, 'notifications')})))`
}
