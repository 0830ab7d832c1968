import { z } from 'zod'
import { listOf } from '#entities/entity.ts'
import { AdminMaintenance } from '#entities/admin/server.ts'
import {
  getMaintenance,
  listMaintenance,
  pauseMaintenance,
  resumeMaintenance,
} from '#domain/maintenance/retention/control.ts'
import { requiredText } from '#http/kit/params/fields.ts'
import { route } from '#http/kit/route.ts'
import { renderMaintenance } from '#views/maintenance/admin-maintenance.ts'

const one = z.object({ name: requiredText() })

// What removes what nobody needs any more.
export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/upkeep',
    returns: listOf(AdminMaintenance),
    auth: 'user',
    permission: 'view_devops',
    scopes: ['admin:read'],
    handle: async ({ ctx }) => (await listMaintenance(ctx)).map(renderMaintenance),
  }),
  ...([pauseMaintenance, resumeMaintenance] as const).map((change) =>
    route({
      method: 'POST',
      path:
        change === pauseMaintenance
          ? '/api/v1/admin/upkeep/:name/pause'
          : '/api/v1/admin/upkeep/:name/resume',
      returns: AdminMaintenance,
      auth: 'user',
      permission: 'manage_settings',
      scopes: ['admin:write'],
      params: one,
      async handle({ ctx, viewer, params }) {
        await change(ctx, viewer, params.name)
        return renderMaintenance(await getMaintenance(ctx, params.name))
      },
    }),
  ),
]
