import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { mailConfirmation } from '#domain/identity/accounts/registration/confirm.ts'
import { mailReset } from '#domain/identity/accounts/registration/reset-password.ts'
import { sendRequested } from '#worker/mails/send-mail.ts'

/** One after the other: a mail server that keeps us waiting must not take every worker. */
const queue = 'mails'
/** Of those that many get at once, and of which none is urgent: nobody's new password waits behind them. */
export const bulkQueue = 'mails-in-bulk'
/** Kinds that everybody gets at the same time. */
const inBulk: readonly string[] = ['digest', 'terms']

/** Writes a mail and sends it. */
export const sendMail = {
  name: 'mail',
  hasExternalEffects: true,
  slow: true,
  queue: ({ mail }: EventOf<'mail.requested'>) => (inBulk.includes(mail.kind) ? bulkQueue : queue),
  run: (ctx: Ctx, { mail }: EventOf<'mail.requested'>) => sendRequested(ctx, mail),
}

/** Mails the confirmation link to whoever waits for it at an address: see `askForConfirmation`. */
export const answerConfirmationAsked = {
  name: 'confirmation-asked',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'confirmation.asked'>) => mailConfirmation(ctx, event.email),
}

/** Mails the reset link to whoever has an address: see `askForReset`. */
export const answerResetAsked = {
  name: 'password-reset-asked',
  hasExternalEffects: true,
  run: (ctx: Ctx, event: EventOf<'password-reset.asked'>) => mailReset(ctx, event.email),
}
