import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminWarningPreset } from '#entities/admin/server.ts'
import { Empty } from '#entities/empty.ts'
import {
  createWarningPreset,
  deleteWarningPreset,
  getWarningPreset,
  listWarningPresets,
  updateWarningPreset,
} from '#domain/trust/moderation/warning-presets.ts'
import { pathId, text } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderWarningPreset } from '#views/trust/admin-warning-presets.ts'
import type { WarningPresetId } from '#lib/id.ts'

const fields = z.object({ title: text(), text: text() })
const one = z.object({ id: pathId<WarningPresetId>() })
const staff = { auth: 'user', permission: 'manage_settings' } as const
/** Those who warn people choose among them. */
const reader = { auth: 'user', permission: ['manage_settings', 'manage_users', 'manage_reports'] } as const
const read = ['admin:read']
const write = ['admin:write']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/warning_presets',
    returns: listOf(AdminWarningPreset),
    ...reader,
    scopes: read,
    params: z.object({}),
    handle: async ({ ctx }) => (await listWarningPresets(ctx)).map(renderWarningPreset),
  }),
  route({
    method: 'GET',
    path: '/api/v1/admin/warning_presets/:id',
    returns: AdminWarningPreset,
    ...reader,
    scopes: read,
    params: one,
    handle: async ({ ctx, params }) => renderWarningPreset(await getWarningPreset(ctx, params.id)),
  }),
  route({
    method: 'POST',
    path: '/api/v1/admin/warning_presets',
    returns: AdminWarningPreset,
    ...staff,
    scopes: write,
    params: fields,
    handle: async ({ ctx, viewer, params }) =>
      renderWarningPreset(await createWarningPreset(ctx, viewer, params)),
  }),
  route({
    method: 'PUT',
    path: '/api/v1/admin/warning_presets/:id',
    returns: AdminWarningPreset,
    ...staff,
    scopes: write,
    params: fields.extend(one.shape),
    handle: async ({ ctx, viewer, params: { id, ...given } }) =>
      renderWarningPreset(await updateWarningPreset(ctx, viewer, id, given)),
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/admin/warning_presets/:id',
    returns: Empty,
    ...staff,
    scopes: write,
    params: one,
    async handle({ ctx, viewer, params: { id } }) {
      await deleteWarningPreset(ctx, viewer, id)
      return {}
    },
  }),
]
