// Tells other servers of local statuses. Those that are for this server's people alone are told to nobody.
import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { deliverQuoteAnswer, deliverQuoteRequest, deliverRevocation } from '#federation/outbox/quotes.ts'
import { deliverReplyRejection } from '#federation/outbox/interactions.ts'
import { deliverChanged, deliverDeleted, deliverNew } from '#federation/outbox/statuses.ts'
import { audienceOf } from '../content/status-audience.ts'

/** Create, or Announce of a boost; and where it quotes somebody elsewhere, the question whether it may. */
export const deliverStatus = {
  name: 'deliver-status',
  hasExternalEffects: true,
  async run(ctx: Ctx, event: EventOf<'status.created'>) {
    const { statusId, past } = event
    const audience = past ? null : await audienceOf(ctx, event)
    if (!audience?.local) return
    await deliverNew(ctx, statusId)
    if (audience.quotes) await deliverQuoteRequest(ctx, statusId)
  },
} as const

/** Update. What changed only around the text, such as a card, is nobody else's. */
export const deliverEdit = {
  name: 'deliver-edit',
  hasExternalEffects: true,
  async run(ctx: Ctx, { statusId, editId }: EventOf<'status.updated'>) {
    if (editId === null) return
    await deliverChanged(ctx, statusId)
    await deliverQuoteRequest(ctx, statusId)
  },
} as const

/** Update of what stands beside the text: who may quote and answer it, and that its own quote was accepted. */
export const deliverTerms = {
  name: 'deliver-terms',
  hasExternalEffects: true,
  run: (ctx: Ctx, { statusId }: EventOf<'quote-policy.changed' | 'quote.accepted'>) =>
    deliverChanged(ctx, statusId, ctx.clock.now()),
} as const

/** Delete, or Undo of a boost. */
export const deliverDelete = {
  name: 'deliver-delete',
  hasExternalEffects: true,
  run: (ctx: Ctx, { statusId }: EventOf<'status.deleted'>) => deliverDeleted(ctx, statusId),
} as const

export const askForQuote = {
  name: 'ask-for-quote',
  hasExternalEffects: true,
  run: (ctx: Ctx, { statusId }: EventOf<'quote.requested'>) => deliverQuoteRequest(ctx, statusId),
} as const

export const rejectReply = {
  name: 'reject-reply',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'reply.refused'>) => deliverReplyRejection(ctx, event),
} as const

export const answerQuote = {
  name: 'answer-quote',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'quote.answered'>) => deliverQuoteAnswer(ctx, event),
} as const

/** Delete of the stamp by the quoted author's server, Update without it by that of who quotes. */
export const deliverQuoteRevoked = {
  name: 'deliver-quote-revoked',
  hasExternalEffects: true,
  async run(ctx: Ctx, event: EventOf<'quote.revoked'>) {
    await deliverRevocation(ctx, event)
    await deliverChanged(ctx, event.statusId, ctx.clock.now())
  },
} as const
