// Extension of the API: posts that wait until staff have looked at them.
import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminHeldPost } from '#entities/admin/spam.ts'
import { Empty } from '#entities/empty.ts'
import { getHeldPost, listHeldPosts, rejectHeldPost } from '#domain/content/spam/held-posts.ts'
import { releaseHeldPost } from '#domain/content/statuses/publish/release-held-post.ts'
import { pageOf, paging, pathId, reference } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { viewHeldPost, viewHeldPosts } from '#views/trust/admin-spam.ts'
import type { HeldPostId, SpamRuleId } from '#lib/id.ts'

const one = z.object({ id: pathId<HeldPostId>() })
const staff = { auth: 'user', permission: 'manage_reports' } as const
const read = ['admin:read']
const write = ['admin:write']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/held_posts',
    returns: listOf(AdminHeldPost),
    ...staff,
    scopes: read,
    params: z.object({ ...paging(100), rule_id: reference<SpamRuleId>() }),
    async handle({ ctx, params }) {
      const page = await listHeldPosts(ctx, pageOf(params), params.rule_id)
      return listed(page, await viewHeldPosts(ctx, page.items))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/held_posts/:id',
    returns: AdminHeldPost,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => viewHeldPost(ctx, await getHeldPost(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/held_posts/:id/release',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await releaseHeldPost(ctx, viewer, params.id)
      return {}
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/held_posts/:id/reject',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await rejectHeldPost(ctx, viewer, params.id)
      return {}
    },
  }),
]
