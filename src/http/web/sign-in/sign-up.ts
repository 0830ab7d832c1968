import { html } from 'hono/html'
import { registerUser } from '#domain/identity/accounts/registration/register.ts'
import { findInvite, findOpenInvite, type Invite } from '#domain/identity/sign-up-restrictions/invites.ts'
import { isClosedUntilSetUp, isDayFull } from '#domain/identity/sign-up-restrictions/registrations.ts'
import { isRegistrationPossible, readSettings } from '#domain/server/instance/settings.ts'
import { listRules } from '#domain/server/instance/rules.ts'
import { isAppError } from '#lib/errors.ts'
import { countAddress } from '#http/kit/address-throttle.ts'
import { countMail } from '#http/kit/mail-throttle.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { signInBrowser } from '../kit/session.ts'
import { renderProviders } from './by-others.ts'
import { problemsOf } from './sign-up-problems.ts'
import { renderTerms, wantsApproval, type Terms } from './sign-up-terms.ts'
import type { Html } from '../kit/html.ts'

const path = '/auth/sign_up'
/** Where a new person waits for their mail. */
const next = '/auth/setup'

function renderSignUp(call: PageCall, terms: Terms, problems: Record<string, string>): Promise<Response> {
  const t = textsIn(call.language).pages.signUp
  const form = renderForm(call, {
    action: path,
    fields: fieldsOf(call, terms, problems),
    submit: t.submit,
    ...(terms.invite && { hidden: { invite_code: inviteCodeOf(call) } }),
  })
  const body = html`${terms.invite ? html`<p class="notice">${t.invited}</p>` : ''}
    ${wantsApproval(terms) ? html`<p class="notice">${t.approval}</p>` : ''} ${renderProviders(call)} ${form}
    <ul class="links">
      <li><a href="/about">${terms.rules.length === 0 ? t.privacy : t.rules}</a></li>
      <li><a href="/auth/sign_in">${t.hasAccount}</a></li>
    </ul>`
  const status = Object.keys(problems).length > 0 ? 422 : 200
  return renderPage(call, { title: t.title, body, status })
}

const inviteCodeOf = (call: PageCall) => textParam(call.params, 'invite_code').trim()

/** Null: nobody gets in this way. */
async function findTerms(call: PageCall, code: string): Promise<Terms | null> {
  const { ctx } = call
  if (ctx.config.signIn.onlyByOthers) return null
  const settings = await readSettings(ctx)
  const invite = code === '' || ctx.config.singleUser ? null : await findOpenInvite(ctx, code)
  if (!invite && !isRegistrationPossible(ctx.config, settings)) return null
  if (await isClosedUntilSetUp(ctx)) return null
  return { settings, invite, rules: await listRules(ctx) }
}

function fieldsOf(call: PageCall, terms: Terms, problems: Record<string, string>): Html[] {
  const t = textsIn(call.language).pages.signUp
  const field = (name: string) => ({ name, value: textParam(call.params, name), problem: problems[name] })
  const fields = [
    renderField({
      ...field('username'),
      label: t.username,
      hint: t.usernameHint({ domain: call.ctx.config.localDomain }),
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
  return [...fields, ...renderTerms(call, terms, problems)]
}

async function renderClosed(call: PageCall): Promise<Response> {
  // Whoever comes through others signs up by signing in.
  if (call.ctx.config.signIn.onlyByOthers) return redirectTo('/auth/sign_in')
  const t = textsIn(call.language).pages.signUp
  const settings = await readSettings(call.ctx)
  const closed = settings.closed_registrations_message || t.closed
  const message = (await isClosedUntilSetUp(call.ctx)) ? t.notSetUp : closed
  return renderMessage(call, { title: t.closedTitle, message, status: 403 })
}

function renderFull(call: PageCall): Promise<Response> {
  const t = textsIn(call.language).pages.signUp
  return renderMessage(call, { title: t.closedTitle, message: t.full, status: 403 })
}

async function show(call: PageCall): Promise<Response> {
  if (call.viewer) return redirectTo(call.viewer.refusal === 'unconfirmed' ? next : '/')
  const terms = await findTerms(call, inviteCodeOf(call))
  if (!terms) return renderClosed(call)
  if (await isDayFull(call.ctx, terms.settings)) return renderFull(call)
  return renderSignUp(call, terms, {})
}

/** The page behind an invite. Programs that ask for JSON learn whether it holds. */
async function showInvite(call: PageCall): Promise<Response> {
  const code = inviteCodeOf(call)
  await countAddress(call.limits, call.address, 'invite')
  const invite = await findInvite(call.ctx, code)
  if (wantsJson(call.request)) return answerInvite(call, invite)
  const t = textsIn(call.language).pages.signUp
  if (!invite) return renderMessage(call, { title: t.inviteGoneTitle, message: t.inviteUnknown, status: 404 })
  if (!invite.usable) {
    return renderMessage(call, { title: t.inviteGoneTitle, message: t.inviteGone, status: 410 })
  }
  return show(call)
}

function wantsJson(request: Request): boolean {
  const accept = request.headers.get('accept') ?? ''
  return accept.includes('application/json') && !accept.includes('text/html')
}

function answerInvite(call: PageCall, invite: Invite | null): Response {
  const json = (status: number, body: object) =>
    Response.json(body, {
      status,
      headers: { 'cache-control': 'private, no-store', 'access-control-allow-origin': '*', vary: 'Accept' },
    })
  const { record_not_found: unknown, invite_not_valid: unusable } = textsIn(call.language).errors.sentences
  if (!invite) return json(404, { error: unknown })
  if (!invite.usable) return json(401, { error: unusable })
  return json(200, {
    invite_code: invite.code,
    instance_api_url: `${call.ctx.config.baseUrl}/api/v2/instance`,
  })
}

async function signUp(call: PageCall): Promise<Response> {
  const { ctx, address } = call
  await countMail(call, 'sign-up', textParam(call.params, 'email').trim())
  const terms = await findTerms(call, inviteCodeOf(call))
  if (!terms) return renderClosed(call)
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
    inviteCode: inviteCodeOf(call),
  }
  try {
    const { userId } = await registerUser(ctx, input, async (_, made) => made)
    const userAgent = call.request.headers.get('user-agent')
    await signInBrowser(ctx, call.browser, { userId, address, userAgent, passwordHash: null })
    return redirectTo(next)
  } catch (error) {
    if (isAppError(error, 'forbidden')) return renderRefused(call, terms)
    return renderSignUp(call, terms, problemsOf(error, call.language))
  }
}

/** Why is not told to whom staff shut out. */
async function renderRefused(call: PageCall, terms: Terms): Promise<Response> {
  return (await isDayFull(call.ctx, terms.settings)) ? renderFull(call) : renderClosed(call)
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/invite/:invite_code', handle: showInvite },
  { method: 'GET', path, handle: show },
  { method: 'POST', path, handle: signUp },
]
