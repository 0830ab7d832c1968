import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { Announcement } from '#entities/announcement.ts'
import { Empty } from '#entities/empty.ts'
import { dismissAnnouncement } from '#domain/reading/announcements/dismiss.ts'
import { reactToAnnouncement, unreactToAnnouncement } from '#domain/reading/announcements/react.ts'
import { apiScopes } from '#domain/identity/oauth/scopes.ts'
import { pathId, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { viewAnnouncements } from '#views/reading/announcements.ts'
import type { AnnouncementId } from '#lib/id.ts'

const one = z.object({ id: pathId<AnnouncementId>() })
const withName = one.extend({ name: z.string() })
const favourites = ['write', 'write:favourites']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/announcements',
    returns: listOf(Announcement),
    auth: 'user',
    // Any scope opens announcements.
    scopes: apiScopes,
    params: z.object({ with_dismissed: truthy() }),
    handle: ({ ctx, viewer, params }) =>
      viewAnnouncements(ctx, viewer, { withDismissed: params.with_dismissed ?? false }),
  }),
  route({
    method: 'POST',
    path: '/api/v1/announcements/:id/dismiss',
    returns: Empty,
    auth: 'user',
    scopes: ['write', 'write:accounts'],
    params: one,
    async handle({ ctx, viewer, params: { id } }) {
      await dismissAnnouncement(ctx, viewer, id)
      return {}
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/announcements/:id/reactions/:name',
    returns: Empty,
    auth: 'user',
    scopes: favourites,
    params: withName,
    async handle({ ctx, viewer, params: { id, name } }) {
      await reactToAnnouncement(ctx, viewer, id, name)
      return {}
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/announcements/:id/reactions/:name',
    returns: Empty,
    auth: 'user',
    scopes: favourites,
    params: withName,
    async handle({ ctx, viewer, params: { id, name } }) {
      await unreactToAnnouncement(ctx, viewer, id, name)
      return {}
    },
  }),
]
