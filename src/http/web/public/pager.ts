import { html } from 'hono/html'
import type { Language } from '#lib/messages/catalogue.ts'
import { textsIn } from '#lib/messages/texts.ts'
import type { Html } from '../kit/html.ts'

/** Links to the pages of a list before and after this one, by their addresses; nothing where there are none. */
export function renderPager(language: Language, newest: string | null, older: string | null): Html | string {
  if (newest === null && older === null) return ''
  const t = textsIn(language).pages.public
  return html`<nav class="pager" aria-label="${t.pages}">
    ${newest === null ? '' : html`<a class="button quiet" href="${newest}" rel="first">${t.newest}</a>`}
    ${older === null ? '' : html`<a class="button quiet" href="${older}" rel="next">${t.older}</a>`}
  </nav>`
}
