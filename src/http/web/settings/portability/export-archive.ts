// The archive of an account: asked for on a page, downloaded by its owner alone.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import {
  findArchive,
  findDownload,
  findHindrance,
  listArchives,
  requestArchive,
  type BackupRow,
} from '#domain/transfer/portability/archive/archive-export.ts'
import { notFound } from '#lib/errors.ts'
import { isId } from '#lib/ids.ts'
import { formatDate } from '#lib/time/time.ts'
import { parseRange } from '#http/media/range.ts'
import { renderForm, textParam } from '#http/web/kit/form.ts'
import { redirectTo, renderPage } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { signInPath } from '#http/web/kit/return-to.ts'
import { askedAgain, renderProgress, renderSteps } from '#http/web/kit/steps.ts'
import type { Html } from '#http/web/kit/html.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { asId, type BackupId } from '#lib/id.ts'

const path = '/settings/export'

/** The part of the export page with the archives, and the button to ask for one. */
export async function renderArchives(call: PageCall, viewer: Viewer): Promise<Html> {
  const t = textsIn(call.language).pages.archive
  const [archives, next] = await Promise.all([
    listArchives(call.ctx, viewer.accountId),
    findHindrance(call.ctx, viewer.accountId),
  ])
  const ask =
    next === null
      ? renderForm(call, { action: path, fields: [], submit: t.request })
      : html`<p class="hint">${t.later({ day: formatDate(next) })}</p>`
  const list = html`<ul class="rows">
    ${archives.map((one) => renderArchive(call, one))}
  </ul>`
  return html`<h2>${t.exportTitle}</h2>
    <p>${t.exportHint}</p>
    ${renderSteps(
      steps.map((step) => t.steps[step]),
      0,
    )}
    ${archives.length === 0 ? '' : list} ${ask}`
}

const isThere = (call: PageCall, row: BackupRow) =>
  row.file_key !== null && (row.expires_at?.getTime() ?? Infinity) > call.ctx.clock.now()

/** How an archive stands, with its size and how long it is kept. */
function describeArchive(call: PageCall, row: BackupRow): string {
  const t = textsIn(call.language).pages.archive
  if (!isThere(call, row)) return row.state === 'finished' ? t.expired : t.states[row.state]
  const until = row.expires_at ? [t.until({ day: formatDate(row.expires_at) })] : []
  return [t.states[row.state], formatSize(Number(row.bytes), call.language), ...until].join(' · ')
}

const downloadLink = (call: PageCall, row: BackupRow) =>
  html`<a class="button" href="/settings/backups/${row.id}"
    >${textsIn(call.language).pages.archive.download}</a
  >`

function renderArchive(call: PageCall, row: BackupRow): Html {
  const { see } = textsIn(call.language).pages.portability
  const isWaiting = row.state === 'scheduled' || row.state === 'in_progress'
  return html`<li>
    <div>
      <strong>${formatDate(row.created_at)}</strong> <span class="soft">${describeArchive(call, row)}</span>
    </div>
    ${isThere(call, row) ? downloadLink(call, row) : ''}
    ${isWaiting ? html`<a href="${path}/${row.id}">${see}</a>` : ''}
  </li>`
}

const steps = ['ask', 'make', 'take'] as const

/** The page of one archive: how far it is, and then where it can be downloaded. */
async function showArchive(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = textParam(call.params, 'id')
  const row = isId(id) ? await findArchive(call.ctx, viewer.accountId, asId<BackupId>(id)) : null
  if (!row) throw notFound()
  const t = textsIn(call.language).pages.archive
  const common = textsIn(call.language).pages.portability
  const isMade = row.state === 'finished' || row.state === 'failed'
  const so = { done: row.processed_items, all: row.total_items }
  const part = isMade
    ? html`<p>${describeArchive(call, row)}</p>
        ${isThere(call, row) ? html`<p>${downloadLink(call, row)}</p>` : ''}`
    : html`${renderProgress(t.steps.make, so, row.total_items === 0 ? t.states[row.state] : t.progress(so))}
        <p>${t.mailed} <a href="${path}/${row.id}">${common.again}</a></p>`
  const body = html`${renderSteps(
      steps.map((step) => t.steps[step]),
      isMade ? 2 : 1,
    )}
    ${part}
    <p><a href="${path}">${common.toExport}</a></p>`
  const response = await renderPage(call, { title: t.exportTitle, body })
  return isMade ? response : askedAgain(response)
}

function formatSize(bytes: number, language: string): string {
  const [unit, size] = bytes < 1e6 ? ['kilobyte', bytes / 1e3] : ['megabyte', bytes / 1e6]
  const format = { style: 'unit', unit: unit as string, maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(language, format).format(size as number)
}

async function request(call: PageCall, viewer: Viewer): Promise<Response> {
  return redirectTo(`${path}/${await requestArchive(call.ctx, viewer)}`)
}

async function download(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = textParam(call.params, 'id')
  const found = isId(id) ? await findDownload(call.ctx, viewer, asId<BackupId>(id)) : null
  if (!found) throw notFound()
  const size = Number(found.bytes)
  // Without a validator there is no condition that could hold.
  const { headers: asked, method } = call.request
  const range = method === 'GET' && !asked.has('if-range') ? parseRange(asked.get('range'), size) : null
  const headers: Record<string, string> = {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="archive-${formatDate(found.created_at)}.zip"`,
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  }
  if (range === 'outside') {
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } })
  }
  const file = await call.ctx.storage.open(found.file_key, range ?? undefined)
  if (!file) throw notFound()
  const length = range ? range.end - range.start + 1 : file.size
  headers['content-length'] = String(length)
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${file.size}`
  return new Response(file.stream as ReadableStream, { status: range ? 206 : 200, headers })
}

const forViewer =
  (work: (call: PageCall, viewer: Viewer) => Promise<Response>): Page['handle'] =>
  async (call) =>
    call.viewer && call.viewer.refusal === null
      ? work(call, call.viewer)
      : redirectTo(signInPath(call.request.method === 'GET' ? call.url.pathname : path), 302)

export const pages: readonly Page[] = [
  { method: 'POST', path: '/settings/export', handle: forViewer(request) },
  { method: 'GET', path: '/settings/export/:id', handle: forViewer(showArchive) },
  { method: 'GET', path: '/settings/backups/:id', handle: forViewer(download) },
]
