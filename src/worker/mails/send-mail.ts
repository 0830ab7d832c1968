// From what a mail is about to the mail that goes out.
import type { Ctx } from '#ports/ctx.ts'
import type { MailRequest } from '#ports/events.ts'
import { UndeliverableMail } from '#ports/mailer.ts'
import { findMailFacts, type MailFacts } from '#domain/identity/accounts/mail-facts.ts'
import { unsubscribeToken, wantsMail, type MailKind } from '#domain/identity/accounts/mail-settings.ts'
import { findUserToken, mailedToken } from '#domain/identity/accounts/registration/user-tokens.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { getTerms } from '#domain/server/instance/terms.ts'
import { findReportFacts } from '#domain/trust/moderation/reports/reports.ts'
import { appealWindow, strikeToken } from '#domain/trust/moderation/strikes.ts'
import { findWarningFacts } from '#domain/trust/moderation/warnings.ts'
import { findMissed } from '#domain/reading/notifications/digest.ts'
import type { MailedNotification } from '#domain/reading/notifications/notification-mail.ts'
import { findSignIn } from '#domain/identity/oauth/sign-ins.ts'
import { hasDownload } from '#domain/transfer/portability/archive/archive-export.ts'
import { findRefusedStatus } from '#domain/content/statuses/publish/scheduled.ts'
import { formatAcct } from '#lib/acct.ts'
import type { MailContent } from '#views/mails/mails.ts'
import { renderMail, type MailThread } from '#views/mails/render.ts'
import { formatDay, formatMoment } from '#views/mails/write-mail.ts'
import { languageOf } from '#lib/messages/pick-language.ts'
import { describeReason } from '#lib/messages/describe-error.ts'
import type { AnyId, IdCursor, ScheduledStatusId } from '#lib/id.ts'

/** What is said of a login also to whom it is closed to. */
const always: ReadonlySet<MailRequest['kind']> = new Set([
  'confirmation',
  'reset',
  'email-changed',
  'password-changed',
  'identity',
  'second-factor',
  'warning',
  'appeal-answered',
  'archive-ready',
])

/** The switch that a mail belongs to. */
const switches: Readonly<Partial<Record<MailRequest['kind'], MailKind>>> = {
  'sign-up-waiting': 'pending_account',
  report: 'report',
  appeal: 'appeal',
  digest: 'digest',
}

/** What a mail says, and how it hangs together with others. */
interface Written {
  content: MailContent
  thread: MailThread
}

/** Writes a mail in its reader's language and sends it. What has become pointless meanwhile is not sent. */
export async function sendRequested(ctx: Ctx, mail: MailRequest): Promise<void> {
  const reader = await findMailFacts(ctx, mail.userId)
  if (!reader || !(reader.functional || always.has(mail.kind))) return
  const kind = switches[mail.kind]
  if (kind && !wantsMail(reader.settings, kind)) return
  const content = await writeRequested(ctx, mail, reader)
  if (!content) return
  const id = idOf(mail)
  const thread = { ...(id && { id }), ...(kind && { list: listOf(ctx, reader, kind) }) }
  await send(ctx, reader, { content, thread }, mail.to)
}

/** Mails one notification. */
export async function sendNotificationMail(
  ctx: Ctx,
  reader: MailFacts,
  notification: MailedNotification,
): Promise<void> {
  const content: MailContent = {
    kind: 'notification',
    username: reader.username,
    notification,
    link: linkOf(ctx, reader, notification),
  }
  const conversation = notification.kind === 'mention' ? notification.status?.conversationId : null
  const thread = {
    id: `notification.${notification.id}`,
    list: listOf(ctx, reader, notification.kind),
    ...(conversation && { inReplyTo: `conversation.${conversation}` }),
  }
  await send(ctx, reader, { content, thread }, reader.email)
}

async function send(ctx: Ctx, reader: MailFacts, written: Written, to: string): Promise<void> {
  const { site_title: title } = await getSettings(ctx)
  const site = { title, domain: ctx.config.localDomain, baseUrl: ctx.config.baseUrl }
  const mail = renderMail(written.content, reader.locale, site, written.thread)
  try {
    await ctx.mailer.send({ to, ...mail })
  } catch (error) {
    // Mails that matter are tried again even then: it may be the mail server that is set up wrongly.
    if (!written.thread.list || !(error instanceof UndeliverableMail)) throw error
    ctx.log.warn({ kind: written.content.kind, userId: reader.userId }, 'a mail was refused for good')
  }
}

function listOf(ctx: Ctx, reader: MailFacts, kind: MailKind) {
  const query = new URLSearchParams({ token: unsubscribeToken(ctx, kind, reader.userId), type: kind })
  return {
    name: `${kind}.${reader.username}`,
    unsubscribeUrl: `${ctx.config.baseUrl}/unsubscribe?${query}`,
    settingsUrl: `${ctx.config.baseUrl}/settings/notifications`,
  }
}

/** The post of a mention or quote, else the reader's own; for a follower their profile. */
function linkOf(ctx: Ctx, reader: MailFacts, { kind, from, status }: MailedNotification): string {
  const isTheirs = kind === 'mention' || kind === 'quote' || !status
  const acct = isTheirs ? formatAcct(from.username, from.domain) : reader.username
  return `${ctx.config.baseUrl}/@${encodeURI(acct)}${status ? `/${status.id}` : ''}`
}

