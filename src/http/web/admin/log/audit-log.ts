// What staff, the command line and rules of the server did.
import { html } from 'hono/html'
import { stringify } from 'csv-stringify/sync'
import { findLocalAccount } from '#domain/identity/accounts/lookup.ts'
import { listActions, type AuditFilter, type AuditRow } from '#domain/server/audit/queries.ts'
import { asId, type AccountId } from '#lib/id.ts'
import type { Page as ListPage } from '#lib/page.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { textParam } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import type { Page } from '../../kit/page.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import { renderFilters } from '../kit/filters.ts'
import { hrefWith, pageOf, renderPager } from '../kit/links.ts'
import { optionalId } from '../kit/params.ts'
import { renderMoment } from '../kit/parts.ts'
import { renderTable } from '../kit/table.ts'

const path = '/admin/audit_log'
const permission = 'view_audit_log'

/** Nobody has this id: who is not known here did nothing. */
const nobody = asId<AccountId>('0')

async function filterOf(call: DeskCall): Promise<AuditFilter> {
  const by = textParam(call.params, 'by').trim().replace(/^@/, '')
  const actor = by === '' ? undefined : ((await findLocalAccount(call.ctx, by))?.id ?? nobody)
  return {
    accountId: optionalId<AccountId>(call, 'account_id') ?? actor,
    action: textParam(call.params, 'action').trim() || undefined,
    targetType: textParam(call.params, 'target_type').trim() || undefined,
    targetId: optionalId(call, 'target_id'),
  }
}

async function show(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const page = await listActions(call.ctx, await filterOf(call), pageOf(call))
  const filters = renderFilters(
    call,
    [
      { name: 'by', label: t.audit.by },
      { name: 'action', label: t.audit.action },
      { name: 'target_type', label: t.audit.type },
      { name: 'target_id', label: t.audit.number },
    ],
    ['account_id'],
  )
  const table = renderTable(call, {
    caption: t.sections.audit_log,
    columns: [
      { label: t.audit.by },
      { label: t.audit.action },
      { label: t.audit.target },
      { label: t.audit.details },
      { label: t.reports.at },
    ],
    rows: page.items.map((row) => ({
      cells: [
        actorOf(call, row),
        html`<a href="${hrefWith(call, { action: row.action })}"><code>${row.action}</code></a>`,
        renderTarget(call, row),
        renderDetails(row),
        renderMoment(call, row.created_at),
      ],
    })),
    none: t.audit.none,
  })
  const query = call.url.search
  const body = html`${filters}
    <p><a class="button quiet" href="${path}/export${query}" download>${t.audit.export}</a></p>
    ${table} ${renderPager(call, page)}`
  return renderDesk(call, { title: t.sections.audit_log, body })
}

function actorOf(call: DeskCall, { actor, username }: AuditRow): Html | string {
  const t = textsIn(call.language).pages.admin.audit
  if (username !== null) return html`<bdi>@${username}</bdi>`
  return t.actors[actor]
}

/** Where a thing of this kind has a page. */
const pathsOf: Readonly<Record<string, (id: string) => string>> = {
  account: (id) => `/admin/accounts/${id}`,
  report: (id) => `/admin/reports/${id}`,
  tag: (id) => `/admin/trends/tags/${id}`,
}

function renderTarget(
  call: DeskCall,
  { target_type: type, target_id: id, target_label: label }: AuditRow,
): Html {
  const name = label || id || ''
  const href = id === null ? undefined : pathsOf[type]?.(id)
  const shown = href === undefined ? html`<bdi>${name}</bdi>` : html`<a href="${href}"><bdi>${name}</bdi></a>`
  return html`<a class="soft" href="${hrefWith(call, { target_type: type })}"><code>${type}</code></a>
    ${shown}`
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const renderDetails = ({ details }: AuditRow): Html =>
  html`${Object.entries(details).map(([name, value]) => html`<div class="soft"><code>${name}</code> ${textOf(value)}</div>`)}`

const batch = 1000
/** Rows of one file. Those who want more filter, or ask the command line. */
const maxRows = 20_000

async function exportRows(call: DeskCall): Promise<Response> {
  const filter = await filterOf(call)
  const rows: AuditRow[] = []
  let page: ListPage<AuditRow> | null = null
  while (rows.length < maxRows && (page === null || page.full)) {
    const from = page?.oldest ?? undefined
    page = await listActions(call.ctx, filter, { limit: batch, ...(from !== undefined && { maxId: from }) })
    rows.push(...page.items)
  }
  const text = stringify(rows.slice(0, maxRows).map(toLine), { header: true, escape_formulas: true })
  return new Response(text, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit_log.csv"',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

const toLine = (row: AuditRow) => ({
  time: row.created_at.toISOString(),
  actor: row.username === null ? row.actor : `@${row.username}`,
  action: row.action,
  target_type: row.target_type,
  target_id: row.target_id ?? '',
  target: row.target_label,
  details: JSON.stringify(row.details),
})

export const pages: readonly Page[] = [
  adminPage({ path: '/admin/audit_log', permission, handle: show }),
  adminPage({ path: '/admin/audit_log/export', permission, handle: exportRows }),
]
