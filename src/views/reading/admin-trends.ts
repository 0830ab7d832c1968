// What staff look at when they decide what may trend.
import type { Tag } from '#entities/tag.ts'
import type { AdminPublisher, AdminTag, AdminTrendsLink, AdminTrendsStatus } from '#entities/admin/trends.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { Publisher } from '#domain/content/cards/providers.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { getManagedTag, loadManagedTags, type ManagedTag } from '#domain/content/tags/manage.ts'
import type { TagFacts } from '#domain/content/tags/queries.ts'
import { loadUnreviewed } from '#domain/reading/trends/queries.ts'
import { notFound } from '#lib/errors.ts'
import { formatTime } from '#lib/time/time.ts'
import { viewStatuses } from '../content/statuses.ts'
import { viewTags } from '../content/tags.ts'
import { loadTrendingLinkViews } from './trends.ts'
import { asId, type PreviewCardId, type StatusId, type TagId } from '#lib/id.ts'

/** Admin::Tag (https://docs.joinmastodon.org/entities/Tag/#admin) of tags, in their order. */
export async function viewAdminTags(
  ctx: Ctx,
  viewer: Viewer,
  tags: readonly ManagedTag[],
): Promise<AdminTag[]> {
  const [views, settings] = await Promise.all([viewTags(ctx, viewer, tags), getSettings(ctx)])
  return tags.map((tag, index) => ({
    ...(views[index] as Tag),
    trendable: tag.trendable ?? settings.trendable_by_default,
    usable: tag.usable,
    listable: tag.listable,
    requires_review: tag.reviewed_at === null,
  }))
}

/** One Admin::Tag. Throws `not_found`. */
export async function viewAdminTag(ctx: Ctx, viewer: Viewer, id: TagId): Promise<AdminTag> {
  const [view] = await viewAdminTags(ctx, viewer, [await getManagedTag(ctx, id)])
  return view as AdminTag
}

/** Admin::Tag of tags that trend. */
export async function viewAdminTrendingTags(
  ctx: Ctx,
  viewer: Viewer,
  tags: readonly TagFacts[],
): Promise<AdminTag[]> {
  const ids = tags.map((tag) => tag.id)
  const found = await loadManagedTags(ctx, ids)
  return viewAdminTags(
    ctx,
    viewer,
    ids.flatMap((id) => found.get(id) ?? []),
  )
}

/** Admin::Trends::Link: Trends::Link with the id by which staff decide about it. */
export async function viewAdminTrendingLinks(
  ctx: Ctx,
  ids: readonly PreviewCardId[],
): Promise<AdminTrendsLink[]> {
  const [links, waiting] = await Promise.all([
    loadTrendingLinkViews(ctx, ids),
    loadUnreviewed(ctx, 'links', ids),
  ])
  return ids.flatMap((id) => {
    const link = links.get(id)
    return link ? { id, ...link, requires_review: waiting.has(id) } : []
  })
}

/** One Admin::Trends::Link. Throws `not_found` for a card with nothing to show. */
export async function viewAdminTrendingLink(ctx: Ctx, id: PreviewCardId): Promise<AdminTrendsLink> {
  const [link] = await viewAdminTrendingLinks(ctx, [id])
  if (!link) throw notFound()
  return link
}

/** Admin::Trends::Status: Status with whether somebody has to decide about it. */
export async function viewAdminTrendingStatuses(
  ctx: Ctx,
  viewer: Viewer,
  ids: readonly StatusId[],
): Promise<AdminTrendsStatus[]> {
  const [statuses, waiting] = await Promise.all([
    viewStatuses(ctx, viewer, ids),
    loadUnreviewed(ctx, 'statuses', ids),
  ])
  return statuses.map((status) => ({ ...status, requires_review: waiting.has(asId<StatusId>(status.id)) }))
}

/** One Admin::Trends::Status. Throws `not_found`. */
export async function viewAdminTrendingStatus(
  ctx: Ctx,
  viewer: Viewer,
  id: StatusId,
): Promise<AdminTrendsStatus> {
  const [status] = await viewAdminTrendingStatuses(ctx, viewer, [id])
  if (!status) throw notFound()
  return status
}

/** PreviewCardProvider, as Mastodon's admin API shows publishers. */
export function renderPublisher(publisher: Publisher): AdminPublisher {
  return {
    id: publisher.id,
    domain: publisher.domain,
    trendable: publisher.trendable,
    reviewed_at: publisher.reviewed_at && formatTime(publisher.reviewed_at),
    requested_review_at: publisher.requested_review_at && formatTime(publisher.requested_review_at),
    requires_review: publisher.reviewed_at === null,
  }
}
