import type { Ctx } from '#ports/ctx.ts'
import type { Document } from '#ports/activity-pub.ts'
import { instanceActorName } from '#domain/server/instance/urls.ts'
import { ensureSigningKeys } from '../signatures/signing-keys.ts'
import { toPublicKeys } from '../objects/public-keys.ts'
import { instanceActorUri } from '../kit/uris.ts'
import { open } from './ask.ts'

const tenMinutes = 600

/** The server itself: it signs what no account of it asks for. Everybody may have it, or nobody could check a signature. */
export async function instanceActorDocument(ctx: Ctx): Promise<Document> {
  const { config } = ctx
  const uri = instanceActorUri(config)
  const name = instanceActorName(config)
  const keys = await ensureSigningKeys(ctx, null)
  const body = {
    id: uri,
    type: 'Application',
    preferredUsername: name,
    name: config.localDomain,
    webfinger: `${name}@${config.localDomain}`,
    inbox: `${uri}/inbox`,
    outbox: `${uri}/outbox`,
    endpoints: { sharedInbox: `${config.baseUrl}/inbox` },
    url: `${config.baseUrl}/about/more?instance_actor=true`,
    manuallyApprovesFollowers: true,
    ...toPublicKeys(uri, keys),
  }
  return open(body, tenMinutes)
}

/** It publishes nothing. */
export function instanceOutbox(ctx: Ctx): Document {
  const uri = `${instanceActorUri(ctx.config)}/outbox`
  return open({ id: uri, type: 'OrderedCollection', totalItems: 0, orderedItems: [] }, tenMinutes)
}
