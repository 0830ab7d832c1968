import { html } from 'hono/html'
import { isId } from '#lib/ids.ts'
import type { IdCursor } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { textParam } from '../kit/form.ts'
import type { Html } from '../kit/html.ts'
import type { PageCall } from '../kit/page.ts'

/** Returns where this page of a list begins, as its address says. */
export function maxIdOf({ params }: Pick<PageCall, 'params'>): IdCursor | undefined {
  const asked = textParam(params, 'max_id')
  return isId(asked) ? (asked as IdCursor) : undefined
}

/** Returns the address of a page beside this one: whoever asked for pages in place of the app goes on with them. */
function besidePath({ url }: Pick<PageCall, 'url'>, path: string): string {
  if (!url.searchParams.has('plain')) return path
  return `${path}${path.includes('?') ? '&' : '?'}plain`
}

interface Tab {
  path: string
  name: Html | string
  isCurrent: boolean
}

/** Links to pages that show others of the same, by their addresses. `label`: what they are, for screen readers. */
export function renderTabs(call: Pick<PageCall, 'url'>, label: string, tabs: readonly Tab[]): Html {
  const links = tabs.map(
    ({ path, name, isCurrent }) =>
      html`<a href="${besidePath(call, path)}" ${isCurrent ? html`aria-current="page"` : ''}>${name}</a>`,
  )
  return html`<nav class="tabs" aria-label="${label}">${links}</nav>`
}

/** Links to the pages of a list before and after this one, by their addresses; nothing where there are none. */
export function renderPager(call: PageCall, newest: string | null, older: string | null): Html | string {
  if (newest === null && older === null) return ''
  const t = textsIn(call.language).pages.public
  const link = (path: string, rel: string, words: string) =>
    html`<a class="button quiet" href="${besidePath(call, path)}" rel="${rel}">${words}</a>`
  return html`<nav class="pager" aria-label="${t.pages}">
    ${newest === null ? '' : link(newest, 'first', t.newest)}
    ${older === null ? '' : link(older, 'next', t.older)}
  </nav>`
}
