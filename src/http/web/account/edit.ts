// The login of whoever is signed in: another address, another password. Both want the current password.
import { html } from 'hono/html'
import { changeEmail } from '#domain/identity/accounts/registration/change-email.ts'
import { findEmailState, type EmailState } from '#domain/identity/accounts/registration/confirm.ts'
import { changePassword } from '#domain/identity/accounts/registration/reset-password.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { countConfirmation } from '#http/kit/mail-throttle.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { signInPath } from '../kit/return-to.ts'
import { problemsOf } from '../sign-in/sign-up-problems.ts'
import type { Html } from '../kit/html.ts'

const path = '/auth/edit'
const emailPath = '/auth/edit/email'
const passwordPath = '/auth/edit/password'
/** The fields with the current password: a name may stand once in a page. */
const emailProof = 'email_current_password'
const passwordProof = 'current_password'

type Problems = Record<string, string>

/** What was sent to which form and refused. */
interface Refused {
  form: 'email' | 'password'
  problems: Problems
}

async function renderEdit(call: PageCall, state: EmailState, refused?: Refused): Promise<Response> {
  const t = textsIn(call.language).pages.edit
  const problemsFor = (form: Refused['form']): Problems => (refused?.form === form ? refused.problems : {})
  const waiting = state.unconfirmed_email
    ? html`<p class="notice">${t.emailWaiting({ email: state.unconfirmed_email })}</p>`
    : ''
  const body = html`<h2>${t.emailTitle}</h2>
    <p>${t.emailNow({ email: state.email })}</p>
    ${waiting} ${renderEmailForm(call, problemsFor('email'))}
    <h2>${t.passwordTitle}</h2>
    ${renderPasswordForm(call, problemsFor('password'))}`
  return renderPage(call, { title: t.title, body, status: refused ? 422 : 200 })
}

function renderEmailForm(call: PageCall, problems: Problems): Html {
  const t = textsIn(call.language).pages.edit
  const email = renderField({
    name: 'email',
    label: t.email,
    type: 'email',
    value: textParam(call.params, 'email'),
    problem: problems['email'],
    autocomplete: 'email',
  })
  return renderForm(call, {
    action: emailPath,
    fields: [email, renderCurrent(call, emailProof, problems)],
    submit: t.changeEmail,
  })
}

function renderPasswordForm(call: PageCall, problems: Problems): Html {
  const t = textsIn(call.language).pages.edit
  const password = renderField({
    name: 'password',
    label: t.password,
    type: 'password',
    hint: t.passwordHint,
    problem: problems['password'],
    autocomplete: 'new-password',
    minLength: 8,
    maxLength: 72,
  })
  const fields = [renderCurrent(call, passwordProof, problems), password]
  return renderForm(call, { action: passwordPath, fields, submit: t.changePassword })
}

function renderCurrent(call: PageCall, name: string, problems: Problems): Html {
  return renderField({
    name,
    label: textsIn(call.language).pages.edit.current,
    type: 'password',
    problem: problems['current_password'],
    autocomplete: 'current-password',
  })
}

/** Runs a page for somebody signed in; strangers sign in first, and the unconfirmed have a page of their own. */
function forViewer(
  work: (call: PageCall, viewer: Viewer, state: EmailState) => Promise<Response>,
): Page['handle'] {
  return async (call) => {
    const state = call.viewer && (await findEmailState(call.ctx, call.viewer.userId))
    if (!call.viewer || !state) return redirectTo(signInPath(path))
    if (!state.confirmed_at) return redirectTo('/auth/setup')
    return work(call, call.viewer, state)
  }
}

async function countChange(call: PageCall, viewer: Viewer): Promise<void> {
  await call.limits.count('password-change', viewer.userId)
}

async function postEmail(call: PageCall, viewer: Viewer, state: EmailState): Promise<Response> {
  await countChange(call, viewer)
  const email = textParam(call.params, 'email').trim()
  await countConfirmation(call, viewer.userId, email)
  try {
    await changeEmail(call.ctx, viewer.userId, {
      email,
      password: textParam(call.params, emailProof),
      address: call.address,
    })
  } catch (error) {
    return renderEdit(call, state, { form: 'email', problems: problemsOf(error, call.language) })
  }
  const t = textsIn(call.language).pages.edit
  return renderDone(call, t.emailAskedTitle, t.emailAsked)
}

async function postPassword(call: PageCall, viewer: Viewer, state: EmailState): Promise<Response> {
  await countChange(call, viewer)
  const user = { userId: viewer.userId, sessionId: call.browser.session?.id ?? null }
  const passwords = {
    current: textParam(call.params, passwordProof),
    next: textParam(call.params, 'password'),
  }
  try {
    await changePassword(call.ctx, user, passwords)
  } catch (error) {
    return renderEdit(call, state, { form: 'password', problems: problemsOf(error, call.language) })
  }
  const t = textsIn(call.language).pages.edit
  return renderDone(call, t.changedTitle, t.changed)
}

function renderDone(call: PageCall, title: string, message: string): Promise<Response> {
  const more = html`<p><a class="button" href="${path}">${textsIn(call.language).pages.edit.back}</a></p>`
  return renderMessage(call, { title, message, more })
}

export const pages: readonly Page[] = [
  { method: 'GET', path, handle: forViewer((call, _, state) => renderEdit(call, state)) },
  { method: 'POST', path: emailPath, handle: forViewer(postEmail) },
  { method: 'POST', path: passwordPath, handle: forViewer(postPassword) },
]
