// The second factors of whoever is signed in: which there are, and everything but setting one up.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import {
  getFactorState,
  isFactorOn,
  type FactorState,
  type Passkey,
} from '#domain/identity/two-factor/factor-state.ts'
import { maxNicknameLength, maxPasskeys } from '#domain/identity/two-factor/passkeys.ts'
import { proveByPassword } from '#domain/identity/two-factor/proofs.ts'
import { renewRecoveryCodes } from '#domain/identity/two-factor/recovery-codes.ts'
import { turnOtpOff } from '#domain/identity/two-factor/turn-off.ts'
import { arePasskeysPossible } from '#domain/identity/two-factor/webauthn.ts'
import { isAppError } from '#lib/errors.ts'
import { renderField, renderForm, textParam } from '#http/web/kit/form.ts'
import { renderPage } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { returnFields } from '#http/web/kit/return-to.ts'
import { holderOf, keepTicket } from '#http/web/kit/session.ts'
import type { Html } from '#http/web/kit/html.ts'
import { textsIn } from '#lib/messages/texts.ts'
import {
  dayText,
  factorsPath,
  findProof,
  forProven,
  forViewer,
  leadBack,
  noticeName,
  renderCodes,
  type Notice,
  type Proven,
} from './two-factor-parts.ts'

/** `mayChange`: the password was given just now. */
interface Shown {
  state: FactorState
  mayChange: boolean
}

async function show(call: PageCall, viewer: Viewer, wrongPassword = false): Promise<Response> {
  const t = textsIn(call.language).pages.twoFactor
  const state = await getFactorState(call.ctx, viewer.userId)
  const shown = { state, mayChange: findProof(call, viewer) !== null }
  const isOn = isFactorOn(state)
  const required = state.required ? html`<p class="notice">${isOn ? t.requiredOn : t.required}</p>` : ''
  const body = html`${renderNotice(call)}
    <p>${t.hint} <strong>${isOn ? t.on : t.off}</strong></p>
    ${required} ${shown.mayChange ? '' : renderUnlock(call, wrongPassword)} ${renderApp(call, shown)}
    ${renderPasskeys(call, shown)} ${isOn ? renderCodesLeft(call, shown) : ''}`
  return renderPage(call, { title: t.title, body, status: wrongPassword ? 422 : 200 })
}

function renderNotice(call: PageCall): Html | string {
  const t = textsIn(call.language).pages.twoFactor
  const texts: Record<Notice, string> = {
    locked: t.locked,
    needed: t.needed,
    passkeyFailed: t.passkeyFailed,
    passkeyTooMany: t.passkeyTooMany({ most: maxPasskeys }),
  }
  const name = textParam(call.params, noticeName)
  const text = Object.hasOwn(texts, name) ? texts[name as Notice] : null
  return text === null ? '' : html`<p class="problem" role="alert">${text}</p>`
}

function renderUnlock(call: PageCall, wrong: boolean): Html {
  const t = textsIn(call.language).pages.twoFactor
  const password = renderField({
    name: 'current_password',
    label: t.password,
    type: 'password',
    hint: t.unlockHint,
    problem: wrong ? t.wrongPassword : undefined,
    autocomplete: 'current-password',
    autofocus: wrong,
  })
  return html`<section class="unlock">
    <h2>${t.unlockTitle}</h2>
    ${renderForm(call, {
      action: `${factorsPath}/unlock`,
      hidden: returnFields(call),
      fields: [password],
      submit: t.unlock,
    })}
  </section>`
}

const renderAction = (call: PageCall, path: string, submit: string, quiet = false) =>
  renderForm(call, { action: factorsPath + path, hidden: returnFields(call), fields: [], submit, quiet })

function renderApp(call: PageCall, { state, mayChange }: Shown): Html {
  const t = textsIn(call.language).pages.twoFactor
  const isOn = state.otpSince !== null
  const actions = html`<div class="actions">
    ${renderAction(call, '/app', isOn ? t.appReplace : t.appBegin, isOn)}
    ${isOn ? renderAction(call, '/app/remove', t.appRemove, true) : ''}
  </div>`
  return html`<h2>${t.appTitle}</h2>
    <p>${state.otpSince ? t.appOn({ day: dayText(call, state.otpSince) }) : t.appOff}</p>
    ${mayChange ? actions : ''}`
}

