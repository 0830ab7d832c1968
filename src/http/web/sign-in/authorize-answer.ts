// How the answer to an authorisation request reaches the application.
import { html } from 'hono/html'
import { outOfBand } from '#lib/net/redirect-uri.ts'
import type { ReturnAddress } from '#domain/identity/oauth/authorization.ts'
import type { OauthError } from '#domain/identity/oauth/oauth-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { formPostUrl } from '../kit/assets.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { PageCall } from '../kit/page.ts'

type Answer = { code: string } | { error: OauthError }

/** Sends code or error to the redirect address that was checked before, or shows it where there is none. */
export function answerApplication(
  call: PageCall,
  address: ReturnAddress,
  answer: Answer,
): Promise<Response> | Response {
  if (address.redirectUri === outOfBand) return answerHere(call, answer)
  const values = 'code' in answer ? { code: answer.code } : errorValues(answer.error)
  const all: [string, string][] = Object.entries(
    address.state === '' ? values : { ...values, state: address.state },
  )
  if (address.responseMode === 'form_post') return renderFormPost(call, address.redirectUri, all)
  return redirectTo(withValues(address, all), 302)
}

function errorValues(error: OauthError): Record<string, string> {
  return { error: error.code, error_description: error.message }
}

function answerHere(call: PageCall, answer: Answer): Promise<Response> | Response {
  if ('code' in answer) return redirectTo(`/oauth/authorize/native?${new URLSearchParams(answer)}`, 302)
  const t = textsIn(call.language).pages.authorize
  return renderMessage(call, { title: t.deny, message: t.deniedHere })
}

/** The registered address stays as it was written: only what a header cannot hold is escaped. */
function withValues({ redirectUri, responseMode }: ReturnAddress, values: [string, string][]): string {
  const encoded = values
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')
  const start = redirectUri.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)
  if (responseMode === 'fragment') return `${start}#${encoded}`
  if (!start.includes('?')) return `${start}?${encoded}`
  return /[?&]$/.test(start) ? start + encoded : `${start}&${encoded}`
}

/** OAuth 2.0 Form Post Response Mode: a form for the application, without the token of our own forms. */
function renderFormPost(call: PageCall, redirectUri: string, values: [string, string][]): Promise<Response> {
  const t = textsIn(call.language).pages.authorize
  const inputs = values.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)
  const body = html`<p>${t.sendHint}</p>
    <form method="post" action="${redirectUri}" accept-charset="utf-8">
      ${inputs}
      <button type="submit" class="main">${t.send}</button>
    </form>`
  const formTargets = formTargetsOf(redirectUri)
  return renderPage(call, { title: t.sendTitle, body, formTargets, script: formPostUrl })
}

/** The content policy's name for where a redirect address leads. Odd ones cannot be named, so the rule is left out. */
export function formTargetsOf(redirectUri: string): readonly string[] | 'anywhere' {
  if (redirectUri === outOfBand) return []
  const { protocol, host } = new URL(redirectUri)
  if (protocol !== 'http:' && protocol !== 'https:') return [protocol]
  return /^[a-z0-9.-]+(:\d+)?$/i.test(host) ? [`${protocol}//${host}`] : 'anywhere'
}
