import { z } from 'zod'
import { Token } from '#entities/oauth.ts'
import type { Application } from '#domain/identity/oauth/applications.ts'
import {
  exchangeCode,
  issueApplicationToken,
  issueUserToken,
  refreshToken,
} from '#domain/identity/oauth/exchange.ts'
import type { IssuedToken } from '#domain/identity/oauth/issue-token.ts'
import { invalidGrant, missingParameter, refuseOauth } from '#domain/identity/oauth/oauth-error.ts'
import type { Ctx } from '#ports/ctx.ts'
import { text } from '../kit/params/fields.ts'
import type { Limits } from '../kit/limits.ts'
import { route } from '../kit/route.ts'
import { trySignIn } from '../web/sign-in/try-sign-in.ts'
import { answerOauth, renderToken } from './answers.ts'
import { clientFields, readClient } from './client.ts'

const params = z.object({
  ...clientFields,
  grant_type: text(),
  code: text(),
  redirect_uri: text(),
  code_verifier: text(),
  refresh_token: text(),
  username: text(),
  password: text(),
  scope: text(),
})
type Params = z.output<typeof params>

interface TokenCall {
  ctx: Ctx
  params: Params
  limits: Limits
  address: string
  userAgent: string | null
}

type Grant = (call: TokenCall, application: Application) => Promise<IssuedToken>

const grants: Readonly<Record<string, Grant>> = {
  authorization_code: ({ ctx, params }, application) =>
    exchangeCode(ctx, application, {
      code: needed(params, 'code'),
      redirectUri: needed(params, 'redirect_uri'),
      codeVerifier: params.code_verifier ?? '',
    }),
  client_credentials: ({ ctx, params }, application) =>
    issueApplicationToken(ctx, application, params.scope ?? ''),
  refresh_token: ({ ctx, params }, application) =>
    refreshToken(ctx, application, {
      refreshToken: needed(params, 'refresh_token'),
      asked: params.scope ?? '',
    }),
}

function needed(
  params: Params,
  name: 'code' | 'redirect_uri' | 'refresh_token' | 'username' | 'password',
): string {
  const value = params[name]
  if (value === undefined || value === '') throw missingParameter(name)
  return value
}

/** RFC 6749 section 4.3, for operators who switch it on. */
const passwordGrant: Grant = async (call, application) => {
  const [name, password] = [needed(call.params, 'username'), needed(call.params, 'password')]
  const outcome = await trySignIn(call, { name, password })
  if (outcome.kind !== 'right') throw invalidGrant()
  const { address, userAgent } = call
  const { userId, passwordHash } = outcome.login
  const asked = call.params.scope ?? ''
  return issueUserToken(call.ctx, application, { userId, passwordHash, address, userAgent, asked })
}

function findGrant(ctx: Ctx, name: string | undefined): Grant {
  if (name === undefined || name === '') throw missingParameter('grant_type')
  if (name === 'password' && ctx.config.oauthPasswordGrant) return passwordGrant
  const grant = Object.hasOwn(grants, name) ? grants[name] : undefined
  if (grant) return grant
  throw refuseOauth('unsupported_grant_type', 'grant_type_unsupported')
}

export const routes = [
  route({
    method: 'POST',
    path: '/oauth/token',
    returns: Token,
    auth: 'none',
    open: true,
    params,
    handle: ({ ctx, params, limits, caller, request }) =>
      answerOauth(request, async () => {
        const grant = findGrant(ctx, params.grant_type)
        const application = await readClient(ctx, request, params)
        const userAgent = request.headers.get('user-agent')
        const call = { ctx, params, limits, address: caller.address, userAgent }
        const issued = await grant(call, application)
        return renderToken(issued, ctx.clock.now())
      }),
  }),
]
