// Addresses of lists: with other filters, and of their further pages.
import { html } from 'hono/html'
import { isId } from '#lib/ids.ts'
import type { Page, PageRequest } from '#lib/page.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { textParam } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import type { DeskCall } from './admin-page.ts'

/** Rows of a list on one page. */
export const perPage = 40

const cursors = ['max_id', 'min_id', 'offset'] as const

/** This page with other parameters: those that are null or empty go, and it begins from the start. */
export function hrefWith(call: DeskCall, changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(call.url.searchParams)
  for (const name of cursors) query.delete(name)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name)
    else query.set(name, value)
  }
  return query.size === 0 ? call.url.pathname : `${call.url.pathname}?${query}`
}

/** Which part of a list the address asks for. */
export function pageOf(call: DeskCall, limit = perPage): PageRequest {
  const [maxId, minId] = [textParam(call.params, 'max_id'), textParam(call.params, 'min_id')]
  return {
    limit,
    ...(isId(maxId) && { maxId }),
    ...(isId(minId) && { minId }),
  }
}

/** Links to the pages before and after this one; nothing where there are none. */
export function renderPager(
  call: DeskCall,
  page: Pick<Page<unknown>, 'newest' | 'oldest' | 'full'>,
): Html | string {
  const isFirst = !cursors.some((name) => call.url.searchParams.has(name))
  const upwards = call.url.searchParams.has('min_id')
  const newer = isFirst || page.newest === null ? null : hrefWith(call, { min_id: page.newest })
  const older =
    page.oldest !== null && (page.full || upwards) ? hrefWith(call, { max_id: page.oldest }) : null
  return renderLinks(call, { first: isFirst ? null : hrefWith(call, {}), newer, older })
}

/** The same for lists in an order of their own, which begin at a number. */
export function renderOffsetPager(call: DeskCall, count: number, limit = perPage): Html | string {
  const offset = offsetOf(call)
  const at = (start: number) => hrefWith(call, { offset: start === 0 ? null : String(start) })
  return renderLinks(call, {
    first: offset === 0 ? null : at(0),
    newer: offset === 0 ? null : at(Math.max(0, offset - limit)),
    older: count < limit ? null : at(offset + limit),
  })
}

/** From which row on a list is shown. */
export function offsetOf(call: DeskCall): number {
  const text = textParam(call.params, 'offset')
  return /^\d{1,6}$/.test(text) ? Number(text) : 0
}

interface Links {
  first: string | null
  newer: string | null
  older: string | null
}

function renderLinks(call: DeskCall, { first, newer, older }: Links): Html | string {
  if (first === null && newer === null && older === null) return ''
  const t = textsIn(call.language).pages.admin
  const link = (href: string | null, rel: string, text: string) =>
    href === null ? '' : html`<a class="button quiet" href="${href}" rel="${rel}">${text}</a>`
  return html`<nav class="pager" aria-label="${t.pages}">
    ${link(first, 'first', t.first)} ${link(newer, 'prev', t.newer)} ${link(older, 'next', t.older)}
  </nav>`
}
