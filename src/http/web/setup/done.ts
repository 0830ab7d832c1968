// What comes after the set-up: whether mails arrive, and where to go from here.
import { html } from 'hono/html'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import { findEmailState } from '#domain/identity/accounts/registration/confirm.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { notFound } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { forViewerAt } from '../kit/for-viewer.ts'
import { renderForm } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import { renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'

const path = '/setup/done'
const mailPath = '/setup/mail'

function render(call: PageCall, viewer: Viewer, tested: Html | string = ''): Promise<Response> {
  const t = textsIn(call.language).pages.setUp
  const { smtp } = call.ctx.config
  const body = html`<p>${t.doneHint({ handle: `@${viewer.username}@${call.ctx.config.localDomain}` })}</p>
    ${tested}
    <ol class="steps">
      <li>
        <p>${smtp ? t.mailGoes({ host: smtp.host }) : t.mailStays}</p>
        ${renderForm(call, { action: mailPath, fields: [], submit: t.testMail, quiet: true })}
      </li>
      <li>
        <p>${t.secure} <a href="/settings/two-factor">${t.toFactor}</a></p>
      </li>
      <li>
        <p>${t.introduce} <a href="/welcome">${t.toWelcome}</a></p>
      </li>
      <li>
        <p>${t.decide} <a href="/admin/settings">${t.toDesk}</a></p>
      </li>
    </ol>
    <p><a class="button" href="/publish">${t.firstPost}</a></p>`
  return renderPage(call, { title: t.done, body, wide: true })
}

/** At once and not by a job: whoever waits for it is told why it did not go. */
async function sendTest(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.setUp
  const to = (await findEmailState(call.ctx, viewer.userId))?.email
  if (to === undefined) throw notFound()
  await call.limits.count('mail-tests', viewer.userId)
  const text = t.testText({ domain: call.ctx.config.localDomain })
  const written = await html`<p>${text}</p>`
  try {
    await call.ctx.mailer.send({ to, subject: t.testSubject, text, html: written.toString() })
  } catch (error) {
    call.ctx.log.warn({ error: String(error) }, 'a test mail was not taken')
    return render(call, viewer, html`<p class="problem" role="alert">${t.mailFailed} ${reasonOf(error)}</p>`)
  }
  return render(call, viewer, html`<p class="notice good" role="status">${t.mailSent({ email: to })}</p>`)
}

/** What the mail server said, for whoever runs this one. */
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : '')

const forStaff = (work: (call: PageCall, viewer: Viewer) => Promise<Response>) =>
  forViewerAt(path)(async (call, viewer) => {
    if (!hasPermission(viewer, 'manage_settings')) throw notFound('page_not_found')
    return work(call, viewer)
  })

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/setup/done',
    personal: true,
    handle: forStaff((call, viewer) => render(call, viewer)),
  },
  { method: 'POST', path: '/setup/mail', personal: true, handle: forStaff(sendTest) },
]
