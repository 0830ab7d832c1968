// Signing in through a provider of identities: to it and back. The addresses are those that Mastodon has registered there.
import { html } from 'hono/html'
import { linkIdentity } from '#domain/identity/identities/identities.ts'
import { encryptTicket, openTicket } from '#domain/identity/two-factor/tickets.ts'
import { countAddress } from '#http/kit/address-throttle.ts'
import { AppError, notFound } from '#lib/errors.ts'
import { describeReason } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { ClaimedIdentity, IdentityProvider } from '#ports/identity-providers.ts'
import { renderForm, textParam } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { returnFields, returnPath, returnToName, signInPath, withReturn } from '../kit/return-to.ts'
import { forgetTicket, holderOf, keepTicket } from '../kit/session.ts'
import { askForFactor, finishSignIn, refusalText } from './finish-sign-in.ts'
import { admitIdentity, type SignInOutcome } from './try-sign-in.ts'

export const newcomerPath = '/auth/identity'
const settingsPath = '/settings/identities'
/** A longer way back is not kept: cookies have little room. */
const maxReturn = 1500

/** A button for each provider. */
export function renderProviders(call: PageCall): Html | string {
  const { identityProviders, config } = call.ctx
  if (identityProviders.length === 0) return ''
  const t = textsIn(call.language).pages.identities
  return html`<div class="actions">
    ${identityProviders.map((provider) =>
      renderForm(call, {
        action: `/auth/auth/${provider.name}`,
        hidden: returnFields(call),
        fields: [],
        submit: t.signInBy({ provider: provider.displayName }),
        quiet: !config.signIn.onlyByOthers,
      }),
    )}
  </div>`
}

function getProvider(call: PageCall): IdentityProvider {
  const name = textParam(call.params, 'provider')
  const found = call.ctx.identityProviders.find((provider) => provider.name === name)
  if (!found) throw notFound()
  return found
}

/**
 * Leads to the provider by a page and not by a redirect: browsers let a form lead only to where its page says, and where a
 * provider's pages are the provider alone knows.
 */
async function begin(call: PageCall): Promise<Response> {
  const { ctx, browser } = call
  const provider = getProvider(call)
  await countAddress(call.limits, call.address, 'sign-in')
  return told(call, async () => {
    const { url, memory } = await provider.begin()
    const back = returnPath(call)
    const ticket = encryptTicket(ctx, 'provider', holderOf(browser), {
      ...memory,
      provider: provider.name,
      back: back.length > maxReturn ? '/' : back,
      // Who is signed in comes to have it connected, and to nothing else.
      user: call.viewer?.userId ?? '',
    })
    keepTicket(ctx, browser, 'provider', ticket)
    const t = textsIn(call.language).pages.identities
    return renderPage(call, {
      title: t.goTitle({ provider: provider.displayName }),
      head: html`<meta http-equiv="refresh" content="0;url=${url}" />`,
      body: html`<p>
        <a class="button" href="${url}" rel="noreferrer">${t.go({ provider: provider.displayName })}</a>
      </p>`,
    })
  })
}

/** The browser is back. What it was sent for stands in the ticket that it kept, which nobody else has (state, nonce). */
async function comeBack(call: PageCall): Promise<Response> {
  const { ctx, browser } = call
  const provider = getProvider(call)
  await countAddress(call.limits, call.address, 'sign-in')
  const claims = openTicket(ctx, 'provider', holderOf(browser), browser.tickets.provider ?? '')
  forgetTicket(ctx, browser, 'provider')
  const { state = '', nonce = '', verifier = '', back = '/', user = '' } = claims ?? {}
  if (claims?.['provider'] !== provider.name || user !== (call.viewer?.userId ?? '')) return renderStale(call)
  return told(call, async () => {
    const identity = await provider.finish(call.url.searchParams, { state, nonce, verifier })
    if (call.viewer) {
      await linkIdentity(ctx, call.viewer.userId, identity)
      return redirectTo(settingsPath)
    }
    const returning = { ...call, params: { ...call.params, [returnToName]: back } }
    return enter(returning, await admitIdentity(ctx, identity))
  })
}

function enter(call: PageCall, outcome: SignInOutcome): Promise<Response> | Response {
  switch (outcome.kind) {
    case 'newcomer':
      return welcomeNewcomer(call, outcome.identity)
    case 'half':
      return askForFactor(call, outcome.login)
    case 'right':
      return finishSignIn(call, outcome.login)
    case 'refused':
      return renderProblem(call, refusalText(call, outcome.refusal), 403)
    default:
      return renderStale(call)
  }
}

/** Nobody here is known under this identity: the browser keeps it, and goes on to the page where an account is made. */
export function welcomeNewcomer(call: PageCall, identity: ClaimedIdentity): Response {
  const ticket = encryptTicket(call.ctx, 'newcomer', holderOf(call.browser), {
    ...identity,
    email: identity.email?.slice(0, 320) ?? '',
    username: identity.username.slice(0, 100),
    displayName: identity.displayName.slice(0, 100),
    isEmailVerified: identity.isEmailVerified ? '1' : '',
  })
  keepTicket(call.ctx, call.browser, 'newcomer', ticket)
  return redirectTo(withReturn(call, newcomerPath))
}

/** The identity that `welcomeNewcomer` kept. Null when it is old, or of another browser. */
export function findNewcomer({ ctx, browser }: PageCall): ClaimedIdentity | null {
  const claims = openTicket(ctx, 'newcomer', holderOf(browser), browser.tickets.newcomer ?? '')
  if (!claims) return null
  const { provider = '', uid = '', subject = '', email = '', username = '', displayName = '' } = claims
  const isEmailVerified = claims['isEmailVerified'] === '1'
  return { provider, uid, subject, email: email || null, isEmailVerified, username, displayName }
}

/** Runs what may fail at the provider; why is said on a page. */
async function told(call: PageCall, work: () => Promise<Response> | Response): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || !['forbidden', 'unavailable'].includes(error.code)) throw error
    const status = error.code === 'forbidden' ? 403 : 503
    return renderProblem(call, describeReason(error.reason, call.language), status)
  }
}

function renderStale(call: PageCall): Promise<Response> {
  return renderProblem(call, textsIn(call.language).pages.identities.stale, 400)
}

function renderProblem(call: PageCall, problem: Html | string, status: number): Promise<Response> {
  const t = textsIn(call.language).pages.identities
  const back = call.viewer
    ? html`<a class="button" href="${settingsPath}">${t.title}</a>`
    : html`<a class="button" href="${signInPath('/')}">${t.again}</a>`
  return renderMessage(call, {
    title: t.failedTitle,
    message: '',
    status,
    more: html`<p class="problem" role="alert">${problem}</p>
      <p>${back}</p>`,
  })
}

export const pages: readonly Page[] = [
  { method: 'POST', path: '/auth/auth/:provider', handle: begin },
  { method: 'GET', path: '/auth/auth/:provider/callback', handle: comeBack },
]
