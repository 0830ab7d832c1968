// The form above a list that says which of it is shown.
import { html } from 'hono/html'
import { textsIn } from '#lib/messages/texts.ts'
import { renderField, renderSelect, textParam, type Choice } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import type { DeskCall } from './admin-page.ts'

export interface Filter {
  /** The parameter. */
  name: string
  label: string
  /** One of these; without them a text. */
  choices?: readonly Choice[]
}

/** A form whose answer is this page with what was filled in. `kept`: parameters that stay as they are. */
export function renderFilters(
  call: DeskCall,
  filters: readonly Filter[],
  kept: readonly string[] = [],
): Html {
  const t = textsIn(call.language).pages.admin
  const isFiltered = filters.some(({ name }) => textParam(call.params, name) !== '')
  // Many are folded away: on a phone they would stand before the list.
  const isOpen = isFiltered || filters.length <= few
  const form = html`<form method="get" action="${call.url.pathname}" class="filters" role="search">
    ${kept.map((name) => {
      const value = textParam(call.params, name)
      return value === '' ? '' : html`<input type="hidden" name="${name}" value="${value}" />`
    })}
    ${filters.map((filter) => html`<div>${renderFilter(call, filter)}</div>`)}
    <div class="actions">
      <button type="submit" class="main">${t.filter}</button>
      ${isFiltered ? html`<a class="button quiet" href="${call.url.pathname}">${t.unfilter}</a>` : ''}
    </div>
  </form>`
  return html`<details class="narrow" ${isOpen ? html`open` : ''}>
    <summary>${t.filters}</summary>
    ${form}
  </details>`
}

const few = 4

function renderFilter(call: DeskCall, { name, label, choices }: Filter): Html {
  const value = textParam(call.params, name)
  if (choices) return renderSelect({ name, label, value, choices })
  return renderField({ name, label, value, type: 'search', required: false })
}
