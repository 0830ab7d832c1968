import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { mailTerms } from '#domain/identity/accounts/mail-terms.ts'

/** Mails everybody of new terms. */
export const mailTermsToAll = {
  name: 'mail-terms',
  hasExternalEffects: true,
  background: true,
  run: (ctx: Ctx, { termsId }: EventOf<'terms.published'>) => mailTerms(ctx, termsId),
}
