import { updateProfile } from '#domain/identity/accounts/profile/update-profile.ts'
import { CredentialAccount, Profile } from '#entities/account.ts'
import { route } from '#http/kit/route.ts'
import { viewCredentialAccount } from '#views/identity/credential-account.ts'
import { viewProfile } from '#views/identity/profile.ts'
import { profileParams, toProfileInput } from './accounts/profile-params.ts'

const writing = ['write', 'write:accounts']

export const routes = [
  route({
    method: 'GET',
    path: '/api/v1/profile',
    returns: Profile,
    auth: 'user',
    scopes: ['profile', 'read', 'read:accounts'],
    handle: ({ ctx, viewer }) => viewProfile(ctx, viewer.accountId),
  }),
  route({
    method: 'PATCH',
    path: '/api/v1/profile',
    returns: Profile,
    auth: 'user',
    scopes: writing,
    uploads: 'avatar',
    params: profileParams,
    async handle({ ctx, viewer, params }) {
      await updateProfile(ctx, viewer, await toProfileInput(params, ctx.config.limits.avatarBytes))
      return viewProfile(ctx, viewer.accountId)
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/profile/avatar',
    returns: CredentialAccount,
    auth: 'user',
    scopes: writing,
    async handle({ ctx, viewer }) {
      await updateProfile(ctx, viewer, { avatar: null })
      return viewCredentialAccount(ctx, viewer.accountId)
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/profile/header',
    returns: CredentialAccount,
    auth: 'user',
    scopes: writing,
    async handle({ ctx, viewer }) {
      await updateProfile(ctx, viewer, { header: null })
      return viewCredentialAccount(ctx, viewer.accountId)
    },
  }),
]
