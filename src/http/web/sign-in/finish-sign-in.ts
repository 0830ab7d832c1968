// What follows the right password or passkey, in whichever way somebody signs in.
import { html } from 'hono/html'
import type { Refusal } from '#domain/identity/accounts/viewer.ts'
import type { Login } from '#domain/identity/oauth/login.ts'
import { startAttempt } from '#domain/identity/oauth/sign-in-attempts.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { redirectTo } from '../kit/layout.ts'
import type { PageCall } from '../kit/page.ts'
import { returnPath, withReturn } from '../kit/return-to.ts'
import { holderOf, keepTicket, signInBrowser } from '../kit/session.ts'
import type { Html } from '../kit/html.ts'

/** Where the second factor is asked for. */
export const factorStepPath = '/auth/second_factor'

/** Nobody is signed in yet: the browser keeps that the password was right, and goes on to the second factor. */
export function askForFactor(call: PageCall, login: Login): Response {
  const { ctx, browser } = call
  keepTicket(ctx, browser, 'attempt', startAttempt(ctx, holderOf(browser), login))
  return redirectTo(withReturn(call, factorStepPath))
}

/** Signs in, and leads back to where it began; or to the second factor that the role demands and that is missing. */
export async function finishSignIn(call: PageCall, login: Login): Promise<Response> {
  const { userId, passwordHash, factor } = login
  const userAgent = call.request.headers.get('user-agent')
  await signInBrowser(call.ctx, call.browser, { userId, address: call.address, userAgent, passwordHash })
  return redirectTo(factor === 'missing' ? withReturn(call, '/settings/two-factor') : returnPath(call))
}

/** Why somebody who showed who they are may not sign in. */
export function refusalText(call: PageCall, refusal: Refusal): Html | string {
  const t = textsIn(call.language).pages.signIn
  if (refusal !== 'unconfirmed') return t[refusal]
  return html`${t.unconfirmed} <a href="/auth/confirmation/new">${t.resend}</a>`
}
