// A form whose answer a passkey gives, by the script of assets/passkey.js.
import { html } from 'hono/html'
import type { PasskeyRequest } from '#domain/identity/two-factor/passkeys.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { hiddenFields, textParam } from '../kit/form.ts'
import type { PageCall } from '../kit/page.ts'
import type { Html } from '../kit/html.ts'

const ticketName = 'ticket'
/** The script fills this in. */
const answerName = 'credential'

export interface PasskeyForm {
  action: string
  /** A new passkey, or one that there is. */
  kind: 'create' | 'get'
  request: PasskeyRequest
  submit: string
  hidden?: Record<string, string | undefined>
  problem?: string | null
}

/** The page needs `script: passkeyUrl`. Without scripts, or where the browser knows no passkeys, it says so. */
export function renderPasskeyForm(call: PageCall, form: PasskeyForm): Html {
  const t = textsIn(call.language).pages.secondFactor
  const hidden = { ...form.hidden, [ticketName]: form.request.ticket, [answerName]: '' }
  return html`<form
    method="post"
    action="${form.action}"
    accept-charset="utf-8"
    data-passkey="${form.kind}"
    data-options="${JSON.stringify(form.request.options)}"
  >
    ${hiddenFields(call.ctx, call.browser, hidden)}
    ${form.problem ? html`<p class="problem" role="alert">${form.problem}</p>` : ''}
    <p class="problem" role="alert" data-told="refused" hidden>${t.passkeyRefused}</p>
    <p class="problem" role="alert" data-told="there" hidden>${t.passkeyThere}</p>
    <p class="notice" data-told="unknown">${t.passkeyUnknown}</p>
    <button type="button" class="main" data-told="ask" hidden>${form.submit}</button>
  </form>`
}

/** What such a form sent. */
export function passkeyAnswer(call: PageCall): { ticket: string; answer: string } {
  return { ticket: textParam(call.params, ticketName), answer: textParam(call.params, answerName) }
}
