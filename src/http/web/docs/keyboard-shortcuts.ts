// What the keyboard does in the app, for whoever wants to know before signing in.
import { html } from 'hono/html'
import { textsIn } from '#lib/messages/texts.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { readShared } from '../kit/shared.ts'
import { renderPublicPage } from '../public/public-page.ts'

type Name = keyof ReturnType<typeof textsIn>['pages']['shortcuts']['keys']

/** The table by which the app acts. */
const { keys, signs } = JSON.parse(readShared('shortcuts.json')) as {
  keys: Readonly<Record<Name, readonly string[]>>
  /** As they stand on keys. */
  signs: Readonly<Record<string, string>>
}

function showShortcuts(call: PageCall): Promise<Response> {
  const t = textsIn(call.language).pages.shortcuts
  return renderPublicPage(call, {
    title: t.title,
    body: html`<article class="text">
      <h1>${t.title}</h1>
      <p class="soft">${t.note}</p>
      <table class="keys">
        <tbody>
          ${Object.entries(keys).map(
            ([name, own]) =>
              html`<tr>
                <th scope="row">${t.keys[name as Name]}</th>
                <td>${own.map((key) => html`<kbd>${signs[key] ?? key}</kbd>`)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </article>`,
  })
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/keyboard-shortcuts', app: () => [], handle: showShortcuts },
]
