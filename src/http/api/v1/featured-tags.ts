import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Empty } from '#entities/empty.ts'
import { FeaturedTag, Tag } from '#entities/tag.ts'
import { getAccountFacts } from '#domain/identity/accounts/queries.ts'
import {
  featureTag,
  listFeaturedTags,
  suggestFeaturedTags,
  unfeatureTag,
} from '#domain/content/tags/featured-tags.ts'
import { isTagName } from '#domain/content/tags/queries.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { pathId, text } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderFeaturedTag } from '#views/content/featured-tags.ts'
import { viewTag, viewTags } from '#views/content/tags.ts'
import type { AccountId, FeaturedTagId } from '#lib/id.ts'

const read = ['read', 'read:accounts']
const write = ['write', 'write:accounts']
const byName = z.object({ name: z.string() })

/** A record that lacks its name is wrong, rather than missing. */
function requireTagName(name = ''): string {
  if (name.trim() === '') throw invalid('name', 'blank')
  if (!isTagName(name)) throw invalid('name', 'invalid')
  return name
}

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/featured_tags',
    returns: listOf(FeaturedTag),
    auth: 'user',
    scopes: read,
    async handle({ ctx, viewer }) {
      const rows = await listFeaturedTags(ctx, viewer.accountId)
      return rows.map((row) =>
        renderFeaturedTag(ctx.config, row, { username: viewer.username, domain: null }),
      )
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/featured_tags',
    returns: FeaturedTag,
    auth: 'user',
    scopes: write,
    params: z.object({ name: text() }),
    async handle({ ctx, viewer, params: { name } }) {
      const row = await featureTag(ctx, viewer, requireTagName(name))
      return renderFeaturedTag(ctx.config, row, { username: viewer.username, domain: null })
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/featured_tags/suggestions',
    returns: listOf(Tag),
    auth: 'user',
    scopes: read,
    async handle({ ctx, viewer }) {
      return viewTags(ctx, viewer, await suggestFeaturedTags(ctx, viewer.accountId))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/featured_tags/:id',
    returns: Empty,
    auth: 'user',
    scopes: write,
    params: z.object({ id: pathId<FeaturedTagId>() }),
    async handle({ ctx, viewer, params: { id } }) {
      if (!(await unfeatureTag(ctx, viewer, { id }))) throw notFound()
      return {}
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/tags/:name/feature',
    returns: Tag,
    auth: 'user',
    scopes: write,
    params: byName,
    async handle({ ctx, viewer, params: { name } }) {
      await featureTag(ctx, viewer, name)
      return viewTag(ctx, viewer, name)
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/tags/:name/unfeature',
    returns: Tag,
    auth: 'user',
    scopes: write,
    params: byName,
    async handle({ ctx, viewer, params: { name } }) {
      await unfeatureTag(ctx, viewer, { name })
      return viewTag(ctx, viewer, name)
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/accounts/:id/featured_tags',
    returns: listOf(FeaturedTag),
    auth: 'none',
    caching: 'anonymous',
    params: z.object({ id: pathId<AccountId>() }),
    async handle({ ctx, params: { id } }) {
      const account = await getAccountFacts(ctx, id)
      if (account.suspended_at) return []
      const rows = await listFeaturedTags(ctx, account.id)
      return rows.map((row) => renderFeaturedTag(ctx.config, row, account))
    },
  }),
]
