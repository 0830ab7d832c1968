import { z } from 'zod'
import { AdminSettings } from '#entities/admin/server.ts'
import { defaultSettings } from '#domain/server/instance/settings.ts'
import { updateSettings } from '#domain/server/instance/update-settings.ts'
import { route } from '#http/kit/route.ts'
import { viewAdminSettings } from '#views/server/admin-settings.ts'

const staff = { auth: 'user', permission: 'manage_settings' } as const

/** A value as the domain reads it; null unsets it. Lists and objects are none. */
const written = () =>
  z.preprocess(
    (value) =>
      value === undefined
        ? undefined
        : value === null
          ? ''
          : typeof value === 'object'
            ? value
            : String(value),
    z.string().optional(),
  )

const fields = z.object(Object.fromEntries(Object.keys(defaultSettings).map((key) => [key, written()])))

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/admin/settings',
    returns: AdminSettings,
    ...staff,
    scopes: ['admin:read'],
    handle: ({ ctx }) => viewAdminSettings(ctx),
  }),
  route({
    method: 'PATCH',
    path: '/api/v1/admin/settings',
    returns: AdminSettings,
    ...staff,
    scopes: ['admin:write'],
    params: fields,
    async handle({ ctx, viewer, params }) {
      const given = Object.entries(params).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      )
      await updateSettings(ctx, viewer, Object.fromEntries(given))
      return viewAdminSettings(ctx)
    },
  }),
]
