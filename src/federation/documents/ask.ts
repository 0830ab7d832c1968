import type { Ctx } from '#ports/ctx.ts'
import type { Document, Signer } from '#ports/activity-pub.ts'
import type { ServedAccount } from '#domain/federation/queue/published-objects.ts'
import { isAppError } from '#lib/errors.ts'
import { jsonLdContext } from '../objects/context.ts'
import type { JsonObject } from '../kit/json.ts'

/** A request for one document, after its path was read. */
export interface Ask {
  ctx: Ctx
  query: URLSearchParams
  /** Who signed it; asked only where the answer depends on it. Throws for a signature that is not good. */
  signer(): Promise<Signer | null>
}

/** The same about a local account that is there. */
export interface AccountAsk extends Ask {
  account: ServedAccount
  /** The actor's id. */
  actor: string
}

/** Who asks for what everybody may have, where that can be told: a bad signature is none then. */
export const signerIfGood = (ask: Ask): Promise<Signer | null> =>
  ask.signer().catch((error: unknown) => {
    if (isAppError(error, 'unauthorized')) return null
    throw error
  })

const threeMinutes = 180

/** A document that everybody may have, and keep for some time. */
export const open = (body: JsonObject, maxAge = threeMinutes): Document => ({
  body: { '@context': jsonLdContext, ...body },
  maxAge,
  gone: false,
})

/** A document for whoever asked. */
export const personal = (body: JsonObject): Document => open(body, 0)
