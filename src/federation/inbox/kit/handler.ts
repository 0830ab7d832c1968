// What the handlers of activities take and answer.
import type { StoredActor } from '#domain/identity/accounts/remote/remote-actors.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { JsonObject } from '#federation/kit/json.ts'
import type { AccountId } from '#lib/id.ts'

/** An activity of the actor who signed the request that brought it. */
export interface Incoming {
  /** Its address; null when it has none on its actor's server. */
  id: string | null
  type: string
  json: JsonObject
  actor: StoredActor
  /** Whose personal inbox it came to. */
  recipientId: AccountId | null
  /** When its request was signed, as its sender's clock has it; null where the signature does not say. */
  signedAt: Date | null
}

/**
 * `ignored`: it means nothing here, is not the actor's to do, or cannot be understood. `later`: another server has to
 * be asked that does not answer now.
 */
export type Outcome = 'done' | 'ignored' | 'later'

/** Deals with an activity. An AppError counts as `ignored`. It may be asked to do the same again. */
export type Handler = (ctx: Ctx, incoming: Incoming) => Promise<Outcome>
