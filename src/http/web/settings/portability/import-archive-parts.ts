// What the page of imports shows of archives.
import { html } from 'hono/html'
import type { ImportRow } from '#domain/transfer/portability/imports.ts'
import { hiddenFields, renderForm } from '#http/web/kit/form.ts'
import { renderPage } from '#http/web/kit/layout.ts'
import type { PageCall } from '#http/web/kit/page.ts'
import type { Html } from '#http/web/kit/html.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { describeKept } from '#lib/messages/keep-reason.ts'

const path = '/settings/imports'

/** The form to upload an archive. */
export function renderArchiveUpload(call: PageCall): Html {
  const t = textsIn(call.language).pages.archive
  return html`<h2>${t.importTitle}</h2>
    <p>${t.importHint}</p>
    <form method="post" action="${path}/archive" enctype="multipart/form-data">
      ${hiddenFields(call.ctx, call.browser)}
      <label for="archive-file">${t.importFile}</label>
      <input id="archive-file" type="file" name="data" accept=".zip,.tar.gz,.tgz" required />
      <button type="submit" class="main">${t.upload}</button>
    </form>`
}

/** How the import of an archive stands. */
export function renderArchiveImport(call: PageCall, row: ImportRow): Html {
  const t = textsIn(call.language).pages.archive
  const common = textsIn(call.language).pages.portability
  const skipped = Object.entries(t.skipped).flatMap(([reason, text]) => {
    const count = row.skipped[reason] ?? 0
    return count > 0 ? [{ count, told: text({ n: count }) }] : []
  })
  const failed = row.processed_items - row.imported_items - skipped.reduce((sum, one) => sum + one.count, 0)
  const parts = [
    common.progress({ done: row.processed_items, all: row.total_items, failed }),
    ...(row.processed_items > 0 ? [t.imported({ n: row.imported_items })] : []),
    ...skipped.map((one) => one.told),
  ]
  const told = row.error === null ? parts.join(' · ') : describeKept(row.error, call.language)
  return html`<li>
    <div>
      <strong>${t.archive}</strong> ${row.original_filename}
      <span class="soft">${common.states[row.state]}</span><br />
      <small>${told}</small>
    </div>
    ${row.state === 'unconfirmed' ? html`<a href="${path}/${row.id}">${common.confirm}</a>` : ''}
    ${row.has_failures ? html`<a href="${path}/${row.id}/failures.csv">${common.failures}</a>` : ''}
  </li>`
}

/** The page that asks whether an uploaded archive shall be imported. */
export function showArchive(call: PageCall, row: ImportRow): Promise<Response> {
  const t = textsIn(call.language).pages.archive
  const common = textsIn(call.language).pages.portability
  const body = html`<p>${t.confirmHint({ name: row.original_filename })}</p>
    <p>${t.confirmMore}</p>
    ${renderForm(call, { action: `${path}/${row.id}/confirm`, fields: [], submit: common.confirm })}
    ${renderForm(call, { action: `${path}/${row.id}/discard`, fields: [], submit: common.discard, quiet: true })}`
  return renderPage(call, { title: common.confirmTitle, body })
}
