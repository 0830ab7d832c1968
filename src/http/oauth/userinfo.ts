import { Userinfo } from '#entities/oauth.ts'
import { actorUri, profileUrl } from '#domain/server/instance/urls.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import type { Ctx } from '#ports/ctx.ts'
import { viewAccount } from '#views/identity/accounts.ts'
import { route } from '../kit/route.ts'

/** The standard claims of OpenID Connect Core section 5.1 that a public profile has. */
async function viewUserinfo(ctx: Ctx, viewer: Viewer): Promise<Userinfo> {
  const account = await viewAccount(ctx, viewer.accountId)
  return {
    iss: `${ctx.config.baseUrl}/`,
    sub: actorUri(ctx.config, viewer.username),
    name: account.display_name,
    preferred_username: viewer.username,
    profile: profileUrl(ctx.config, viewer.username),
    picture: account.avatar,
  }
}

export const routes = (['GET', 'POST'] as const).map((method) =>
  route({
    method,
    path: '/oauth/userinfo',
    returns: Userinfo,
    auth: 'user',
    scopes: ['profile'],
    handle: ({ ctx, viewer }) => viewUserinfo(ctx, viewer),
  }),
)
