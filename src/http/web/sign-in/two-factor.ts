// Signing in: the second factor after the password, and a passkey in place of both.
import { html } from 'hono/html'
import { findLoginById, type Login } from '#domain/identity/oauth/login.ts'
import { findAttempt } from '#domain/identity/oauth/sign-in-attempts.ts'
import { getFactorState } from '#domain/identity/two-factor/factor-state.ts'
import {
  askForFactor,
  askForSignIn,
  checkFactor,
  findSignedIn,
} from '#domain/identity/two-factor/passkeys.ts'
import { spendCode } from '#domain/identity/two-factor/spend-code.ts'
import { notifyOfGuesses } from '#domain/identity/two-factor/notify.ts'
import { arePasskeysPossible } from '#domain/identity/two-factor/webauthn.ts'
import { isAppError, notFound } from '#lib/errors.ts'
import { countAddress } from '#http/kit/address-throttle.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { passkeyUrl } from '../kit/assets.ts'
import { factorStepPath, finishSignIn, refusalText } from './finish-sign-in.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { passkeyAnswer, renderPasskeyForm } from './passkey-form.ts'
import { returnFields, returnPath, signInTargets, withReturn } from '../kit/return-to.ts'
import { holderOf } from '../kit/session.ts'
import type { Html } from '../kit/html.ts'
import type { UserId } from '#lib/id.ts'

interface Problems {
  code?: string
  passkey?: string
}

async function renderStep(call: PageCall, { userId }: Login, problems: Problems = {}): Promise<Response> {
  const { ctx } = call
  const t = textsIn(call.language).pages.secondFactor
  const state = await getFactorState(ctx, userId)
  const hasPasskeys = state.passkeys.length > 0 && arePasskeysPossible(ctx.config)
  const body = html`<p>${t.hint({ name: state.username })}</p>
    ${hasPasskeys ? await renderPasskeyStep(call, userId, problems.passkey) : ''}
    ${hasPasskeys ? html`<p class="divider soft">${t.or}</p>` : ''}
    ${renderForm(call, {
      action: factorStepPath,
      hidden: returnFields(call),
      problem: problems.code ?? null,
      fields: [
        renderField({
          name: 'code',
          label: state.otpSince === null ? t.onlyRecovery : t.code,
          autocomplete: 'one-time-code',
          autofocus: !hasPasskeys,
          maxLength: 60,
        }),
      ],
      submit: t.submit,
      quiet: hasPasskeys,
    })}
    <ul class="links">
      <li><a href="${withReturn(call, '/auth/sign_in')}">${t.startOver}</a></li>
    </ul>
    <p class="soft">${t.lost}</p>`
  return renderPage(call, {
    title: t.title,
    body,
    status: problems.code || problems.passkey ? 422 : 200,
    formTargets: signInTargets(returnPath(call)),
    ...(hasPasskeys && { script: passkeyUrl }),
  })
}

async function renderPasskeyStep(call: PageCall, userId: UserId, problem: string | undefined): Promise<Html> {
  return renderPasskeyForm(call, {
    action: `${factorStepPath}/passkey`,
    kind: 'get',
    request: await askForFactor(call.ctx, holderOf(call.browser), userId),
    hidden: returnFields(call),
    submit: textsIn(call.language).pages.secondFactor.usePasskey,
    problem: problem ?? null,
  })
}

/** Runs a page for whoever has just given the right password in this browser; others begin at the beginning. */
const forAttempt =
  (work: (call: PageCall, login: Login) => Promise<Response>): Page['handle'] =>
  async (call) => {
    const ticket = call.browser.tickets.attempt ?? ''
    const login = ticket === '' ? null : await findAttempt(call.ctx, holderOf(call.browser), ticket)
    return login ? work(call, login) : redirectTo(withReturn(call, '/auth/sign_in'))
  }

/** Counted before it is looked at, so that many at once are many (AUTH-13). */
async function takeCode(call: PageCall, login: Login): Promise<Response> {
  await countAddress(call.limits, call.address, 'second-factor')
  await call.limits.count('second-factor-login', login.userId).catch(async (error: unknown) => {
    if (isAppError(error, 'too_many')) await notifyOfGuesses(call.ctx, login.userId)
    throw error
  })
  if (await spendCode(call.ctx, login.userId, textParam(call.params, 'code')))
    return finishSignIn(call, login)
  return renderStep(call, login, { code: textsIn(call.language).pages.secondFactor.wrong })
}

/** Nobody guesses a signature: who tries codes does not shut out who has a passkey. */
async function takePasskey(call: PageCall, login: Login): Promise<Response> {
  await countAddress(call.limits, call.address, 'second-factor')
  const isRight = await checkFactor(call.ctx, holderOf(call.browser), login.userId, passkeyAnswer(call))
  if (isRight) return finishSignIn(call, login)
  return renderStep(call, login, { passkey: textsIn(call.language).pages.secondFactor.wrongPasskey })
}

interface SignInProblem {
  text: Html | string
  status: number
}

function renderPasskeySignIn(call: PageCall, problem?: SignInProblem): Promise<Response> {
  const { ctx, browser } = call
  if (!arePasskeysPossible(ctx.config)) throw notFound()
  const t = textsIn(call.language).pages.secondFactor
  const body = html`<p>${t.signInHint}</p>
    ${problem ? html`<p class="problem" role="alert">${problem.text}</p>` : ''}
    ${renderPasskeyForm(call, {
      action: '/auth/passkey',
      kind: 'get',
      request: askForSignIn(ctx, holderOf(browser)),
      hidden: returnFields(call),
      submit: t.signIn,
    })}
    <ul class="links">
      <li><a href="${withReturn(call, '/auth/sign_in')}">${t.byPassword}</a></li>
    </ul>`
  const formTargets = signInTargets(returnPath(call))
  return renderPage(call, {
    title: t.signInTitle,
    body,
    status: problem?.status ?? 200,
    formTargets,
    script: passkeyUrl,
  })
}

/** A passkey whose holder showed to be its owner is two factors at once: nothing more is asked for. */
async function signInByPasskey(call: PageCall): Promise<Response> {
  await countAddress(call.limits, call.address, 'sign-in')
  const userId = await findSignedIn(call.ctx, holderOf(call.browser), passkeyAnswer(call))
  const login = userId && (await findLoginById(call.ctx, userId))
  if (!login) {
    return renderPasskeySignIn(call, {
      text: textsIn(call.language).pages.secondFactor.passkeyRefused,
      status: 422,
    })
  }
  if (login.refusal) {
    return renderPasskeySignIn(call, { text: refusalText(call, login.refusal), status: 403 })
  }
  return finishSignIn(call, login)
}

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/auth/second_factor',
    handle: forAttempt((call, login) => renderStep(call, login)),
  },
  { method: 'POST', path: '/auth/second_factor', handle: forAttempt(takeCode) },
  { method: 'POST', path: '/auth/second_factor/passkey', handle: forAttempt(takePasskey) },
  {
    method: 'GET',
    path: '/auth/passkey',
    handle: async (call) => (call.viewer ? redirectTo(returnPath(call)) : renderPasskeySignIn(call)),
  },
  { method: 'POST', path: '/auth/passkey', handle: signInByPasskey },
]
