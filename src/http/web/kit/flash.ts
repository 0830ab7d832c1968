// What the form before did: said once, by the page that it led to.
import { createHmac } from 'node:crypto'
import { html } from 'hono/html'
import { sameSecret } from '#lib/secrets.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { renderForm } from './form.ts'
import type { Html } from './html.ts'
import { redirectTo } from './layout.ts'
import type { PageCall } from './page.ts'
import { keepFlash } from './session.ts'

export interface Flash {
  readonly text: string
  /** A form that takes it back. */
  readonly undo?: { readonly action: string; readonly hidden?: Record<string, string> }
}

/** Browsers refuse larger cookies. */
const maxText = 1500

const seal = ({ ctx, browser }: PageCall, body: string) =>
  createHmac('sha256', ctx.secrets.secretKeyBase)
    .update(`flash\0${browser.formSecret}\0${body}`)
    .digest('base64url')

/** Leads on after a form, to a page that says what was done. */
export function redirectWith(call: PageCall, path: string, flash: Flash): Response {
  const said = { ...flash, text: flash.text.slice(0, maxText) }
  const body = Buffer.from(JSON.stringify(said)).toString('base64url')
  keepFlash(call.ctx, call.browser, `${body}.${seal(call, body)}`)
  return redirectTo(path)
}

/** What the form before did, with the button that takes it back; nothing where there was none. It is not said again. */
export function renderFlash(call: PageCall): Html | string {
  const flash = takeFlash(call)
  if (flash === null) return ''
  const undo = flash.undo
    ? renderForm(call, {
        action: flash.undo.action,
        hidden: flash.undo.hidden ?? {},
        fields: [],
        submit: textsIn(call.language).pages.common.undo,
        quiet: true,
      })
    : ''
  return html`<div class="flash" role="status">
    <p>${flash.text}</p>
    ${undo}
  </div>`
}

function takeFlash(call: PageCall): Flash | null {
  const [body = '', mark = ''] = call.browser.flash.split('.', 2)
  if (body === '') return null
  keepFlash(call.ctx, call.browser, '')
  if (!sameSecret(mark, seal(call, body))) return null
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as Flash
}
