// The link in mails that stops mails of their kind, for people and, by one click, for their mail programs (RFC 8058).
import { html } from 'hono/html'
import {
  parseMailKind,
  readUnsubscribeToken,
  updateMailSettings,
  type MailKind,
} from '#domain/identity/accounts/mail-settings.ts'
import { notFound } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderForm, textParam } from '../kit/form.ts'
import { renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { Page, PageCall } from '../kit/page.ts'
import type { UserId } from '#lib/id.ts'

/** What the link is about. Throws `not_found` for one that this server did not make. */
function readLink(call: PageCall): { kind: MailKind; userId: UserId; token: string } {
  const kind = parseMailKind(textParam(call.params, 'type'))
  const token = textParam(call.params, 'token')
  const userId = kind && readUnsubscribeToken(call.ctx, kind, token)
  if (!kind || !userId) throw notFound()
  return { kind, userId, token }
}

/** Asks first: mail programs and their scanners follow links by themselves. */
async function ask(call: PageCall): Promise<Response> {
  const { kind, token } = readLink(call)
  const t = textsIn(call.language).pages.mailSettings
  const form = renderForm(call, {
    action: '/unsubscribe',
    hidden: { token, type: kind },
    fields: [],
    submit: t.stopNow,
  })
  const body = html`<p>${t.stop({ mails: t.kinds[kind].mails, server: call.ctx.config.localDomain })}</p>
    ${form}
    <ul class="links">
      <li><a href="/settings/notifications">${t.toSettings}</a></li>
    </ul>`
  return renderPage(call, { title: t.stopTitle, body })
}

async function stop(call: PageCall): Promise<Response> {
  const { kind, userId } = readLink(call)
  await updateMailSettings(call.ctx, userId, { kinds: { [kind]: false } })
  const t = textsIn(call.language).pages.mailSettings
  return renderMessage(call, {
    title: t.stoppedTitle,
    message: t.stopped({ mails: t.kinds[kind].mails, server: call.ctx.config.localDomain }),
    more: html`<p><a href="/settings/notifications">${t.toSettings}</a></p>`,
  })
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/unsubscribe', handle: ask },
  { method: 'POST', path: '/unsubscribe', signed: true, handle: stop },
]
