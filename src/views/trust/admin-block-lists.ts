// Lists of servers, as staff see them.
import type {
  AdminBlockListExclusion,
  AdminBlockListImport,
  AdminBlockListSubscription,
  AdminListedDomain,
} from '#entities/admin/hosts.ts'
import type { Exclusion } from '#domain/trust/block-lists/exclusions.ts'
import type { ListImport } from '#domain/trust/block-lists/import.ts'
import type { DescribedHost } from '#domain/trust/block-lists/preview.ts'
import type { Subscription } from '#domain/trust/block-lists/subscriptions.ts'
import { formatTime } from '#lib/time/time.ts'

const timeOrNull = (time: Date | null) => time && formatTime(time)

export function renderSubscription(list: Subscription): AdminBlockListSubscription {
  return {
    id: list.id,
    title: list.title,
    url: list.url,
    most_severity: list.most_severity,
    applied: list.applied,
    retract: list.retract,
    entries_count: list.entries_count,
    fetched_at: timeOrNull(list.fetched_at),
    tried_at: timeOrNull(list.tried_at),
    error: list.error,
    created_at: formatTime(list.created_at),
    updated_at: formatTime(list.updated_at),
  }
}

/** A listed server, what is known of it here, and what blocking it would end. */
export function renderDescribedHost(host: DescribedHost): AdminListedDomain {
  return {
    domain: host.domain,
    severity: host.severity,
    reject_media: host.rejectMedia,
    reject_reports: host.rejectReports,
    obfuscate: host.obfuscate,
    public_comment: host.publicComment,
    excluded: host.excluded,
    current_severity: host.currentSeverity,
    accounts_count: host.accountsCount,
    follows_count: host.followsCount,
    followers_count: host.followersCount,
  }
}

export function renderImport(done: ListImport): AdminBlockListImport {
  return {
    created: done.created,
    updated: done.updated,
    unchanged: done.unchanged,
    skipped: done.skipped,
    skipped_count: done.skippedCount,
  }
}

export function renderExclusion(one: Exclusion): AdminBlockListExclusion {
  return { domain: one.domain, comment: one.comment, created_at: formatTime(one.created_at) }
}
