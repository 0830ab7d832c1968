import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminTerms } from '#entities/admin/server.ts'
import { Empty } from '#entities/empty.ts'
import {
  announceTerms,
  createTerms,
  deleteTerms,
  getTerms,
  listTerms,
  publishTerms,
  updateTerms,
} from '#domain/server/instance/terms.ts'
import { pathId, text, truthy } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderAdminTerms } from '#views/server/admin-rules.ts'
import type { TermsOfServiceId } from '#lib/id.ts'

const fields = z.object({ text: text(), changelog: text(), effective_date: text() })
const one = z.object({ id: pathId<TermsOfServiceId>() })
const staff = { auth: 'user', permission: 'manage_settings' } as const
const read = ['admin:read']
const write = ['admin:write']

const toInput = (params: z.output<typeof fields>) => ({
  text: params.text,
  changelog: params.changelog,
  effectiveDate: params.effective_date,
})

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/terms_of_service',
    returns: listOf(AdminTerms),
    ...staff,
    scopes: read,
    handle: async ({ ctx }) => (await listTerms(ctx)).map(renderAdminTerms),
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/terms_of_service/:id',
    returns: AdminTerms,
    ...staff,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderAdminTerms(await getTerms(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/terms_of_service',
    returns: AdminTerms,
    ...staff,
    scopes: write,
    params: fields,
    async handle({ ctx, viewer, params }) {
      const id = await createTerms(ctx, viewer, toInput(params))
      return renderAdminTerms(await getTerms(ctx, id))
    },
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/terms_of_service/:id',
    returns: AdminTerms,
    ...staff,
    scopes: write,
    params: fields.extend(one.shape),
    async handle({ ctx, viewer, params }) {
      await updateTerms(ctx, viewer, params.id, toInput(params))
      return renderAdminTerms(await getTerms(ctx, params.id))
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/terms_of_service/:id/publish',
    returns: AdminTerms,
    ...staff,
    scopes: write,
    params: one.extend({ notify: truthy() }),
    async handle({ ctx, viewer, params }) {
      await publishTerms(ctx, viewer, params.id, { notify: params.notify ?? false })
      return renderAdminTerms(await getTerms(ctx, params.id))
    },
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/terms_of_service/:id/notify',
    returns: AdminTerms,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await announceTerms(ctx, viewer, params.id)
      return renderAdminTerms(await getTerms(ctx, params.id))
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/terms_of_service/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params }) {
      await deleteTerms(ctx, viewer, params.id)
      return {}
    },
  }),
]
