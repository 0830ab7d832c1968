import { updateProfile } from '#domain/identity/accounts/profile/update-profile.ts'
import { viewCredentialAccount } from '#views/identity/credential-account.ts'
import { CredentialAccount } from '#entities/account.ts'
import { route } from '#http/kit/route.ts'
import { credentialParams, toProfileInput, toSettingsInput } from './profile-params.ts'

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/accounts/verify_credentials',
    returns: CredentialAccount,
    auth: 'user',
    scopes: ['profile', 'read', 'read:accounts'],
    handle: ({ ctx, viewer }) => viewCredentialAccount(ctx, viewer.accountId),
  }),
  route({
    method: 'PATCH',
    path: '/api/v1/accounts/update_credentials',
    returns: CredentialAccount,
    auth: 'user',
    scopes: ['write', 'write:accounts'],
    uploads: 'avatar',
    params: credentialParams,
    async handle({ ctx, viewer, params }) {
      const input = await toProfileInput(params, ctx.config.limits.avatarBytes)
      await updateProfile(ctx, viewer, { ...input, settings: toSettingsInput(params.source) })
      return viewCredentialAccount(ctx, viewer.accountId)
    },
  }),
]
