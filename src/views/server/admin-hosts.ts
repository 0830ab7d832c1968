import type { AdminDomainAllow, AdminDomainBlock, AdminRelay } from '#entities/admin/hosts.ts'
import { createHash } from 'node:crypto'
import type { HostAllow } from '#domain/trust/moderation/hosts/host-allows.ts'
import type { HostBlock } from '#domain/trust/moderation/hosts/host-blocks.ts'
import type { RelayRow } from '#domain/federation/relays/relays.ts'
import { formatTime } from '#lib/time/time.ts'

/** Admin::DomainBlock (https://docs.joinmastodon.org/entities/Admin_DomainBlock/). */
export function renderHostBlock(block: HostBlock): AdminDomainBlock {
  return {
    id: block.id,
    domain: block.domain,
    digest: createHash('sha256').update(block.domain).digest('hex'),
    created_at: formatTime(block.created_at),
    severity: block.severity,
    reject_media: block.reject_media,
    reject_reports: block.reject_reports,
    private_comment: block.private_comment,
    public_comment: block.public_comment,
    obfuscate: block.obfuscate,
  }
}

/** Admin::DomainAllow (https://docs.joinmastodon.org/entities/Admin_DomainAllow/). */
export function renderHostAllow(allow: HostAllow): AdminDomainAllow {
  return { id: allow.id, domain: allow.domain, created_at: formatTime(allow.created_at) }
}

/** A relay: a server that passes public posts on. */
export function renderRelay(relay: RelayRow): AdminRelay {
  return { id: relay.id, inbox_url: relay.inbox_url, actor_uri: relay.actor_uri, state: relay.state }
}
