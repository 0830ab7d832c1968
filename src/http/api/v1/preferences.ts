import { Preferences } from '#entities/account.ts'
import { getOwnProfile } from '#domain/identity/accounts/queries.ts'
import { route } from '#http/kit/route.ts'
import { renderPreferences } from '#views/identity/preferences.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/preferences',
    returns: Preferences,
    auth: 'user',
    scopes: ['read', 'read:accounts'],
    handle: async ({ ctx, viewer }) => renderPreferences(await getOwnProfile(ctx, viewer.accountId)),
  }),
]
