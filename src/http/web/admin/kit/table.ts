// Lists as tables, which stand as cards where the window is narrow, and forms for the rows that are ticked.
import { html } from 'hono/html'
import { textsIn } from '#lib/messages/texts.ts'
import { hiddenFields } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import type { DeskCall } from './admin-page.ts'
import { hrefWith } from './links.ts'

export interface Column {
  label: string
  /** Numbers stand at the end. */
  numeric?: boolean
  /** The value of the parameter `order` that sorts by it; `''` is the order that holds without. */
  order?: string
}

export interface TableRow {
  /** In the order of the columns; the first names the row. */
  cells: readonly (Html | string)[]
  /** What is sent when it is ticked, and what it is called then. */
  id?: string
  label?: string
}

export interface Table {
  /** What it is a list of. */
  caption: string
  columns: readonly Column[]
  rows: readonly TableRow[]
  /** Instead of no rows. */
  none: string
}

// The roles are said again: as cards they would be lost.
export function renderTable(call: DeskCall, table: Table): Html {
  if (table.rows.length === 0) return html`<p class="none">${table.none}</p>`
  const ticked = table.rows.some(({ id }) => id !== undefined)
  const t = textsIn(call.language).pages.admin
  return html`<table class="list" role="table">
    <caption class="unseen">
      ${table.caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${ticked ? html`<th role="columnheader" scope="col" class="tick"><span class="unseen">${t.tick}</span></th>` : ''}
        ${table.columns.map((column) => renderHeader(call, column))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${table.rows.map((row) => renderRow(call, table, row))}
    </tbody>
  </table>`
}

function renderHeader(call: DeskCall, { label, numeric, order }: Column): Html {
  const side = numeric ? html`class="number"` : ''
  if (order === undefined) return html`<th role="columnheader" scope="col" ${side}>${label}</th>`
  const isSorted = (call.url.searchParams.get('order') ?? '') === order
  return html`<th role="columnheader" scope="col" ${side} ${isSorted ? html`aria-sort="descending"` : ''}>
    <a href="${hrefWith(call, { order })}">${label}</a>
  </th>`
}

function renderRow(call: DeskCall, { columns }: Table, { cells, id, label }: TableRow): Html {
  const t = textsIn(call.language).pages.admin
  const tick =
    id === undefined
      ? ''
      : html`<td role="cell" class="tick">
          <input type="checkbox" name="ids[]" value="${id}" aria-label="${t.select({ name: label ?? id })}" />
        </td>`
  return html`<tr role="row">
    ${tick}
    ${cells.map((cell, index) =>
      index === 0
        ? html`<th role="rowheader" scope="row">${cell}</th>`
        : html`<td
            role="cell"
            data-label="${columns[index]?.label ?? ''}"
            ${columns[index]?.numeric ? html`class="number"` : ''}
          >
            ${cell}
          </td>`,
    )}
  </tr>`
}

export interface BulkAction {
  value: string
  label: string
  /** It takes something away. */
  alarming?: boolean
}

/**
 * A table of rows that have ids, with buttons for what is done to those that are ticked: they send `ids[]` and `action`,
 * which answers with a page that says what will happen.
 */
export function renderBulk(
  call: DeskCall,
  table: Table,
  form: { action: string; actions: readonly BulkAction[]; hidden?: Record<string, string> },
): Html {
  if (table.rows.length === 0 || form.actions.length === 0) return renderTable(call, table)
  const t = textsIn(call.language).pages.admin
  return html`<form method="post" action="${form.action}" class="bulk">
    ${hiddenFields(call.ctx, call.browser, form.hidden)}
    <fieldset class="bar">
      <legend>${t.withTicked}</legend>
      ${form.actions.map(
        ({ value, label, alarming }) =>
          html`<button
            type="submit"
            name="action"
            value="${value}"
            class="quiet${alarming ? ' alarming' : ''}"
          >
            ${label}
          </button>`,
      )}
    </fieldset>
    ${renderTable(call, table)}
  </form>`
}

/** What is known of one thing, as names with their values; those without a value are left out. */
export function renderFacts(
  facts: readonly (readonly [name: Html | string, value: Html | string | null])[],
): Html {
  return html`<dl class="facts">
    ${facts.map(([name, value]) =>
      value === null || value === ''
        ? ''
        : html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
    )}
  </dl>`
}
