// The import of a list, step by step: a file is chosen, it is looked at, it runs, and what came of it is told.
import { html } from 'hono/html'
import { toCells, type PortableList } from '#domain/transfer/portability/csv-formats.ts'
import { previewImport } from '#domain/transfer/portability/preview-import.ts'
import type { ImportRow } from '#domain/transfer/portability/imports.ts'
import { renderForm } from '#http/web/kit/form.ts'
import { renderPage } from '#http/web/kit/layout.ts'
import type { PageCall } from '#http/web/kit/page.ts'
import { askedAgain, renderProgress, renderSteps } from '#http/web/kit/steps.ts'
import type { Html } from '#http/web/kit/html.ts'
import { describeKept } from '#lib/messages/keep-reason.ts'
import { textsIn } from '#lib/messages/texts.ts'

type ListImport = ImportRow & { type: PortableList }

const path = '/settings/imports'
const steps = ['choose', 'look', 'run', 'result'] as const

/** Where one is with an import, of whatever kind. */
export function renderImportSteps(call: PageCall, current: (typeof steps)[number]): Html {
  const t = textsIn(call.language).pages.portability
  return renderSteps(
    steps.map((step) => t.steps[step]),
    steps.indexOf(current),
  )
}

/** A page about an import that runs. */
export async function showRunningImport(
  call: PageCall,
  row: ImportRow,
  { title, progress }: { title: string; progress: Html },
): Promise<Response> {
  const t = textsIn(call.language).pages.portability
  const body = html`${renderImportSteps(call, 'run')} ${progress}
    <p>${t.runsAlone} <a href="${path}/${row.id}">${t.again}</a></p>
    <p><a href="${path}">${t.all}</a></p>`
  return askedAgain(await renderPage(call, { title, body }))
}

/** The page of one import of a list, by how far it is. */
export function showListImport(call: PageCall, row: ListImport): Promise<Response> {
  if (row.state === 'unconfirmed') return showPreview(call, row)
  return row.state === 'finished' || row.state === 'failed'
    ? showResult(call, row)
    : showRunningImport(call, row, {
        title: textsIn(call.language).pages.portability.lists[row.type],
        progress: renderListProgress(call, row),
      })
}

async function showPreview(call: PageCall, row: ListImport): Promise<Response> {
  const t = textsIn(call.language).pages.portability
  const { readable, unreadable, entries, known, others, sample } = await previewImport(call.ctx, row)
  const body = html`${renderImportSteps(call, 'look')}
    <p>${t.confirmHint({ rows: readable, list: t.lists[row.type] })}</p>
    <ul>
      <li>${t.preview.added({ count: Math.max(0, entries - known) })}</li>
      ${known > 0 ? html`<li>${t.preview.known({ count: known })}</li>` : ''}
      ${row.overwrite ? html`<li>${t.preview.lost({ count: others })}</li>` : ''}
      ${unreadable > 0 ? html`<li>${t.preview.unreadable({ count: unreadable })}</li>` : ''}
    </ul>
    ${unreadable > 0 ? html`<p><a href="${path}/${row.id}/failures.csv">${t.failures}</a></p>` : ''}
    <p>${t.preview.begins}</p>
    <ul>
      ${sample.map((one) => html`<li><bdi>${toCells(row.type, one, call.ctx.config.localDomain).join(', ')}</bdi></li>`)}
    </ul>
    ${row.overwrite ? html`<p class="notice">${t.overwriteHint}</p>` : ''}
    ${renderForm(call, { action: `${path}/${row.id}/confirm`, fields: [], submit: t.confirm })}
    ${renderForm(call, { action: `${path}/${row.id}/discard`, fields: [], submit: t.discard, quiet: true })}`
  return renderPage(call, { title: t.confirmTitle, body })
}

const failedOf = (row: ListImport) => row.processed_items - row.imported_items

function renderListProgress(call: PageCall, row: ListImport): Html {
  const t = textsIn(call.language).pages.portability
  const so = { done: row.processed_items, all: row.total_items }
  return renderProgress(t.steps.run, so, t.progress({ ...so, failed: failedOf(row) }))
}

function showResult(call: PageCall, row: ListImport): Promise<Response> {
  const t = textsIn(call.language).pages.portability
  const failed = failedOf(row)
  const body = html`${renderImportSteps(call, 'result')} ${renderListProgress(call, row)}
    ${row.error === null ? '' : html`<p class="problem" role="alert">${describeKept(row.error, call.language)}</p>`}
    <p>${t.result({ count: row.imported_items })}</p>
    ${failed > 0 ? html`<p><a class="button" href="${path}/${row.id}/failures.csv">${t.failures}</a></p>` : ''}
    <p><a href="${path}">${t.all}</a></p>`
  return renderPage(call, { title: t.lists[row.type], body })
}
