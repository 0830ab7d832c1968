import { html } from 'hono/html'
import {
  grantCode,
  hasConsented,
  readAuthorization,
  type Authorization,
  type AuthorizationParams,
  type ReadAuthorization,
} from '#domain/identity/oauth/authorization.ts'
import { outOfBand } from '#lib/net/redirect-uri.ts'
import { refuseOauth } from '#domain/identity/oauth/oauth-error.ts'
import { withoutIncluded } from '#domain/identity/oauth/scopes.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { parseTruthy } from '#lib/text/truthy.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { answerApplication, formTargetsOf } from './authorize-answer.ts'
import { scopeText } from './scope-text.ts'
import { renderForm, textParam, textParamOrUndefined } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { returnToName, signInPath } from '../kit/return-to.ts'
import { signOutBrowser } from '../kit/session.ts'

const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const satisfies readonly (keyof AuthorizationParams)[]

function paramsOf(call: PageCall): AuthorizationParams {
  return Object.fromEntries(
    names.map((name) => [name, textParam(call.params, name)]),
  ) as unknown as AuthorizationParams
}

/** Carries on after `force_login` signed the browser out: the question is asked even if it was answered before. */
const askAgain = 'ask_again'

/** Answers what cannot be asked, or goes on with what can. */
async function withAuthorization(
  call: PageCall,
  goOn: (authorization: Authorization) => Promise<Response> | Response,
): Promise<Response> {
  const read: ReadAuthorization = await readAuthorization(call.ctx, paramsOf(call))
  if (read.kind === 'asked') return goOn(read.authorization)
  if (read.kind === 'refused') return answerApplication(call, read.address, { error: read.error })
  const t = textsIn(call.language).pages.authorize
  const more = html`<p class="notice">${read.error.describe(call.language)}</p>`
  return renderMessage(call, { title: t.badTitle, message: t.badHint, status: 400, more })
}

async function askForConsent(call: PageCall, authorization: Authorization): Promise<Response> {
  const forced = parseTruthy(textParam(call.params, 'force_login')) === true
  if (forced && call.viewer) await signOutBrowser(call.ctx, call.browser)
  if (forced || !call.viewer) return redirectTo(signInPath(ownPath(call, forced)), 302)
  if (isLockedOut(call.viewer)) return renderLockedOut(call, call.viewer)
  const again = textParam(call.params, askAgain) !== ''
  if (!again && (await hasConsented(call.ctx, call.viewer.userId, authorization))) {
    return allow(call, call.viewer, authorization)
  }
  return renderConsent(call, call.viewer, authorization)
}

/** This request as a path to come back to after signing in. */
function ownPath(call: PageCall, forced: boolean): string {
  const params = paramsOf(call)
  const query = new URLSearchParams(
    names.filter((name) => params[name] !== '').map((name): [string, string] => [name, params[name]]),
  )
  const lang = textParam(call.params, 'lang')
  if (lang !== '') query.set('lang', lang)
  if (forced || textParam(call.params, askAgain) !== '') query.set(askAgain, '1')
  return `/oauth/authorize?${query}`
}

/** A session of an account that moved away is not locked out: its tokens can do little, but it may look. */
function isLockedOut(viewer: Viewer): boolean {
  return viewer.refusal !== null && viewer.refusal !== 'disabled'
}

function renderLockedOut(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.signIn
  return renderMessage(call, { title: t.title, message: t[viewer.refusal ?? 'disabled'], status: 403 })
}

async function allow(call: PageCall, viewer: Viewer, authorization: Authorization): Promise<Response> {
  const code = await grantCode(call.ctx, viewer.userId, authorization)
  return answerApplication(call, authorization, { code })
}

function renderConsent(call: PageCall, viewer: Viewer, authorization: Authorization): Promise<Response> {
  const t = textsIn(call.language).pages.authorize
  const { application, redirectUri } = authorization
  const hidden = { ...paramsOf(call), lang: textParamOrUndefined(call.params, 'lang') }
  const scopes = withoutIncluded(authorization.scopes)
  const website = application.website
    ? html`<p>
        <a href="${application.website}" rel="noreferrer nofollow">${placeOf(application.website)}</a>
      </p>`
    : ''
  const body = html`${website}
    <p>${t.asks({ app: application.name, account: viewer.username })}</p>
    <ul>
      ${scopes.map((scope) => html`<li>${scopeText(call.language, scope)}</li>`)}
    </ul>
    ${redirectUri === outOfBand ? '' : html`<p class="soft">${t.returns({ where: placeOf(redirectUri) })}</p>`}
    <p class="notice">${t.beware}</p>
    ${renderForm(call, { action: '/oauth/authorize', hidden, fields: [], submit: t.allow })}
    ${renderForm(call, {
      action: '/oauth/authorize',
      hidden: { ...hidden, _method: 'delete' },
      fields: [],
      submit: t.deny,
      quiet: true,
    })}
    ${renderForm(call, {
      action: '/auth/sign_out',
      hidden: { [returnToName]: ownPath(call, true) },
      fields: [],
      submit: t.otherAccount,
      quiet: true,
    })}`
  return renderPage(call, {
    title: t.title({ app: application.name }),
    body,
    formTargets: formTargetsOf(redirectUri),
  })
}

function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return host === '' ? protocol : `${protocol}//${host}`
}

async function decide(call: PageCall): Promise<Response> {
  if (textParam(call.params, '_method').toLowerCase() === 'delete') return deny(call)
  return withAuthorization(call, (authorization) => {
    if (!call.viewer) return redirectTo(signInPath(ownPath(call, false)))
    if (isLockedOut(call.viewer)) return renderLockedOut(call, call.viewer)
    return allow(call, call.viewer, authorization)
  })
}

function deny(call: PageCall): Promise<Response> {
  const error = refuseOauth('access_denied', 'denied')
  return withAuthorization(call, (authorization) => answerApplication(call, authorization, { error }))
}

function renderCode(call: PageCall): Promise<Response> {
  const t = textsIn(call.language).pages.authorize
  const code = textParam(call.params, 'code')
  const body = html`<p>${t.codeHint}</p>
    <code class="secret">${code}</code>`
  return renderPage(call, { title: t.codeTitle, body })
}

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/oauth/authorize',
    handle: (call) => withAuthorization(call, (authorization) => askForConsent(call, authorization)),
  },
  { method: 'POST', path: '/oauth/authorize', handle: decide },
  { method: 'DELETE', path: '/oauth/authorize', handle: deny },
  { method: 'GET', path: '/oauth/authorize/native', handle: renderCode },
]
