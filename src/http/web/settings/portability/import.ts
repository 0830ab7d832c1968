// What people bring along: CSV files, looked at first and imported once they say so.
import { html } from 'hono/html'
import { stringify } from 'csv-stringify/sync'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { portableLists, toCells, type PortableRow } from '#domain/transfer/portability/csv-formats.ts'
import {
  confirmImport,
  discardImport,
  getImport,
  listFailures,
  listImports,
  prepareImport,
  type ImportRow,
} from '#domain/transfer/portability/imports.ts'
import { isAppError, notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { isUploadedFile } from '#http/kit/params/params.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { describeReason } from '#lib/messages/describe-error.ts'
import { csvResponse } from '#http/kit/csv-response.ts'
import { hiddenFields, textParam } from '#http/web/kit/form.ts'
import { renderImportSteps, showListImport } from './import-steps.ts'
import { renderArchiveImport, renderArchiveUpload, showArchiveImport } from './import-archive-parts.ts'
import { redirectTo, renderPage } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import type { Html } from '#http/web/kit/html.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { describeKept } from '#lib/messages/keep-reason.ts'
import { asId, type BulkImportId } from '#lib/id.ts'

const path = '/settings/imports'
const fileBytes = 20 * 1024 * 1024

/** The page with all imports. `problem`: what was wrong with what was sent. */
export async function showImports(call: PageCall, viewer: Viewer, problem = ''): Promise<Response> {
  const t = textsIn(call.language).pages.portability
  const imports = await listImports(call.ctx, viewer.accountId)
  const body = html`<p>${t.importHint}</p>
    ${renderImportSteps(call, 'choose')} ${renderUpload(call, problem)} ${renderArchiveUpload(call)}
    ${
      imports.length === 0
        ? ''
        : html`<h2>${t.recent}</h2>
            <ul class="rows">
              ${imports.map((one) => renderImport(call, one))}
            </ul>`
    }
    <p><a href="/settings/export">${t.toExport}</a></p>`
  return renderPage(call, { title: t.importTitle, body, wide: true, status: problem === '' ? 200 : 422 })
}

function renderUpload(call: PageCall, problem: string): Html {
  const t = textsIn(call.language).pages.portability
  return html`<form method="post" action="${path}" enctype="multipart/form-data">
    ${hiddenFields(call.ctx, call.browser)}
    ${problem === '' ? '' : html`<p class="problem" role="alert">${problem}</p>`}
    <label for="import-type">${t.type}</label>
    <select id="import-type" name="type">
      ${portableLists.map((list) => html`<option value="${list}">${t.lists[list]}</option>`)}
    </select>
    <label for="import-file">${t.file}</label>
    <input id="import-file" type="file" name="data" accept=".csv,text/csv" required />
    <fieldset>
      <legend>${t.mode}</legend>
      <label class="check"
        ><input type="radio" name="mode" value="merge" checked /> <span>${t.merge}</span></label
      >
      <label class="check"
        ><input type="radio" name="mode" value="overwrite" /> <span>${t.overwrite}</span></label
      >
    </fieldset>
    <button type="submit" class="main">${t.look}</button>
  </form>`
}

function renderImport(call: PageCall, row: ImportRow): Html {
  const t = textsIn(call.language).pages.portability
  if (row.type === 'archive') return renderArchiveImport(call, row)
  const failed = row.processed_items - row.imported_items
  const list = t.lists[row.type]
  return html`<li>
    <div>
      <strong>${list}</strong> <span class="soft">${t.states[row.state]}</span><br />
      <small>${t.progress({ done: row.processed_items, all: row.total_items, failed })}</small>
    </div>
    <a href="${path}/${row.id}">${t.see}</a>
    ${failed > 0 ? html`<a href="${path}/${row.id}/failures.csv">${t.failures}</a>` : ''}
  </li>`
}

async function upload(call: PageCall, viewer: Viewer): Promise<Response> {
  const t = textsIn(call.language).pages.portability
  const file = call.params['data']
  const type = portableLists.find((list) => list === textParam(call.params, 'type'))
  if (!isUploadedFile(file) || !type) return showImports(call, viewer, t.noFile)
  const overwrite = textParam(call.params, 'mode') === 'overwrite'
  try {
    const { path: source, filename } = file
    const id = await prepareImport(call.ctx, viewer, { type, overwrite, path: source, filename })
    return redirectTo(`${path}/${id}`)
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    return showImports(call, viewer, describeReason(error.reason, call.language))
  }
}

async function showImport(call: PageCall, viewer: Viewer): Promise<Response> {
  const row = await getImport(call.ctx, viewer, asId<BulkImportId>(idOf(call)))
  return row.type === 'archive'
    ? showArchiveImport(call, row)
    : showListImport(call, { ...row, type: row.type })
}

async function confirm(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = asId<BulkImportId>(idOf(call))
  await confirmImport(call.ctx, viewer, id)
  return redirectTo(`${path}/${id}`)
}

async function discard(call: PageCall, viewer: Viewer): Promise<Response> {
  await discardImport(call.ctx, viewer, asId<BulkImportId>(idOf(call)))
  return redirectTo(path)
}

async function downloadFailures(call: PageCall, viewer: Viewer): Promise<Response> {
  const row = await getImport(call.ctx, viewer, asId<BulkImportId>(idOf(call)))
  const failures = await listFailures(call.ctx, row.id)
  const { localDomain } = call.ctx.config
  const toLine = (data: PortableRow) =>
    row.type === 'archive' ? [data.uri ?? ''] : toCells(row.type, data, localDomain)
  const tell = (kept: string) => describeKept(kept, call.language)
  const lines = failures.map((one) => [String(one.line), ...toLine(one.data), tell(one.error)])
  return csvResponse(`import_${row.id}_failures.csv`, stringify(lines))
}

function idOf(call: PageCall): string {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  return id
}

async function admit({ viewer, limits }: Pick<PageCall, 'viewer' | 'limits'>): Promise<void> {
  if (viewer !== null) await limits.count('imports', viewer.accountId)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  {
    method: 'GET',
    path: '/settings/imports',
    handle: forViewer((call, viewer) => showImports(call, viewer)),
  },
  { method: 'POST', path: '/settings/imports', upload: fileBytes, admit, handle: forViewer(upload) },
  { method: 'GET', path: '/settings/imports/:id', handle: forViewer(showImport) },
  { method: 'POST', path: '/settings/imports/:id/confirm', handle: forViewer(confirm) },
  { method: 'POST', path: '/settings/imports/:id/discard', handle: forViewer(discard) },
  { method: 'GET', path: '/settings/imports/:id/failures.csv', handle: forViewer(downloadFailures) },
]
