import { z } from 'zod'
import { Tag } from '#entities/tag.ts'
import { followTag, isFollowingTag, unfollowTag } from '#domain/content/tags/follow-tag.ts'
import { route } from '#http/kit/route.ts'
import { viewTag } from '#views/content/tags.ts'

const scopes = ['follow', 'write', 'write:follows']
const params = z.object({ name: z.string() })

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/tags/:name',
    returns: Tag,
    auth: 'optional',
    caching: 'anonymous',
    params,
    handle: ({ ctx, viewer, params: { name } }) => viewTag(ctx, viewer, name),
  }),
  route({
    method: 'POST',
    path: '/api/v1/tags/:name/follow',
    returns: Tag,
    auth: 'user',
    scopes,
    params,
    async handle({ ctx, viewer, params: { name }, limits }) {
      if (!(await isFollowingTag(ctx, viewer, name))) {
        await limits.spend('follows', () => followTag(ctx, viewer, name))
      }
      return viewTag(ctx, viewer, name)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/tags/:name/unfollow',
    returns: Tag,
    auth: 'user',
    scopes,
    params,
    async handle({ ctx, viewer, params: { name } }) {
      await unfollowTag(ctx, viewer, name)
      return viewTag(ctx, viewer, name)
    },
  }),
]
