import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { arePasskeysPossible } from '#domain/identity/two-factor/webauthn.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderField, renderForm, textParam, textParamOrUndefined } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { localPath, returnPath, returnToName, signInTargets, withReturn } from '../kit/return-to.ts'
import { askForFactor, finishSignIn, refusalText } from './finish-sign-in.ts'
import { renderProviders, welcomeNewcomer } from './by-others.ts'
import { signOutBrowser } from '../kit/session.ts'
import { findWayOut, renderLeaving } from './leave-provider.ts'
import { trySignIn } from './try-sign-in.ts'
import type { Html } from '../kit/html.ts'

interface Shown {
  name: string
  problem: Html | string | null
  status: number
}

function renderSignIn(call: PageCall, shown: Shown): Promise<Response> {
  const t = textsIn(call.language).pages.signIn
  const path = returnPath(call)
  const { signIn } = call.ctx.config
  const isAsked = !signIn.onlyByOthers || signIn.ldap !== null
  const told = shown.problem && html`<p class="problem" role="alert">${shown.problem}</p>`
  const form = isAsked ? renderPasswordForm(call, path, shown) : (told ?? '')
  const byPassword = html`<li><a href="/auth/sign_up">${t.noAccount}</a></li>
    <li><a href="/auth/password/new">${t.forgotten}</a></li>
    <li><a href="/auth/confirmation/new">${t.noMail}</a></li>`
  const body = html`${path === '/' ? '' : html`<p class="soft">${t.goOn}</p>`} ${form}
    ${renderProviders(call)}
    <ul class="links">
      ${
        arePasskeysPossible(call.ctx.config)
          ? html`<li><a href="${withReturn(call, '/auth/passkey')}">${t.passkey}</a></li>`
          : ''
      }
      ${signIn.onlyByOthers ? '' : byPassword}
    </ul>`
  return renderPage(call, { title: t.title, body, status: shown.status, formTargets: signInTargets(path) })
}

function renderPasswordForm(call: PageCall, path: string, { name, problem }: Shown): Html {
  const t = textsIn(call.language).pages.signIn
  return renderForm(call, {
    action: '/auth/sign_in',
    hidden: {
      [returnToName]: path === '/' ? undefined : path,
      lang: textParamOrUndefined(call.params, 'lang'),
    },
    problem,
    fields: [
      renderField({
        name: 'user[email]',
        label: t.name,
        value: name,
        autocomplete: 'username',
        autofocus: true,
      }),
      renderField({
        name: 'user[password]',
        label: t.password,
        type: 'password',
        autocomplete: 'current-password',
      }),
    ],
    submit: t.title,
  })
}

/** Fields as Mastodon's form names them, or plainly. */
function credentialsOf(call: PageCall) {
  const read = (field: string) => textParam(call.params, 'user', field) || textParam(call.params, field)
  return { name: read('email') || textParam(call.params, 'username'), password: read('password') }
}

async function signIn(call: PageCall): Promise<Response> {
  const given = credentialsOf(call)
  const outcome = await trySignIn(call, given)
  if (outcome.kind === 'wrong') {
    return renderSignIn(call, {
      name: given.name,
      problem: textsIn(call.language).pages.signIn.wrong,
      status: 422,
    })
  }
  if (outcome.kind === 'refused') {
    return renderSignIn(call, { name: given.name, problem: refusalText(call, outcome.refusal), status: 403 })
  }
  if (outcome.kind === 'newcomer') return welcomeNewcomer(call, outcome.identity)
  return outcome.kind === 'half' ? askForFactor(call, outcome.login) : finishSignIn(call, outcome.login)
}

/** Where somebody goes who is signed in. Pages that want who may act send all others here: back would be round and round. */
const placeOf = (call: PageCall, { refusal }: Viewer): string =>
  refusal === null ? returnPath(call) : refusal === 'unconfirmed' ? '/auth/setup' : '/'

async function signOut(call: PageCall): Promise<Response> {
  const { [returnToName]: target } = call.params
  const leaving = target === undefined && call.viewer ? await findWayOut(call, call.viewer.userId) : null
  await signOutBrowser(call.ctx, call.browser)
  const response = leaving
    ? await renderLeaving({ ...call, viewer: null }, leaving)
    : redirectTo(localPath(textParam(call.params, returnToName)))
  // What the web app kept for when there is no network is for nobody else (https://www.w3.org/TR/clear-site-data/).
  response.headers.set('clear-site-data', '"storage"')
  return response
}

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/auth/sign_in',
    handle: async (call) =>
      call.viewer
        ? redirectTo(placeOf(call, call.viewer))
        : renderSignIn(call, { name: '', problem: null, status: 200 }),
  },
  { method: 'POST', path: '/auth/sign_in', handle: signIn },
  { method: 'POST', path: '/auth/sign_out', handle: signOut },
  { method: 'DELETE', path: '/auth/sign_out', handle: signOut },
]
