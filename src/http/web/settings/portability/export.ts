// What people take along: their lists as CSV.
import { html } from 'hono/html'
import { fileNames, portableLists, type PortableList } from '#domain/transfer/portability/csv-formats.ts'
import { countPortable, exportCsv } from '#domain/transfer/portability/export-csv.ts'
import { notFound } from '#lib/errors.ts'
import { csvResponse, streamOf } from '#http/kit/csv-response.ts'
import { renderArchives } from './export-archive.ts'
import { redirectTo, renderPage } from '#http/web/kit/layout.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { signInPath } from '#http/web/kit/return-to.ts'
import { textsIn } from '#lib/messages/texts.ts'

const path = '/settings/export'
/** The names of Mastodon's addresses. */
const slugs: Readonly<Record<PortableList, string>> = {
  following: 'follows',
  muting: 'mutes',
  blocking: 'blocks',
  domain_blocking: 'domain_blocks',
  lists: 'lists',
  bookmarks: 'bookmarks',
}

async function showExport(call: PageCall): Promise<Response> {
  if (!call.viewer) return redirectTo(signInPath(path), 302)
  const t = textsIn(call.language).pages.portability
  const counts = await countPortable(call.ctx, call.viewer.accountId)
  const body = html`<p>${t.exportHint}</p>
    <ul class="rows">
      ${portableLists.map(
        (list) =>
          html`<li>
            <div><strong>${t.lists[list]}</strong> <span class="soft">${counts[list]}</span></div>
            <a class="button" href="/settings/exports/${slugs[list]}.csv">${t.download}</a>
          </li>`,
      )}
    </ul>
    ${await renderArchives(call, call.viewer)}
    <p><a href="/settings/imports">${t.toImport}</a></p>`
  return renderPage(call, { title: t.exportTitle, body, wide: true })
}

async function download(call: PageCall): Promise<Response> {
  if (!call.viewer) return redirectTo(signInPath(path), 302)
  const name = String(call.params['file'] ?? '')
  const list = portableLists.find((one) => `${slugs[one]}.csv` === name)
  if (!list) throw notFound()
  return csvResponse(fileNames[list], streamOf(exportCsv(call.ctx, call.viewer.accountId, list)))
}

export const pages: readonly Page[] = [
  { method: 'GET', path: '/settings/export', handle: showExport },
  { method: 'GET', path: '/settings/exports/:file', handle: download },
]
