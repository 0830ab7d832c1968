import type { AdminAnnouncement } from '#entities/admin/server.ts'
import type { Announcement, AnnouncementReaction } from '#entities/announcement.ts'
import type { Config, Ctx } from '#ports/ctx.ts'
import { findNamedAccounts, isOwnDomain, type NamedAccount } from '#domain/identity/accounts/lookup.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import {
  findShownAnnouncement,
  listAnnouncements,
  loadAnnouncementReactions,
  loadLinkedStatuses,
  type AnnouncementRow,
  type LinkedStatus,
  type ShownAnnouncement,
} from '#domain/reading/announcements/queries.ts'
import { profileUrl, statusUrl, tagUrl } from '#domain/server/instance/urls.ts'
import { readStatusUrl } from '#domain/reading/search/read-status-url.ts'
import { formatAcct } from '#lib/acct.ts'
import { unique } from '#lib/collections.ts'
import { extractEntities, type TextEntities } from '#lib/text/text.ts'
import { formatTime } from '#lib/time/time.ts'
import { hydrateEmojis } from '../hydrate/emojis.ts'
import { renderReaction } from '../content/reactions.ts'
import type { AccountId, AnnouncementId } from '#lib/id.ts'

/** What the viewer is to read (https://docs.joinmastodon.org/entities/Announcement/), by a constant number of queries. */
export async function viewAnnouncements(
  ctx: Ctx,
  viewer: Viewer,
  { withDismissed }: { withDismissed: boolean },
): Promise<Announcement[]> {
  return viewRows(ctx, viewer.accountId, await listAnnouncements(ctx, viewer.accountId, { withDismissed }))
}

/** One as everybody is told it, without what is a reader's own. Null when people do not see it. */
export async function viewAnnouncementForAll(ctx: Ctx, id: AnnouncementId): Promise<Announcement | null> {
  const row = await findShownAnnouncement(ctx, id)
  const [view] = row ? await viewRows(ctx, null, [row]) : []
  if (!view) return null
  const { read: _, ...shared } = view
  return shared
}

/**
 * How many reacted to an announcement with an emoji, none perhaps, as everybody is told it. Null when people do not see
 * the announcement.
 */
export async function viewReactionForAll(
  ctx: Ctx,
  announcementId: AnnouncementId,
  name: string,
): Promise<AnnouncementReaction | null> {
  if (!(await findShownAnnouncement(ctx, announcementId))) return null
  const rows = (await loadAnnouncementReactions(ctx, null, [announcementId])).get(announcementId) ?? []
  const row = rows.find((one) => one.name === name)
  const shown = row ? renderReaction(ctx.config, null, row) : { name, count: 0 }
  return { ...shown, announcement_id: announcementId }
}

async function viewRows(
  ctx: Ctx,
  viewerId: AccountId | null,
  rows: readonly ShownAnnouncement[],
): Promise<Announcement[]> {
  if (rows.length === 0) return []
  const texts = new Map(rows.map((row) => [row, extractEntities(row.text)]))
  const sourceOf = (row: AnnouncementRow) => ({ text: row.text, domain: null })
  const [accounts, statuses, emojisOf, reactions] = await Promise.all([
    findNamedAccounts(
      ctx,
      [...texts.values()].flatMap((entities) => entities.mentions),
    ),
    loadLinkedStatuses(ctx, addressesOf(ctx.config, rows)),
    hydrateEmojis(ctx, rows.map(sourceOf)),
    loadAnnouncementReactions(
      ctx,
      viewerId,
      rows.map((row) => row.id),
    ),
  ])
  return [...texts].map(([row, entities]) => ({
    ...renderTimes(row),
    ...renderNames(ctx.config, { text: row.text, entities, accounts, statuses }),
    emojis: emojisOf(sourceOf(row)),
    reactions: (reactions.get(row.id) ?? []).map((one) => renderReaction(ctx.config, viewerId, one)),
  }))
}

function renderTimes(row: ShownAnnouncement) {
  return {
    id: row.id,
    content: row.content,
    starts_at: row.starts_at && formatTime(row.starts_at),
    ends_at: row.ends_at && formatTime(row.ends_at),
    all_day: row.all_day,
    published_at: formatTime(row.published_at),
    updated_at: formatTime(row.updated_at),
    read: row.read,
  }
}

/** The addresses that a text names. Links are not asked for: a server may have a name that makes none. */
function addressesIn(text: string): string[] {
  const found = text.match(/https?:\/\/[^\s<>"'()[\]]+/gi) ?? []
  return unique(found.map((address) => address.replace(/[.,;:!?]+$/, '')))
}

/** The addresses in texts that may be those of statuses. */
function addressesOf(config: Config, rows: readonly AnnouncementRow[]) {
  const uris = unique(rows.flatMap((row) => addressesIn(row.text)))
  return { uris, ids: uris.flatMap((url) => readStatusUrl(config, url) ?? []) }
}

interface Names {
  text: string
  entities: TextEntities
  /** Of all texts. */
  accounts: readonly NamedAccount[]
  statuses: readonly LinkedStatus[]
}

function renderNames(config: Config, { text, entities, accounts, statuses }: Names) {
  const key = (username: string, domain: string | null) =>
    `${username}@${isOwnDomain(config, domain) ? '' : domain}`.toLowerCase()
  const handles = new Set(entities.mentions.map(({ username, domain }) => key(username, domain)))
  const urls = new Set(addressesIn(text))
  const ids = new Set([...urls].map((url) => readStatusUrl(config, url)))
  return {
    mentions: accounts
      .filter((account) => handles.has(key(account.username, account.domain)))
      .map((account) => ({
        id: account.id,
        username: account.username,
        url: account.url ?? profileUrl(config, account.username),
        acct: formatAcct(account.username, account.domain),
      })),
    statuses: statuses
      .filter((status) => ids.has(status.id) || urls.has(status.uri ?? ''))
      .map((status) => ({
        id: status.id,
        url: status.url ?? status.uri ?? statusUrl(config, status.username, status.id),
      })),
    tags: unique(entities.hashtags, (tag) => tag.name).map(({ name }) => ({
      name,
      url: tagUrl(config, name),
    })),
  }
}

/** An announcement as staff see it. */
export function renderAdminAnnouncement(row: AnnouncementRow): AdminAnnouncement {
  const time = (date: Date | null) => date && formatTime(date)
  return {
    id: row.id,
    text: row.text,
    content: row.content,
    starts_at: time(row.starts_at),
    ends_at: time(row.ends_at),
    all_day: row.all_day,
    scheduled_at: time(row.scheduled_at),
    published: row.published_at !== null && row.unpublished_at === null,
    published_at: time(row.published_at),
    unpublished_at: time(row.unpublished_at),
    created_at: formatTime(row.created_at),
    updated_at: formatTime(row.updated_at),
  }
}
