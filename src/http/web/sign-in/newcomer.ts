// Somebody has signed in at a provider of identities whom nobody here knows: they get an account, by the rules of this
// server. Who has one already signs in to it, and connects it in the settings (AUTH-18).
import { html } from 'hono/html'
import { providerName } from '#domain/identity/identities/identities.ts'
import { registerUser } from '#domain/identity/accounts/registration/register.ts'
import { suggestUsername } from '#domain/identity/accounts/registration/suggest-username.ts'
import { isDayFull } from '#domain/identity/sign-up-restrictions/registrations.ts'
import { listRules } from '#domain/server/instance/rules.ts'
import { isRegistrationByOthersPossible, readSettings } from '#domain/server/instance/settings.ts'
import { countMail } from '#http/kit/mail-throttle.ts'
import { isAppError } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { ClaimedIdentity } from '#ports/identity-providers.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { returnFields, returnPath, signInPath } from '../kit/return-to.ts'
import { signInBrowser } from '../kit/session.ts'
import { findNewcomer, newcomerPath } from './by-others.ts'
import { problemsOf } from './sign-up-problems.ts'
import { renderTerms, wantsApproval, type Terms } from './sign-up-terms.ts'

/** Where somebody goes on to connect the account that they have. */
const connectPath = signInPath('/settings/identities')

async function findTerms({ ctx }: PageCall): Promise<Terms> {
  return { settings: await readSettings(ctx), invite: null, rules: await listRules(ctx) }
}

interface Shown {
  username: string
  problems: Record<string, string>
}

async function renderNewcomer(
  call: PageCall,
  identity: ClaimedIdentity,
  { username, problems }: Shown,
): Promise<Response> {
  const t = textsIn(call.language).pages.identities
  const { pages } = textsIn(call.language)
  const terms = await findTerms(call)
  const provider = providerName(call.ctx, identity.provider)
  const form = renderForm(call, {
    action: newcomerPath,
    hidden: returnFields(call),
    fields: [
      renderField({
        name: 'username',
        label: pages.signUp.username,
        value: username,
        problem: problems['username'],
        hint: pages.signUp.usernameHint({ domain: call.ctx.config.localDomain }),
        autocomplete: 'username',
        maxLength: 30,
        autofocus: true,
      }),
      renderEmail(call, identity, problems),
      ...renderTerms(call, terms, problems),
    ],
    submit: pages.signUp.submit,
  })
  const hasPasswords = !call.ctx.config.signIn.onlyByOthers
  const body = html`<p>${t.newHint({ provider })}</p>
    ${
      wantsApproval(terms) && terms.settings.registrations_mode === 'approved'
        ? html`<p class="notice">${pages.signUp.approval}</p>`
        : ''
    }
    ${form}
    ${hasPasswords ? html`<p class="soft">${t.haveOne} <a href="${connectPath}">${t.connect}</a></p>` : ''}`
  const status = Object.keys(problems).length > 0 ? 422 : 200
  return renderPage(call, { title: pages.signUp.title, body, status })
}

/** An address that the provider has verified is taken as it is. */
function renderEmail(call: PageCall, identity: ClaimedIdentity, problems: Record<string, string>): Html {
  const t = textsIn(call.language).pages
  const { email: problem } = problems
  if (isSettled(identity)) {
    return html`<p>${t.identities.email({ email: identity.email ?? '' })}</p>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : ''}`
  }
  const value = textParam(call.params, 'email') || (identity.email ?? '')
  return renderField({
    name: 'email',
    label: t.signUp.email,
    type: 'email',
    value,
    problem,
    autocomplete: 'email',
    maxLength: 320,
  })
}

const isSettled = (identity: ClaimedIdentity) => identity.isEmailVerified && identity.email !== null

const forNewcomer =
  (work: (call: PageCall, identity: ClaimedIdentity) => Promise<Response>): Page['handle'] =>
  async (call) => {
    if (call.viewer) return redirectTo(returnPath(call))
    const identity = findNewcomer(call)
    if (!identity) return redirectTo(signInPath(returnPath(call)))
    const settings = await readSettings(call.ctx)
    const isOpen = isRegistrationByOthersPossible(call.ctx.config, settings, identity.provider)
    if (!isOpen || (await isDayFull(call.ctx, settings))) return renderClosed(call, identity, isOpen)
    return work(call, identity)
  }

async function renderClosed(call: PageCall, identity: ClaimedIdentity, isFull: boolean): Promise<Response> {
  const { signUp, identities } = textsIn(call.language).pages
  const { closed_registrations_message: own } = await readSettings(call.ctx)
  const message = isFull ? signUp.full : own || signUp.closed
  const provider = providerName(call.ctx, identity.provider)
  const more = html`<p>
    ${identities.unknown({ provider })} <a href="${connectPath}">${identities.connect}</a>
  </p>`
  return renderMessage(call, { title: signUp.closedTitle, message, status: 403, more })
}

async function show(call: PageCall, identity: ClaimedIdentity): Promise<Response> {
  return renderNewcomer(call, identity, {
    username: await suggestUsername(call.ctx, identity.username),
    problems: {},
  })
}

async function signUp(call: PageCall, identity: ClaimedIdentity): Promise<Response> {
  const { ctx, address } = call
  const given = (name: string) => textParam(call.params, name).trim()
  const email = isSettled(identity) ? (identity.email ?? '') : given('email')
  await countMail(call, 'sign-up', email)
  const username = given('username')
  const input = {
    username,
    email,
    password: null,
    agreement: given('agreement') === '1',
    locale: call.language,
    reason: given('reason'),
    dateOfBirth: given('date_of_birth'),
    address,
    applicationId: null,
    identity,
  }
  try {
    const { userId } = await registerUser(ctx, input, async (_, made) => made)
    const userAgent = call.request.headers.get('user-agent')
    await signInBrowser(ctx, call.browser, { userId, address, userAgent, passwordHash: null })
    return redirectTo(isSettled(identity) ? returnPath(call) : '/auth/setup')
  } catch (error) {
    if (isAppError(error, 'forbidden')) return renderClosed(call, identity, false)
    return renderNewcomer(call, identity, { username, problems: problemsOf(error, call.language) })
  }
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/auth/identity', handle: forNewcomer(show) },
  { method: 'POST', path: '/auth/identity', handle: forNewcomer(signUp) },
]
