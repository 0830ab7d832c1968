import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminAnnouncement } from '#entities/admin/server.ts'
import { Empty } from '#entities/empty.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  updateAnnouncement,
} from '#domain/reading/announcements/edit-announcement.ts'
import { getAnnouncement, listAllAnnouncements } from '#domain/reading/announcements/queries.ts'
import { pageOf, paging, pathId, text, truthy } from '#http/kit/params/fields.ts'
import { listed, route } from '#http/kit/route.ts'
import { renderAdminAnnouncement } from '#views/reading/announcements.ts'
import type { AnnouncementId } from '#lib/id.ts'

const fields = z.object({
  text: text(),
  starts_at: text(),
  ends_at: text(),
  all_day: truthy(),
  scheduled_at: text(),
  published: truthy(),
})
const one = z.object({ id: pathId<AnnouncementId>() })
const staff = { auth: 'user', permission: 'manage_announcements' } as const
const read = ['admin:read']
const write = ['admin:write']

const toInput = (params: z.output<typeof fields>) => ({
  text: params.text,
  startsAt: params.starts_at,
  endsAt: params.ends_at,
  allDay: params.all_day,
  scheduledAt: params.scheduled_at,
  published: params.published,
})

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/announcements',
    returns: listOf(AdminAnnouncement),
    ...staff,
    scopes: read,
    params: z.object(paging(100)),
    async handle({ ctx, params }) {
      const page = await listAllAnnouncements(ctx, pageOf(params))
      return listed(page, page.items.map(renderAdminAnnouncement))
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/announcements/:id',
    returns: AdminAnnouncement,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderAdminAnnouncement(await getAnnouncement(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/announcements',
    returns: AdminAnnouncement,
    ...staff,
    scopes: write,
    params: fields,
    async handle({ ctx, viewer, params }) {
      const id = await createAnnouncement(ctx, viewer, toInput(params))
      return renderAdminAnnouncement(await getAnnouncement(ctx, id))
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/announcements/:id',
    returns: AdminAnnouncement,
    ...staff,
    scopes: write,
    params: fields.extend(one.shape),
    async handle({ ctx, viewer, params }) {
      await updateAnnouncement(ctx, viewer, params.id, toInput(params))
      return renderAdminAnnouncement(await getAnnouncement(ctx, params.id))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/announcements/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params: { id } }) {
      await deleteAnnouncement(ctx, viewer, id)
      return {}
    },
  }),
]
