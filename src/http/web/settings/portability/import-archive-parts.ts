// What the page of imports shows of archives.
import { html } from 'hono/html'
import type { ImportRow } from '#domain/transfer/portability/imports.ts'
import { hiddenFields, renderForm } from '#http/web/kit/form.ts'
import { renderPage } from '#http/web/kit/layout.ts'
import type { PageCall } from '#http/web/kit/page.ts'
import { renderProgress } from '#http/web/kit/steps.ts'
import { renderTime } from '#http/web/public/post-parts.ts'
import type { Html } from '#http/web/kit/html.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { describeKept } from '#lib/messages/keep-reason.ts'
import { renderImportSteps, showRunningImport } from './import-steps.ts'

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

/** How far it is and what was left out on purpose, or why nothing came in. */
function describeArchive(call: PageCall, row: ImportRow): string {
  const t = textsIn(call.language).pages.archive
  const skipped = Object.entries(t.skipped).flatMap(([reason, text]) => {
    const count = row.skipped[reason] ?? 0
    return count > 0 ? [{ count, told: text({ n: count }) }] : []
  })
  const failed = row.processed_items - row.imported_items - skipped.reduce((sum, one) => sum + one.count, 0)
  const { progress } = textsIn(call.language).pages.portability
  const parts = [
    progress({ done: row.processed_items, all: row.total_items, failed }),
    ...(row.processed_items > 0 ? [t.imported({ n: row.imported_items })] : []),
    ...skipped.map((one) => one.told),
  ]
  return row.error === null ? parts.join(' · ') : describeKept(row.error, call.language)
}

/** How the import of an archive stands. */
export function renderArchiveImport(call: PageCall, row: ImportRow): Html {
  const t = textsIn(call.language).pages.archive
  const common = textsIn(call.language).pages.portability
  return html`<li>
    <div>
      <strong>${t.archive}</strong> ${row.original_filename}
      <span class="soft">${common.states[row.state]}</span><br />
      <small>${describeArchive(call, row)}</small>
    </div>
    <a href="${path}/${row.id}">${row.state === 'unconfirmed' ? common.confirm : common.see}</a>
    ${row.has_failures ? html`<a href="${path}/${row.id}/failures.csv">${common.failures}</a>` : ''}
  </li>`
}

/** The page of the import of one archive, by how far it is. */
export function showArchiveImport(call: PageCall, row: ImportRow): Promise<Response> {
  if (row.state === 'unconfirmed') return askForArchive(call, row)
  if (row.state === 'finished' || row.state === 'failed') return showResult(call, row)
  const title = textsIn(call.language).pages.archive.importTitle
  return showRunningImport(call, row, { title, progress: renderBar(call, row) })
}

function renderBar(call: PageCall, row: ImportRow): Html {
  const label = textsIn(call.language).pages.portability.steps.run
  const so = { done: row.processed_items, all: row.total_items }
  return renderProgress(label, so, describeArchive(call, row))
}

function askForArchive(call: PageCall, row: ImportRow): Promise<Response> {
  const t = textsIn(call.language).pages.archive
  const common = textsIn(call.language).pages.portability
  const body = html`${renderImportSteps(call, 'look')}
    <p>${t.confirmHint({ name: row.original_filename })}</p>
    ${row.contents === null ? '' : renderContents(call, row.contents)}
    <p>${t.confirmMore}</p>
    ${renderForm(call, { action: `${path}/${row.id}/confirm`, fields: [], submit: common.confirm })}
    ${renderForm(call, { action: `${path}/${row.id}/discard`, fields: [], submit: common.discard, quiet: true })}`
  return renderPage(call, { title: common.confirmTitle, body })
}

function renderContents(
  { language }: PageCall,
  { posts, boosts, others, from, to }: NonNullable<ImportRow['contents']>,
): Html {
  const t = textsIn(language).pages.archive.contents
  return html`<ul>
    <li>${t.posts({ count: posts })}</li>
    ${from === null || to === null ? '' : html`<li>${t.from} ${renderTime(language, from)} · ${t.to} ${renderTime(language, to)}</li>`}
    ${boosts > 0 ? html`<li>${t.boosts({ count: boosts })}</li>` : ''}
    ${others > 0 ? html`<li>${t.others({ count: others })}</li>` : ''}
  </ul>`
}

function showResult(call: PageCall, row: ImportRow): Promise<Response> {
  const t = textsIn(call.language).pages.archive
  const common = textsIn(call.language).pages.portability
  const body = html`${renderImportSteps(call, 'result')}
    ${row.error === null ? renderBar(call, row) : html`<p class="problem" role="alert">${describeArchive(call, row)}</p>`}
    <p>${common.result({ count: row.imported_items })}</p>
    ${row.has_failures ? html`<p><a class="button" href="${path}/${row.id}/failures.csv">${common.failures}</a></p>` : ''}
    <p><a href="${path}">${common.all}</a></p>`
  return renderPage(call, { title: t.importTitle, body })
}
