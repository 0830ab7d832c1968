// The end of an account by whoever has it.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { deleteOwnAccount } from '#domain/maintenance/deletion/delete-account.ts'
import { isAppError } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { forViewerAt } from '../kit/for-viewer.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import { renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { Page, PageCall } from '../kit/page.ts'

const path = '/settings/delete'
const proof = 'current_password'

function show(call: PageCall, viewer: Viewer, wrong = false): Promise<Response> {
  const t = textsIn(call.language).pages.delete
  const password = renderField({
    name: proof,
    label: t.password,
    type: 'password',
    problem: wrong ? t.wrong : undefined,
    autocomplete: 'current-password',
  })
  const body = html`<p>${t.what({ acct: viewer.username })}</p>
    <p><a href="/settings/export">${t.archive}</a></p>
    ${renderForm(call, { action: path, fields: [password], submit: t.submit })}`
  return renderPage(call, { title: t.title, body, status: wrong ? 422 : 200 })
}

/** Guesses at the password are counted together with those on other pages. */
async function carryOut(call: PageCall, viewer: Viewer): Promise<Response> {
  await call.limits.count('password-change', viewer.userId)
  try {
    await deleteOwnAccount(call.ctx, viewer, textParam(call.params, proof))
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    return show(call, viewer, true)
  }
  const t = textsIn(call.language).pages.delete
  return renderMessage(call, { title: t.done, message: t.doneHint })
}

/** Also for those who are not confirmed or let in yet. */
const forViewer = forViewerAt(path, (viewer) => viewer.refusal !== 'disabled')

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/delete', handle: forViewer((call, viewer) => show(call, viewer)) },
  { method: 'POST', path: '/settings/delete', handle: forViewer(carryOut) },
]
