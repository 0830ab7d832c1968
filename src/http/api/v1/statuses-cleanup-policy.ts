import { z } from 'zod'
import { DeletionPolicy } from '#entities/deletion-policy.ts'
import { Empty } from '#entities/empty.ts'
import {
  deleteDeletionPolicy,
  findDeletionPolicy,
  setDeletionPolicy,
} from '#domain/maintenance/retention/deletion-policy.ts'
import { integer, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { parseInteger } from '#lib/text/truthy.ts'
import { renderDeletionPolicy } from '#views/maintenance/deletion-policy.ts'

/** Null, nothing and 0 are no threshold; what is not there leaves it as it is. */
const threshold = () =>
  z.preprocess((value) => {
    if (value === undefined) return undefined
    return typeof value === 'object' ? null : parseInteger(value) || null
  }, z.number().int().nullish())

const fields = z.object({
  enabled: truthy(),
  min_status_age: integer(),
  keep_direct: truthy(),
  keep_pinned: truthy(),
  keep_polls: truthy(),
  keep_media: truthy(),
  keep_self_fav: truthy(),
  keep_self_bookmark: truthy(),
  min_favs: threshold(),
  min_reblogs: threshold(),
})

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/statuses_cleanup_policy',
    returns: DeletionPolicy,
    auth: 'user',
    scopes: ['read', 'read:accounts'],
    handle: async ({ ctx, viewer }) => renderDeletionPolicy(await findDeletionPolicy(ctx, viewer.accountId)),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/statuses_cleanup_policy',
    returns: DeletionPolicy,
    auth: 'user',
    scopes: ['write', 'write:accounts'],
    params: fields,
    async handle({ ctx, viewer, params: { keep_self_fav, min_favs, ...rest } }) {
      const given = { keep_self_favourite: keep_self_fav, min_favourites: min_favs, ...rest }
      const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
      return renderDeletionPolicy(await setDeletionPolicy(ctx, viewer, changes))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/statuses_cleanup_policy',
    returns: Empty,
    auth: 'user',
    scopes: ['write', 'write:accounts'],
    async handle({ ctx, viewer }) {
      await deleteDeletionPolicy(ctx, viewer)
      return {}
    },
  }),
]
