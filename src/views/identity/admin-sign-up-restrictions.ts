// The gates of sign-up and access as staff see them.
import type {
  AdminCanonicalEmailBlock,
  AdminEmailDomainBlock,
  AdminInvite,
  AdminIpBlock,
  AdminUsernameBlock,
} from '#entities/admin/sign-up.ts'
import type { CanonicalEmailBlock } from '#domain/identity/sign-up-restrictions/canonical-email-blocks.ts'
import type { EmailDomainBlock } from '#domain/identity/sign-up-restrictions/email-domain-blocks.ts'
import type { Invite } from '#domain/identity/sign-up-restrictions/invites.ts'
import type { IpBlock } from '#domain/identity/sign-up-restrictions/ip-blocks.ts'
import type { UsernameBlock } from '#domain/identity/sign-up-restrictions/username-blocks.ts'
import { formatTime } from '#lib/time/time.ts'

const timeOrNull = (time: Date | null) => time && formatTime(time)

/** Admin::EmailDomainBlock (https://docs.joinmastodon.org/entities/Admin_EmailDomainBlock/); the last two are extensions. */
export function renderEmailDomainBlock(block: EmailDomainBlock): AdminEmailDomainBlock {
  return {
    id: block.id,
    domain: block.domain,
    created_at: formatTime(block.created_at),
    history: block.history.map(({ day, accounts, uses }) => ({
      day: String(day),
      accounts: String(accounts),
      uses: String(uses),
    })),
    allow_with_approval: block.allow_with_approval,
    parent_id: block.parent_id,
  }
}

/** Admin::IpBlock (https://docs.joinmastodon.org/entities/Admin_IpBlock/). */
export function renderIpBlock(block: IpBlock): AdminIpBlock {
  return {
    id: block.id,
    ip: block.ip,
    severity: block.severity,
    comment: block.comment,
    created_at: formatTime(block.created_at),
    expires_at: timeOrNull(block.expires_at),
  }
}

/** Admin::CanonicalEmailBlock (https://docs.joinmastodon.org/entities/Admin_CanonicalEmailBlock/). */
export function renderCanonicalEmailBlock({
  id,
  canonical_email_hash,
}: CanonicalEmailBlock): AdminCanonicalEmailBlock {
  return { id, canonical_email_hash }
}

/** An extension of the API. */
export function renderUsernameBlock(block: UsernameBlock): AdminUsernameBlock {
  return {
    id: block.id,
    username: block.username,
    comparison: block.comparison,
    allow_with_approval: block.allow_with_approval,
    created_at: formatTime(block.created_at),
  }
}

/** An extension of the API. */
export function renderInvite(invite: Invite, baseUrl: string): AdminInvite {
  return {
    id: invite.id,
    account_id: invite.account_id,
    username: invite.username,
    code: invite.code,
    url: `${baseUrl}/invite/${invite.code}`,
    max_uses: invite.max_uses,
    uses: invite.uses,
    expires_at: timeOrNull(invite.expires_at),
    autofollow: invite.autofollow,
    comment: invite.comment,
    usable: invite.usable,
    created_at: formatTime(invite.created_at),
  }
}