function renderPasskeys(call: PageCall, shown: Shown): Html {
  const t = textsIn(call.language).pages.twoFactor
  const { passkeys } = shown.state
  const list =
    passkeys.length === 0
      ? ''
      : html`<ul class="rows">
          ${passkeys.map((passkey) => renderPasskey(call, passkey, shown.mayChange))}
        </ul>`
  return html`<h2>${t.passkeysTitle}</h2>
    <p>${t.passkeysHint}</p>
    ${list} ${shown.mayChange ? renderNewPasskey(call, passkeys.length) : ''}`
}

function renderNewPasskey(call: PageCall, count: number): Html {
  const t = textsIn(call.language).pages.twoFactor
  if (!arePasskeysPossible(call.ctx.config)) return html`<p class="soft">${t.passkeysImpossible}</p>`
  if (count >= maxPasskeys) return html`<p class="soft">${t.passkeyTooMany({ most: maxPasskeys })}</p>`
  const name = renderField({
    name: 'nickname',
    label: t.passkeyName,
    hint: t.passkeyNameHint,
    maxLength: maxNicknameLength,
  })
  return renderForm(call, {
    action: `${factorsPath}/passkeys`,
    hidden: returnFields(call),
    fields: [name],
    submit: t.passkeyBegin,
  })
}

function renderPasskey(call: PageCall, passkey: Passkey, mayChange: boolean): Html {
  const t = textsIn(call.language).pages.twoFactor
  const path = `/passkeys/${passkey.id}`
  const used = passkey.lastUsedAt ? t.used({ day: dayText(call, passkey.lastUsedAt) }) : t.neverUsed
  const rename = renderForm(call, {
    action: `${factorsPath}${path}/rename`,
    fields: [
      html`<label
        >${t.name}
        <input name="nickname" value="${passkey.nickname}" maxlength="${maxNicknameLength}" required
      /></label>`,
    ],
    submit: t.rename,
    quiet: true,
  })
  const change = html`<details>
    <summary>${t.change}</summary>
    ${rename} ${renderAction(call, `${path}/remove`, t.remove, true)}
  </details>`
  return html`<li>
    <div>
      <strong>${passkey.nickname}</strong><br />
      <small>${t.added({ day: dayText(call, passkey.createdAt) })} · ${used}</small>
    </div>
    ${mayChange ? change : ''}
  </li>`
}

function renderCodesLeft(call: PageCall, { state, mayChange }: Shown): Html {
  const t = textsIn(call.language).pages.twoFactor
  return html`<h2>${t.codesTitle}</h2>
    <p>${t.codesLeft({ left: state.codesLeft })}</p>
    ${mayChange ? renderAction(call, '/recovery-codes', t.codesRenew, true) : ''}`
}

/** Guesses at the password are counted together with those on other pages. */
async function unlock(call: PageCall, viewer: Viewer): Promise<Response> {
  const { ctx, browser } = call
  await call.limits.count('password-change', viewer.userId)
  const user = { userId: viewer.userId, password: textParam(call.params, 'current_password') }
  try {
    keepTicket(ctx, browser, 'proof', await proveByPassword(ctx, holderOf(browser), user))
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    return show(call, viewer, true)
  }
  return leadBack(call)
}

async function removeApp(call: PageCall, who: Proven): Promise<Response> {
  const outcome = await turnOtpOff(call.ctx, who)
  return leadBack(call, outcome === 'needed' ? 'needed' : undefined)
}

async function renewCodes(call: PageCall, who: Proven): Promise<Response> {
  const codes = await renewRecoveryCodes(call.ctx, who)
  if (codes === null) return leadBack(call)
  return renderCodes(call, { title: textsIn(call.language).pages.twoFactor.codesTitle, codes })
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/two-factor', handle: forViewer((call, viewer) => show(call, viewer)) },
  { method: 'POST', path: '/settings/two-factor/unlock', handle: forViewer(unlock) },
  { method: 'POST', path: '/settings/two-factor/app/remove', handle: forProven(removeApp) },
  { method: 'POST', path: '/settings/two-factor/recovery-codes', handle: forProven(renewCodes) },
]
