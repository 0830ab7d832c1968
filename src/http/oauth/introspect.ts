import { z } from 'zod'
import { Introspection } from '#entities/oauth.ts'
import { introspectToken } from '#domain/identity/oauth/introspect.ts'
import { missingParameter } from '#domain/identity/oauth/oauth-error.ts'
import { text } from '../kit/params/fields.ts'
import { route } from '../kit/route.ts'
import { answerOauth } from './answers.ts'
import { clientFields, readClient } from './client.ts'

const seconds = (time: Date) => Math.floor(time.getTime() / 1000)

export const routes = [
  /** RFC 7662, for an application's own tokens. */
  route({
    method: 'POST',
    path: '/oauth/introspect',
    returns: Introspection,
    auth: 'none',
    open: true,
    params: z.object({ ...clientFields, token: text() }),
    handle: ({ ctx, params, request }) =>
      answerOauth(request, async (): Promise<Introspection> => {
        const application = await readClient(ctx, request, params)
        if (!params.token) throw missingParameter('token')
        const found = await introspectToken(ctx, application.id, params.token)
        if (!found) return { active: false }
        return {
          active: true,
          scope: found.scopes.join(' '),
          client_id: application.clientId,
          token_type: 'Bearer',
          iat: seconds(found.createdAt),
          ...(found.expiresAt && { exp: seconds(found.expiresAt) }),
          ...(found.username !== null && { username: found.username }),
        }
      }),
  }),
]