/** What makes the same mail the same, also when it is sent again. */
function idOf(mail: MailRequest): string | null {
  const rows: (AnyId | IdCursor | undefined)[] = [
    'tokenId' in mail ? mail.tokenId : undefined,
    'waitingUserId' in mail ? mail.waitingUserId : undefined,
    'reportId' in mail ? mail.reportId : undefined,
    'backupId' in mail ? mail.backupId : undefined,
    'signInId' in mail ? mail.signInId : undefined,
    'warningId' in mail ? mail.warningId : undefined,
    'termsId' in mail ? mail.termsId : undefined,
    'scheduledStatusId' in mail ? mail.scheduledStatusId : undefined,
    'since' in mail ? mail.since : undefined,
  ]
  const row = rows.find((id) => id !== undefined)
  return row === undefined ? null : `${mail.kind}.${row}.${mail.userId}`
}

async function writeRefused(
  ctx: Ctx,
  id: ScheduledStatusId,
  { username, locale, timeZone }: MailFacts,
): Promise<MailContent | null> {
  const post = await findRefusedStatus(ctx, id)
  if (!post) return null
  const time = formatMoment(post.scheduledAt, locale, timeZone)
  const reason = describeReason(post.reason, languageOf(locale))
  return { kind: 'scheduled-status-refused', username, post: { ...post, reason }, time }
}

async function writeRequested(ctx: Ctx, mail: MailRequest, reader: MailFacts): Promise<MailContent | null> {
  const { username } = reader
  const link = (path: string) => ctx.config.baseUrl + path
  switch (mail.kind) {
    case 'confirmation':
    case 'reset':
      return writeLink(ctx, mail, reader)
    case 'sign-up-waiting': {
      const waiting = await findMailFacts(ctx, mail.waitingUserId)
      if (!waiting || waiting.approved) return null
      return { ...mail, username, waiting: { ...waiting, reason: waiting.reason ?? '' } }
    }
    case 'report': {
      const report = await findReportFacts(ctx, mail.reportId)
      return report && { ...mail, username, report }
    }
    case 'approval-required':
    case 'email-changed':
      return { ...mail, username }
    case 'password-changed':
      return { ...mail, username, link: link('/auth/password/new') }
    case 'identity':
      return { ...mail, username, link: link('/settings/identities') }
    case 'second-factor':
      return { ...mail, username, link: link('/settings/two-factor') }
    case 'approved':
    case 'welcome':
      return { ...mail, username, link: link('/auth/sign_in') }
    case 'scheduled-status-refused':
      return writeRefused(ctx, mail.scheduledStatusId, reader)
    case 'new-sign-in': {
      const found = await findSignIn(ctx, mail.signInId)
      const time = found && formatMoment(found.at, reader.locale, reader.timeZone)
      return found && { ...mail, ...found, username, time: time ?? '', link: link('/auth/edit') }
    }
    case 'warning':
    case 'appeal':
    case 'appeal-answered':
      return writeDecision(ctx, mail, reader)
    case 'digest': {
      const missed = await findMissed(ctx, reader, mail.since)
      return missed && { ...mail, username, missed, link: link('/') }
    }
    case 'terms': {
      const terms = await getTerms(ctx, mail.termsId)
      const day = formatDay(new Date(`${terms.day}T00:00:00Z`), reader.locale, 'UTC')
      const isInForce = terms.day <= new Date(ctx.clock.now()).toISOString().slice(0, 10)
      const path = `/terms-of-service/${terms.day}`
      return { ...mail, username, day, isInForce, changelog: terms.changelog, link: link(path) }
    }
    case 'archive-ready': {
      if (!(await hasDownload(ctx, mail.backupId))) return null
      const { backups_retention_period: days } = await getSettings(ctx)
      return { ...mail, username, days, link: link(`/settings/backups/${mail.backupId}`) }
    }
  }
}

type MailOf<K extends MailRequest['kind']> = Extract<MailRequest, { kind: K }>

/** Mails whose link opens an account. */
async function writeLink(
  ctx: Ctx,
  mail: MailOf<'confirmation'> | MailOf<'reset'>,
  { username, confirmed }: MailFacts,
): Promise<MailContent | null> {
  if (!(await findUserToken(ctx, mail.kind, mail.tokenId))) return null
  const token = mailedToken(ctx, mail.kind, mail.tokenId)
  if (mail.kind === 'reset') {
    const link = `${ctx.config.baseUrl}/auth/password/edit?reset_password_token=${token}`
    return { ...mail, username, link }
  }
  const link = `${ctx.config.baseUrl}/auth/confirmation?confirmation_token=${token}`
  return { ...mail, username, changing: confirmed, link }
}

async function writeDecision(
  ctx: Ctx,
  mail: MailOf<'warning'> | MailOf<'appeal'> | MailOf<'appeal-answered'>,
  { username, locale, timeZone }: MailFacts,
): Promise<MailContent | null> {
  const found = await findWarningFacts(ctx, mail.warningId)
  if (!found) return null
  const warning = { ...found, day: formatDay(found.at, locale, timeZone) }
  if (mail.kind !== 'warning') return { ...mail, username, warning }
  const token = strikeToken(ctx, mail.warningId)
  const link = `${ctx.config.baseUrl}/disputes/strikes/${mail.warningId}?${new URLSearchParams({ token })}`
  const until = formatDay(new Date(found.at.getTime() + appealWindow), locale, timeZone)
  return { ...mail, username, warning, link, until }
}
