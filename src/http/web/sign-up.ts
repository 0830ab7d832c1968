import { html } from 'hono/html'
import { registerUser } from '#domain/accounts/register.ts'
import { isRegistrationPossible, readSettings, type Settings } from '#domain/instance/settings.ts'
import { countAddress } from '../kit/address-throttle.ts'
import { renderCheckbox, renderField, renderForm, textParam } from './form.ts'
import { redirectTo, renderPage } from './layout.ts'
import { renderMessage } from './message.ts'
import type { Page, PageCall } from './page.ts'
import { signInBrowser } from './session.ts'
import { problemsOf } from './sign-up-problems.ts'
import { signUpTexts } from './sign-up-texts.ts'
import type { Html } from './texts.ts'

const path = '/auth/sign_up'
/** Where a new person waits for their mail. */
const next = '/auth/setup'

function renderSignUp(
  call: PageCall,
  settings: Settings,
  problems: Record<string, string>,
): Promise<Response> {
  const t = signUpTexts(call.language)
  const approval = settings.registrations_mode === 'approved'
  const form = renderForm(call, {
    action: path,
    fields: fieldsOf(call, settings, problems),
    submit: t.submit,
  })
  const body = html`${approval ? html`<p class="notice">${t.approval}</p>` : ''} ${form}
    <ul class="links">
      <li><a href="/about">${t.rules}</a></li>
      <li><a href="/auth/sign_in">${t.hasAccount}</a></li>
    </ul>`
  const status = Object.keys(problems).length > 0 ? 422 : 200
  return renderPage(call, { title: t.title, body, status })
}

function fieldsOf(call: PageCall, settings: Settings, problems: Record<string, string>): Html[] {
  const t = signUpTexts(call.language)
  const field = (name: string) => ({ name, value: textParam(call.params, name), problem: problems[name] })
  const fields = [
    renderField({
      ...field('username'),
      label: t.username,
      hint: t.usernameHint(call.ctx.config.localDomain),
      autocomplete: 'username',
      maxLength: 30,
      autofocus: true,
    }),
    renderField({ ...field('email'), label: t.email, type: 'email', autocomplete: 'email', maxLength: 320 }),
    renderField({
      ...field('password'),
      label: t.password,
      type: 'password',
      hint: t.passwordHint,
      autocomplete: 'new-password',
      minLength: 8,
      maxLength: 72,
    }),
  ]
  if (settings.registrations_mode === 'approved') {
    fields.push(
      renderField({
        ...field('reason'),
        label: t.reason,
        required: settings.require_invite_text,
        maxLength: 420,
      }),
    )
  }
  if (settings.min_age !== null) {
    const hint = t.dateOfBirthHint(settings.min_age)
    fields.push(renderField({ ...field('date_of_birth'), label: t.dateOfBirth, type: 'date', hint }))
  }
  const agreement = { name: 'agreement', label: t.agreement, required: true }
  fields.push(
    renderCheckbox(problems['agreement'] ? { ...agreement, problem: problems['agreement'] } : agreement),
  )
  return fields
}

function renderClosed(call: PageCall, settings: Settings): Promise<Response> {
  const t = signUpTexts(call.language)
  const message = settings.closed_registrations_message || t.closed
  return renderMessage(call, { title: t.closedTitle, message, status: 403 })
}

async function show(call: PageCall): Promise<Response> {
  if (call.viewer) return redirectTo(call.viewer.refusal === 'unconfirmed' ? next : '/')
  const settings = await readSettings(call.ctx)
  if (!isRegistrationPossible(call.ctx.config, settings)) return renderClosed(call, settings)
  return renderSignUp(call, settings, {})
}

async function signUp(call: PageCall): Promise<Response> {
  const { ctx, address } = call
  await countAddress(call.limits, address, { name: 'sign-up', limit: 25, seconds: 300 })
  const settings = await readSettings(ctx)
  if (!isRegistrationPossible(ctx.config, settings)) return renderClosed(call, settings)
  const given = (name: string) => textParam(call.params, name)
  const input = {
    username: given('username').trim(),
    email: given('email').trim(),
    password: given('password'),
    agreement: given('agreement') === '1',
    locale: call.language,
    reason: given('reason').trim(),
    dateOfBirth: given('date_of_birth'),
    address,
    applicationId: null,
  }
  try {
    const { userId } = await registerUser(ctx, input, async (_, made) => made)
    const userAgent = call.request.headers.get('user-agent')
    await signInBrowser(ctx, call.browser, { userId, address, userAgent })
    return redirectTo(next)
  } catch (error) {
    return renderSignUp(call, settings, problemsOf(error, call.language))
  }
}

export const pages: readonly Page[] = [
  { method: 'GET', path, handle: show },
  { method: 'POST', path, handle: signUp },
]
