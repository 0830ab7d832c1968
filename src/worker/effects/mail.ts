import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { mailConfirmation } from '#domain/accounts/confirm.ts'
import { mailReset } from '#domain/accounts/reset-password.ts'
import { sendRequested } from '../mails.ts'

/** Writes a mail and sends it. */
export const sendMail = {
  name: 'mail',
  slow: true,
  run: (ctx: Ctx, { mail }: EventOf<'mail.wanted'>) => sendRequested(ctx, mail),
}

/** Mails the confirmation link to whoever waits for it at an address: see `askForConfirmation`. */
export const answerConfirmationAsked = {
  name: 'confirmation-asked',
  run: (ctx: Ctx, event: EventOf<'confirmation.asked'>) => mailConfirmation(ctx, event.email),
}

/** Mails the reset link to whoever has an address: see `askForReset`. */
export const answerResetAsked = {
  name: 'password-reset-asked',
  run: (ctx: Ctx, event: EventOf<'password-reset.asked'>) => mailReset(ctx, event.email),
}
