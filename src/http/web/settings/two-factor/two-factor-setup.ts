// Setting up a second factor: an app that shows codes, or a passkey; and the passkeys that there are.
import { html, raw } from 'hono/html'
import { renderSVG } from 'uqr'
import { beginOtp, confirmOtp, reopenOtp, type OtpSetup } from '#domain/identity/two-factor/otp.ts'
import {
  addPasskey,
  askForPasskey,
  maxNicknameLength,
  renamePasskey,
} from '#domain/identity/two-factor/passkeys.ts'
import { removePasskey } from '#domain/identity/two-factor/turn-off.ts'
import { arePasskeysPossible } from '#domain/identity/two-factor/webauthn.ts'
import { notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { passkeyUrl } from '#http/web/kit/assets.ts'
import { renderField, renderForm, textParam } from '#http/web/kit/form.ts'
import { renderPage } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { passkeyAnswer, renderPasskeyForm } from '#http/web/sign-in/passkey-form.ts'
import { returnFields } from '#http/web/kit/return-to.ts'
import { holderOf } from '#http/web/kit/session.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { factorsPath, forProven, leadBack, renderTurnedOn, type Proven } from './two-factor-parts.ts'
import { asId, type PasskeyId } from '#lib/id.ts'

const setupName = 'setup'
const nicknameName = 'nickname'

function renderSetup(call: PageCall, setup: OtpSetup, wrong = false): Promise<Response> {
  const t = textsIn(call.language).pages.twoFactor
  const code = renderField({
    name: 'code',
    label: t.code,
    problem: wrong ? t.wrongCode : undefined,
    autocomplete: 'one-time-code',
    autofocus: true,
    inputMode: 'numeric',
    maxLength: 10,
  })
  // Whoever does not see it has the key below. Made of numbers alone; dark on light also where the page is dark, or nothing reads it.
  const picture = raw(renderSVG(setup.uri, { ecc: 'M', border: 3 }))
  const body = html`<p>${t.scan}</p>
    <div class="qr" aria-hidden="true">${picture}</div>
    <p>${t.typeInstead}</p>
    <code class="secret">${setup.secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
    ${renderForm(call, {
      action: `${factorsPath}/app/confirm`,
      hidden: { ...returnFields(call), [setupName]: setup.ticket },
      fields: [code],
      submit: t.confirm,
    })}`
  return renderPage(call, { title: t.appTitle, body, status: wrong ? 422 : 200 })
}

const beginApp = (call: PageCall, who: Proven): Promise<Response> =>
  renderSetup(call, beginOtp(call.ctx, holderOf(call.browser), who))

/** Nobody but who has the secret at hand guesses here, so wrong codes need no limit. */
async function confirmApp(call: PageCall, who: Proven): Promise<Response> {
  const holder = holderOf(call.browser)
  const given = { ticket: textParam(call.params, setupName), code: textParam(call.params, 'code') }
  const turnedOn = await confirmOtp(call.ctx, holder, who, given)
  if (turnedOn) return renderTurnedOn(call, turnedOn)
  const setup = await reopenOtp(call.ctx, holder, who, given.ticket)
  // The page was loaded anew after it was turned on.
  if (setup === 'on') return leadBack(call)
  return setup ? renderSetup(call, setup, true) : leadBack(call, 'locked')
}

async function beginPasskey(call: PageCall, who: Proven): Promise<Response> {
  if (!arePasskeysPossible(call.ctx.config)) throw notFound()
  const t = textsIn(call.language).pages.twoFactor
  const request = await askForPasskey(call.ctx, holderOf(call.browser), who)
  if (!request) return leadBack(call, 'passkeyTooMany')
  const nickname = textParam(call.params, nicknameName).trim().slice(0, maxNicknameLength)
  const body = html`<p>${t.passkeyNew({ name: nickname })}</p>
    ${renderPasskeyForm(call, {
      action: `${factorsPath}/passkeys/confirm`,
      kind: 'create',
      request,
      hidden: { ...returnFields(call), [nicknameName]: nickname },
      submit: t.passkeyMake,
    })}`
  return renderPage(call, { title: t.passkeyNewTitle, body, script: passkeyUrl })
}

async function confirmPasskey(call: PageCall, who: Proven): Promise<Response> {
  const given = { ...passkeyAnswer(call), nickname: textParam(call.params, nicknameName) }
  const turnedOn = await addPasskey(call.ctx, holderOf(call.browser), who, given)
  return turnedOn ? renderTurnedOn(call, turnedOn) : leadBack(call, 'passkeyFailed')
}

async function rename(call: PageCall, who: Proven): Promise<Response> {
  const change = { id: passkeyId(call), nickname: textParam(call.params, nicknameName) }
  if (!(await renamePasskey(call.ctx, who, change))) throw notFound()
  return leadBack(call)
}

async function remove(call: PageCall, who: Proven): Promise<Response> {
  const outcome = await removePasskey(call.ctx, who, passkeyId(call))
  if (outcome === 'absent') throw notFound()
  return leadBack(call, outcome === 'needed' ? 'needed' : undefined)
}

function passkeyId(call: PageCall): PasskeyId {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  return asId<PasskeyId>(id)
}

export const pages: readonly Page[] = [
  { method: 'POST', path: '/settings/two-factor/app', handle: forProven(beginApp) },
  { method: 'POST', path: '/settings/two-factor/app/confirm', handle: forProven(confirmApp) },
  { method: 'POST', path: '/settings/two-factor/passkeys', handle: forProven(beginPasskey) },
  { method: 'POST', path: '/settings/two-factor/passkeys/confirm', handle: forProven(confirmPasskey) },
  { method: 'POST', path: '/settings/two-factor/passkeys/:id/rename', handle: forProven(rename) },
  { method: 'POST', path: '/settings/two-factor/passkeys/:id/remove', handle: forProven(remove) },
]
