// Which mails somebody gets.
import { html } from 'hono/html'
import { mailKindsFor, updateMailSettings, wantsMail } from '#domain/identity/accounts/mail-settings.ts'
import type { UserSettings, Viewer } from '#domain/identity/accounts/viewer.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { forViewerAt } from '../kit/for-viewer.ts'
import { renderCheckbox, renderForm, textParam } from '../kit/form.ts'
import { renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'

const path = '/settings/notifications'
const always = 'always_send_emails'

function show(call: PageCall, viewer: Viewer, settings: UserSettings, saved = false): Promise<Response> {
  const t = textsIn(call.language).pages.mailSettings
  const kinds = mailKindsFor(viewer).map((kind) =>
    renderCheckbox({
      name: `notification_emails[${kind}]`,
      label: t.kinds[kind].when,
      checked: wantsMail(settings, kind),
    }),
  )
  const regardless = renderCheckbox({
    name: always,
    label: t.always,
    checked: settings.always_send_emails ?? false,
  })
  const body = html`${saved ? html`<p class="notice" role="status">${t.saved}</p>` : ''}
    <p>${t.hint}</p>
    ${renderForm(call, { action: path, fields: [...kinds, regardless], submit: t.save })}`
  return renderPage(call, { title: t.title, body })
}

/** Boxes that are not ticked are not sent. */
async function save(call: PageCall, viewer: Viewer): Promise<Response> {
  const isTicked = (...name: [string, ...string[]]) => textParam(call.params, ...name) === '1'
  const kinds = Object.fromEntries(
    mailKindsFor(viewer).map((kind) => [kind, isTicked('notification_emails', kind)]),
  )
  await updateMailSettings(call.ctx, viewer.userId, { kinds, always: isTicked(always) })
  const settings = { notification_emails: kinds, always_send_emails: isTicked(always) }
  return show(call, viewer, settings, true)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/settings/notifications',
    handle: forViewer((call, viewer) => show(call, viewer, viewer.settings)),
  },
  { method: 'POST', path: '/settings/notifications', handle: forViewer(save) },
]
