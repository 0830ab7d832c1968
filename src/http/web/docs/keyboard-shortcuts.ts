// What the keyboard does in the app, for whoever wants to know before signing in. The app has the same by its own table, in
// client/src/views/shortcuts/list.ts.
import { html } from 'hono/html'
import { textsIn } from '#lib/messages/texts.ts'
import type { Page, PageCall } from '../kit/page.ts'
import { renderPublicPage } from '../public/public-page.ts'

type Name = keyof ReturnType<typeof textsIn>['pages']['shortcuts']['keys']

const keys: Readonly<Record<Name, readonly string[]>> = {
  newPost: ['n'],
  search: ['s', '/'],
  down: ['j', '↓'],
  up: ['k', '↑'],
  open: ['↵', 'o'],
  profile: ['p'],
  reply: ['r'],
  mention: ['m'],
  quote: ['q'],
  translate: ['t'],
  favourite: ['f'],
  boost: ['b'],
  bookmark: ['d'],
  showHidden: ['x'],
  showMedia: ['h'],
  openMedia: ['e'],
  newPosts: ['.'],
  column: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
  back: ['⌫'],
  home: ['g h'],
  notifications: ['g n'],
  local: ['g l'],
  federated: ['g t'],
  direct: ['g d'],
  favourites: ['g f'],
  bookmarks: ['g k'],
  explore: ['g e'],
  ownProfile: ['g u', 'g p'],
  followRequests: ['g r'],
  mutes: ['g m'],
  blocks: ['g b'],
  help: ['?'],
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
                <td>${own.map((key) => html`<kbd>${key}</kbd>`)}</td>
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
