import { listOf, type Json } from '#entities/entity.ts'
import { z } from 'zod'
import { AdminPublisher, AdminTag, AdminTrendsLink, AdminTrendsStatus } from '#entities/admin/trends.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getPublisher, listPublishers } from '#domain/content/cards/providers.ts'
import { listTrendingLinks, listTrendingStatuses, listTrendingTags } from '#domain/reading/trends/queries.ts'
import { reviewLink, reviewPublisher, reviewStatus, reviewTag } from '#domain/reading/trends/review.ts'
import { limit, offset, pageOf, paging, pathId } from '#http/kit/params/fields.ts'
import { offsetLink } from '#http/kit/paging.ts'
import { listed, reply, route } from '#http/kit/route.ts'
import {
  renderPublisher,
  viewAdminTag,
  viewAdminTrendingLink,
  viewAdminTrendingLinks,
  viewAdminTrendingStatus,
  viewAdminTrendingStatuses,
  viewAdminTrendingTags,
} from '#views/reading/admin-trends.ts'
import type { AnyId, PreviewCardId, PreviewCardProviderId, StatusId, TagId } from '#lib/id.ts'

const ranked = (standard: number) => z.object({ limit: limit(standard), offset: offset() })
const read = ['admin:read']
const staff = { auth: 'user', permission: 'manage_taxonomies' } as const

const urlsOf = ({ config: { baseUrl } }: Ctx, { url }: Request) => ({ baseUrl, requestUrl: url })

const lists = [
  route({
    method: 'GET',
    path: '/api/v1/admin/trends/tags',
    returns: listOf(AdminTag),
    ...staff,
    scopes: read,
    params: ranked(10),
    async handle({ ctx, viewer, params, request }) {
      const tags = await listTrendingTags(ctx, viewer, { ...params, unreviewed: true })
      return reply(
        200,
        await viewAdminTrendingTags(ctx, viewer, tags),
        offsetLink(urlsOf(ctx, request), params, tags.length),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/trends/links',
    returns: listOf(AdminTrendsLink),
    ...staff,
    scopes: read,
    params: ranked(10),
    async handle({ ctx, viewer, params, request }) {
      const ids = await listTrendingLinks(ctx, viewer, { ...params, unreviewed: true })
      return reply(
        200,
        await viewAdminTrendingLinks(ctx, ids),
        offsetLink(urlsOf(ctx, request), params, ids.length),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/trends/statuses',
    returns: listOf(AdminTrendsStatus),
    ...staff,
    scopes: read,
    params: ranked(20),
    async handle({ ctx, viewer, params, request }) {
      const ids = await listTrendingStatuses(ctx, viewer, { ...params, unreviewed: true })
      return reply(
        200,
        await viewAdminTrendingStatuses(ctx, viewer, ids),
        offsetLink(urlsOf(ctx, request), params, ids.length),
      )
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/trends/links/publishers',
    returns: listOf(AdminPublisher),
    ...staff,
    scopes: read,
    params: z.object(paging(100)),
    async handle({ ctx, params }) {
      const page = await listPublishers(ctx, pageOf(params))
      return listed(page, page.items.map(renderPublisher))
    },
  }),
]

interface Reviewed<S extends z.ZodType, Id extends AnyId> {
  returns: S
  review(ctx: Ctx, staff: Viewer, id: Id, trendable: boolean): Promise<void>
  view(ctx: Ctx, viewer: Viewer, id: Id): Promise<Json<S>>
}

const tag: Reviewed<typeof AdminTag, TagId> = { returns: AdminTag, review: reviewTag, view: viewAdminTag }
const status: Reviewed<typeof AdminTrendsStatus, StatusId> = {
  returns: AdminTrendsStatus,
  review: reviewStatus,
  view: viewAdminTrendingStatus,
}
const link: Reviewed<typeof AdminTrendsLink, PreviewCardId> = {
  returns: AdminTrendsLink,
  review: reviewLink,
  view: (ctx, _, id) => viewAdminTrendingLink(ctx, id),
}
const publisher: Reviewed<typeof AdminPublisher, PreviewCardProviderId> = {
  returns: AdminPublisher,
  review: reviewPublisher,
  view: async (ctx, _, id) => renderPublisher(await getPublisher(ctx, id)),
}

const decision = <const L extends `/${string}`, S extends z.ZodType, Id extends AnyId>(
  path: L,
  { returns, review, view }: Reviewed<S, Id>,
  trendable: boolean,
) =>
  route({
    method: 'POST',
    path,
    returns,
    ...staff,
    scopes: ['admin:write'],
    params: z.object({ id: pathId<Id>() }),
    async handle({ ctx, viewer, params: { id } }) {
      await review(ctx, viewer, id, trendable)
      return view(ctx, viewer, id)
    },
  })

export const routes = [
  ...lists,
  decision('/api/v1/admin/trends/tags/:id/approve', tag, true),
  decision('/api/v1/admin/trends/tags/:id/reject', tag, false),
  decision('/api/v1/admin/trends/statuses/:id/approve', status, true),
  decision('/api/v1/admin/trends/statuses/:id/reject', status, false),
  decision('/api/v1/admin/trends/links/:id/approve', link, true),
  decision('/api/v1/admin/trends/links/:id/reject', link, false),
  decision('/api/v1/admin/trends/links/publishers/:id/approve', publisher, true),
  decision('/api/v1/admin/trends/links/publishers/:id/reject', publisher, false),
]
