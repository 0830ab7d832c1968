import type { Ctx } from '#ports/ctx.ts'
import type { EventOf, MailRequest } from '#ports/events.ts'
import { mailConfirmation } from '#domain/accounts/confirm.ts'
import { findMailFacts, type MailFacts } from '#domain/accounts/mail-facts.ts'
import { mailReset } from '#domain/accounts/reset-password.ts'
import { findUserToken, mailedToken } from '#domain/accounts/user-tokens.ts'
import { getSettings } from '#domain/instance/settings.ts'
import { findReportFacts } from '#domain/moderation/reports.ts'
import { hasDownload } from '#domain/portability/archive-export.ts'
import type { Letter } from '#views/mails/letters.ts'
import { renderMail } from '#views/mails/render.ts'

/** Writes a mail in its reader's language and sends it. What has become pointless meanwhile is not sent. */
export const sendMail = {
  name: 'mail',
  slow: true,
  async run(ctx: Ctx, { mail }: EventOf<'mail.wanted'>) {
    const reader = await findMailFacts(ctx, mail.userId)
    const letter = reader && (await writeFor(ctx, mail, reader))
    if (!letter) return
    const { site_title: title } = await getSettings(ctx)
    const site = { title, domain: ctx.config.localDomain, baseUrl: ctx.config.baseUrl }
    await ctx.mailer.send({ to: mail.to, ...renderMail(letter, reader.locale, site) })
  },
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

async function writeFor(
  ctx: Ctx,
  mail: MailRequest,
  { username, confirmed }: MailFacts,
): Promise<Letter | null> {
  const link = (path: string) => ctx.config.baseUrl + path
  switch (mail.kind) {
    case 'confirmation': {
      if (!(await findUserToken(ctx, 'confirmation', mail.tokenId))) return null
      const token = mailedToken(ctx, 'confirmation', mail.tokenId)
      return {
        ...mail,
        username,
        changing: confirmed,
        link: link(`/auth/confirmation?confirmation_token=${token}`),
      }
    }
    case 'reset': {
      if (!(await findUserToken(ctx, 'reset', mail.tokenId))) return null
      const token = mailedToken(ctx, 'reset', mail.tokenId)
      return { ...mail, username, link: link(`/auth/password/edit?reset_password_token=${token}`) }
    }
    case 'sign-up-waiting': {
      const waiting = await findMailFacts(ctx, mail.waitingUserId)
      if (!waiting || waiting.approved) return null
      return { ...mail, username, waiting: { ...waiting, reason: waiting.reason ?? '' } }
    }
    case 'report': {
      const report = await findReportFacts(ctx, mail.reportId)
      return report && { ...mail, username, report }
    }
    case 'email-changed':
      return { ...mail, username }
    case 'password-changed':
      return { ...mail, username, link: link('/auth/password/new') }
    case 'approved':
      return { ...mail, username, link: link('/auth/sign_in') }
    case 'archive-ready': {
      if (!(await hasDownload(ctx, mail.backupId))) return null
      const { backups_retention_period: days } = await getSettings(ctx)
      return { ...mail, username, days, link: link(`/settings/backups/${mail.backupId}`) }
    }
  }
}
