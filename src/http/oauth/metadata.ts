import { AuthorizationServerMetadata } from '#entities/oauth.ts'
import { apiScopes } from '#domain/identity/oauth/scopes.ts'
import { responseModes } from '#domain/identity/oauth/authorization.ts'
import type { Ctx } from '#ports/ctx.ts'
import { route } from '../kit/route.ts'

/** Authorization Server Metadata (RFC 8414). */
function renderMetadata(ctx: Ctx): AuthorizationServerMetadata {
  const { baseUrl, oauthPasswordGrant } = ctx.config
  const clientAuth = ['client_secret_basic', 'client_secret_post']
  return {
    issuer: `${baseUrl}/`,
    service_documentation: 'https://docs.joinmastodon.org/',
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    app_registration_endpoint: `${baseUrl}/api/v1/apps`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    introspection_endpoint: `${baseUrl}/oauth/introspect`,
    userinfo_endpoint: `${baseUrl}/oauth/userinfo`,
    scopes_supported: apiScopes,
    response_types_supported: ['code'],
    response_modes_supported: responseModes,
    grant_types_supported: [
      'authorization_code',
      'client_credentials',
      'refresh_token',
      ...(oauthPasswordGrant ? ['password'] : []),
    ],
    token_endpoint_auth_methods_supported: clientAuth,
    revocation_endpoint_auth_methods_supported: clientAuth,
    introspection_endpoint_auth_methods_supported: clientAuth,
    code_challenge_methods_supported: ['S256'],
  }
}

export const routes = [
  route({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    returns: AuthorizationServerMetadata,
    auth: 'none',
    open: true,
    caching: 'public',
    handle: async ({ ctx }) => renderMetadata(ctx),
  }),
]
