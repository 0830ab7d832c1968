// A forgotten password: a link by mail, and the page it leads to.
import { html } from 'hono/html'
import { mayBeMailbox } from '#lib/net/mailbox.ts'
import {
  askForReset,
  isResetPossible,
  resetPassword,
} from '#domain/identity/accounts/registration/reset-password.ts'
import { countAddress } from '#http/kit/address-throttle.ts'
import { countMail } from '#http/kit/mail-throttle.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import { renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { problemsOf } from '../sign-in/sign-up-problems.ts'

const path = '/auth/password'
const tokenName = 'reset_password_token'

function renderAsk(call: PageCall): Promise<Response> {
  const t = textsIn(call.language).pages.password
  const email = renderField({
    name: 'email',
    label: t.email,
    type: 'email',
    autocomplete: 'email',
    autofocus: true,
  })
  return renderPage(call, {
    title: t.askTitle,
    body: renderForm(call, { action: path, fields: [email], submit: t.ask }),
  })
}

/** The same answer for every address (AUTH-15). */
async function ask(call: PageCall): Promise<Response> {
  const email = textParam(call.params, 'email').trim() || textParam(call.params, 'user', 'email').trim()
  await countMail(call, 'password-reset', email)
  if (mayBeMailbox(email)) await askForReset(call.ctx, email)
  const t = textsIn(call.language).pages.password
  return renderMessage(call, { title: t.askTitle, message: t.asked })
}

function renderChange(call: PageCall, token: string, problem?: string): Promise<Response> {
  const t = textsIn(call.language).pages.password
  const password = renderField({
    name: 'password',
    label: t.password,
    type: 'password',
    hint: t.passwordHint,
    problem,
    autocomplete: 'new-password',
    minLength: 8,
    maxLength: 72,
    autofocus: true,
  })
  const form = renderForm(call, {
    action: path,
    hidden: { [tokenName]: token },
    fields: [password],
    submit: t.change,
  })
  return renderPage(call, { title: t.title, body: form, status: problem ? 422 : 200 })
}

function renderInvalid(call: PageCall): Promise<Response> {
  const t = textsIn(call.language).pages.password
  const more = html`<p><a class="button" href="/auth/password/new">${t.askAgain}</a></p>`
  return renderMessage(call, { title: t.invalidTitle, message: t.invalid, more, status: 422 })
}

async function edit(call: PageCall): Promise<Response> {
  const token = textParam(call.params, tokenName)
  return (await isResetPossible(call.ctx, token)) ? renderChange(call, token) : renderInvalid(call)
}

async function change(call: PageCall, token: string): Promise<Response> {
  await countAddress(call.limits, call.address, 'password-reset')
  const t = textsIn(call.language).pages.password
  try {
    if (!(await resetPassword(call.ctx, token, textParam(call.params, 'password'))))
      return await renderInvalid(call)
  } catch (error) {
    return renderChange(call, token, problemsOf(error, call.language)['password'])
  }
  const more = html`<p><a class="button" href="/auth/sign_in">${t.signIn}</a></p>`
  return renderMessage(call, { title: t.changedTitle, message: t.changed, more })
}

async function post(call: PageCall): Promise<Response> {
  const token = textParam(call.params, tokenName)
  return token === '' ? ask(call) : change(call, token)
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/auth/password/new', handle: renderAsk },
  { method: 'GET', path: '/auth/password/edit', handle: edit },
  { method: 'POST', path, handle: post },
]
