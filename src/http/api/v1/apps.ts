import { z } from 'zod'
import { Application, CredentialApplication } from '#entities/oauth.ts'
import {
  createApplication,
  findApplication,
  type Application as ApplicationFacts,
} from '#domain/identity/oauth/applications.ts'
import { offlineAccess } from '#domain/identity/oauth/scopes.ts'
import { notFound } from '#lib/errors.ts'
import { outOfBand } from '#lib/net/redirect-uri.ts'
import type { Ctx } from '#ports/ctx.ts'
import { countAddress } from '../../kit/address-throttle.ts'
import { text, texts } from '#http/kit/params/fields.ts'
import { route } from '../../kit/route.ts'
import { noId } from '#lib/id.ts'

/** Application (https://docs.joinmastodon.org/entities/Application/). Its list of scopes knows those of the API only. */
function renderApplication(ctx: Ctx, application: Omit<ApplicationFacts, 'clientId'>): Application {
  return {
    id: application.id,
    name: application.name,
    website: application.website,
    scopes: application.scopes.filter((scope) => scope !== offlineAccess),
    redirect_uris: application.redirectUris,
    redirect_uri: application.redirectUris.join('\n'),
    vapid_key: ctx.secrets.vapid.publicKey,
  }
}

/** What tokens belong to that were made on the server itself, by its command line. */
function ownApplication(scopes: readonly string[]): Omit<ApplicationFacts, 'clientId'> {
  return { id: noId(), name: 'Stonechat', website: null, scopes, redirectUris: [outOfBand] }
}

export const routes = [
  route({
    method: 'POST',
    path: '/api/v1/apps',
    returns: CredentialApplication,
    auth: 'none',
    open: true,
    params: z.object({ client_name: text(), redirect_uris: texts(), scopes: texts(), website: text() }),
    handle: async ({ ctx, params, limits, caller }) => {
      await countAddress(limits, caller.address, 'apps')
      const { application, secret } = await createApplication(ctx, {
        name: params.client_name ?? '',
        redirectUris: params.redirect_uris ?? [],
        scopes: params.scopes,
        website: params.website,
      })
      return {
        ...renderApplication(ctx, application),
        client_id: application.clientId,
        client_secret: secret,
        client_secret_expires_at: 0,
      }
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/apps/verify_credentials',
    returns: Application,
    auth: 'token',
    open: true,
    handle: async ({ ctx, caller }) => {
      const token = caller.token!
      if (token.applicationId === null) return renderApplication(ctx, ownApplication(token.scopes))
      const application = await findApplication(ctx, token.applicationId)
      if (!application) throw notFound()
      return renderApplication(ctx, application)
    },
  }),
]
