// Where somebody whose address is not confirmed yet corrects it and has the mail sent again.
import { html } from 'hono/html'
import { findEmailState, resendConfirmation } from '#domain/identity/accounts/registration/confirm.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { countConfirmation } from '#http/kit/mail-throttle.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { signInPath } from '../kit/return-to.ts'
import { problemsOf } from '../sign-in/sign-up-problems.ts'

const path = '/auth/setup'

interface Shown {
  email: string
  notice: string
  problem?: string | undefined
}

function renderSetup(call: PageCall, shown: Shown): Promise<Response> {
  const t = textsIn(call.language).pages.confirmation
  const { email: value, problem } = shown
  const form = renderForm(call, {
    action: path,
    fields: [
      renderField({ name: 'email', label: t.email, type: 'email', value, problem, autocomplete: 'email' }),
    ],
    submit: t.resend,
    quiet: true,
  })
  const body = html`<p class="notice">${shown.notice}</p>
    <p class="soft">${t.correct}</p>
    ${form}`
  return renderPage(call, { title: t.setupTitle, body, status: problem ? 422 : 200 })
}

async function show(call: PageCall): Promise<Response> {
  if (!call.viewer) return redirectTo(signInPath(path))
  const state = await findEmailState(call.ctx, call.viewer.userId)
  if (!state || state.confirmed_at) return redirectTo('/')
  return renderSetup(call, { email: state.email, notice: textsIn(call.language).pages.confirmation.setup })
}

async function correct(call: PageCall): Promise<Response> {
  if (!call.viewer) return redirectTo(signInPath(path))
  const { userId } = call.viewer
  const state = await findEmailState(call.ctx, userId)
  if (!state || state.confirmed_at) return redirectTo('/')
  const t = textsIn(call.language).pages.confirmation
  const email = textParam(call.params, 'email').trim()
  await countConfirmation(call, userId, email || state.email)
  try {
    const target = await resendConfirmation(call.ctx, userId, { email, address: call.address })
    return await renderSetup(call, { email: target, notice: t.sentAgain({ email: target }) })
  } catch (error) {
    const { email: problem } = problemsOf(error, call.language)
    return renderSetup(call, { email, notice: t.setup, problem })
  }
}

export const pages: readonly Page[] = [
  { method: 'GET', path, handle: show },
  { method: 'POST', path, handle: correct },
]
