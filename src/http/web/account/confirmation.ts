import { html } from 'hono/html'
import {
  askForConfirmation,
  confirmEmail,
  isFirstConfirmation,
  type Confirmation,
} from '#domain/identity/accounts/registration/confirm.ts'
import { isHuman } from '#domain/identity/accounts/registration/robot-check.ts'
import { countAddress } from '#http/kit/address-throttle.ts'
import { mayBeMailbox } from '#lib/net/mailbox.ts'
import { countMail } from '#http/kit/mail-throttle.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderField, renderForm, textParam } from '../kit/form.ts'
import { redirectTo, renderPage } from '../kit/layout.ts'
import { renderMessage } from '../kit/message.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { renderRobotCheck, robotAnswer } from './robot-check.ts'

const path = '/auth/confirmation'

function renderResend(call: PageCall, notice: string | null, status: number): Promise<Response> {
  const t = textsIn(call.language).pages.confirmation
  const form = renderForm(call, {
    action: path,
    fields: [renderField({ name: 'email', label: t.email, type: 'email', autocomplete: 'email' })],
    submit: t.resend,
  })
  const body = html`${notice ? html`<p class="notice">${notice}</p>` : ''} ${form}`
  return renderPage(call, { title: t.title, body, status })
}

/** Programs that look at links in mails ask with HEAD: that confirms nothing. */
async function follow(call: PageCall): Promise<Response> {
  const token = textParam(call.params, 'confirmation_token')
  if (token === '' || call.request.method === 'HEAD') return renderResend(call, null, 200)
  const { robotCheck } = call.ctx.config
  if (robotCheck && (await isFirstConfirmation(call.ctx, token)))
    return renderRobotCheck(call, robotCheck, token)
  return answerConfirmation(call, await confirmEmail(call.ctx, token))
}

/** Who goes on without an answer is looked at by staff. */
async function prove(call: PageCall): Promise<Response> {
  const { ctx, address } = call
  const { robotCheck } = ctx.config
  const token = textParam(call.params, 'confirmation_token')
  await countAddress(call.limits, address, 'confirmation')
  const isWithout = robotCheck !== null && textParam(call.params, 'without') !== ''
  if (!isWithout && robotCheck && !(await isHuman(ctx, token, { answer: robotAnswer(call), address }))) {
    return renderRobotCheck(call, robotCheck, token, textsIn(call.language).pages.robots.wrong)
  }
  return answerConfirmation(call, await confirmEmail(ctx, token, { needsApproval: isWithout }))
}

function answerConfirmation(call: PageCall, outcome: Confirmation): Promise<Response> | Response {
  const t = textsIn(call.language).pages.confirmation
  const onward = call.viewer
    ? html`<p><a class="button" href="${outcome.state === 'changed' ? '/' : '/welcome'}">${t.home}</a></p>`
    : html`<p><a class="button" href="/auth/sign_in">${t.signIn}</a></p>`
  if (outcome.state === 'invalid') return renderResend(call, t.invalid, 422)
  if (outcome.state === 'changed') {
    return renderMessage(call, { title: t.changedTitle, message: t.changed, more: onward })
  }
  if (outcome.redirectUri !== null) return redirectTo(headerSafe(outcome.redirectUri), 302)
  if (!outcome.approved) return renderMessage(call, { title: t.confirmedTitle, message: t.pending })
  return renderMessage(call, { title: t.confirmedTitle, message: t.confirmed, more: onward })
}

/** The registered address stays as it was written: only what a header cannot hold is escaped. */
function headerSafe(uri: string): string {
  return uri.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)
}

/** The same answer for every address (AUTH-15). */
async function resend(call: PageCall): Promise<Response> {
  const email = textParam(call.params, 'email').trim() || textParam(call.params, 'user', 'email').trim()
  await countMail(call, 'confirmation', email)
  if (mayBeMailbox(email)) await askForConfirmation(call.ctx, email)
  const t = textsIn(call.language).pages.confirmation
  return renderMessage(call, { title: t.title, message: t.asked })
}

export const pages: readonly Page[] = [
  { method: 'GET', path, handle: follow },
  { method: 'GET', path: '/auth/confirmation/new', handle: (call) => renderResend(call, null, 200) },
  { method: 'POST', path, handle: resend },
  { method: 'POST', path: '/auth/confirmation/proof', handle: prove },
]
