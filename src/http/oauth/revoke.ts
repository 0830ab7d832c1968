import { z } from 'zod'
import { Empty } from '#entities/empty.ts'
import { missingParameter } from '#domain/identity/oauth/oauth-error.ts'
import { notYours, revokeToken } from '#domain/identity/oauth/revoke.ts'
import { text } from '../kit/params/fields.ts'
import { route } from '../kit/route.ts'
import { answerOauth } from './answers.ts'
import { clientFields, findCaller } from './client.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/oauth/revoke',
    returns: Empty,
    auth: 'none',
    open: true,
    params: z.object({ ...clientFields, token: text() }),
    handle: ({ ctx, params, request }) =>
      answerOauth(request, async () => {
        const application = await findCaller(ctx, request, params)
        if (!application) throw notYours()
        if (!params.token) throw missingParameter('token')
        await revokeToken(ctx, application, params.token)
        return {}
      }),
  }),
]
