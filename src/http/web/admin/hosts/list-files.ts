// Lists of servers as files: looked at first, and taken once staff say so.
import { readFile } from 'node:fs/promises'
import { html } from 'hono/html'
import {
  exportHostAllows,
  exportHostBlocks,
  importHostAllows,
  importHostBlocks,
  maxListBytes,
  previewImport,
  requireList,
} from '#domain/trust/block-lists/import.ts'
import { csvResponse } from '#http/kit/csv-response.ts'
import { invalid } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { isTicked } from '../../kit/controls.ts'
import { textParam } from '../../kit/form.ts'
import { redirectWith } from '../../kit/flash.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import {
  attempt,
  fileOf,
  readEntered,
  renderFieldsForm,
  type Entered,
  type Field,
  type Problems,
} from '../kit/fields.ts'
import { renderDescribed } from './host-parts.ts'

const permission = 'manage_federation'
const blocks = '/admin/domain_blocks'
const allows = '/admin/domain_allows'
const shownAtOnce = 200
/** Characters of a list that goes along with the page that asks; a longer one is to be chosen once more. */
const maxKept = 100_000

const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.listFiles

const fieldsOf = (call: DeskCall): Field[] => [
  { kind: 'file', name: 'file', label: textsOf(call).file, accept: '.csv,.txt,.json,text/csv,text/plain' },
  { kind: 'area', name: 'text', label: textsOf(call).text, hint: textsOf(call).textHint, rows: 6 },
]

/** Throws `invalid` when there is none. */
async function readList(call: DeskCall): Promise<string> {
  const file = fileOf(call, 'file')
  const text = file ? await readFile(file.path, 'utf8') : textParam(call.params, 'text')
  if (text.trim() === '') throw invalid('file', 'blank')
  return text
}

interface Shown {
  entered?: Entered
  problems?: Problems
}

const trailOf = (call: DeskCall, path: typeof blocks | typeof allows): [string, string][] => [
  path === blocks
    ? [blocks, textsIn(call.language).pages.admin.sections.domain_blocks]
    : [allows, textsIn(call.language).pages.desk.domainAllows.title],
]

function showBlocks(call: DeskCall, { entered = { text: '' }, problems }: Shown = {}): Promise<Response> {
  const form = renderFieldsForm(call, {
    action: `${blocks}/import/preview`,
    fields: fieldsOf(call),
    entered,
    problems,
    submit: textsOf(call).look,
  })
  return renderDesk(call, {
    title: textsOf(call).blocksTitle,
    body: html`<p class="lead">${textsOf(call).blocksHint}</p>
      <div class="panel">${form}</div>`,
    trail: trailOf(call, blocks),
    ...(problems && { status: 422 }),
  })
}

async function lookAtBlocks(call: DeskCall): Promise<Response> {
  const result = await attempt(call, async () => {
    const text = await readList(call)
    return { text, preview: await previewImport(call.ctx, requireList(text), shownAtOnce) }
  })
  if ('problems' in result)
    return showBlocks(call, { entered: readEntered(call, fieldsOf(call)), problems: result.problems })
  const { text, preview } = result.done
  const t = textsOf(call)
  const fits = text.length <= maxKept
  const form = renderFieldsForm(call, {
    action: `${blocks}/import`,
    fields: [
      ...(fits ? [] : fieldsOf(call).slice(0, 1)),
      { kind: 'box', name: 'overwrite', label: t.overwrite, hint: t.overwriteHint },
    ],
    entered: {},
    hidden: fits ? { text } : {},
    submit: t.take({ count: preview.total }),
  })
  const skipped = preview.skipped.map(
    ({ line, text: entry }) => html`<li>${t.line({ line })} <code>${entry.slice(0, 100)}</code></li>`,
  )
  const body = html`<p class="lead">${t.found({ count: preview.total, skipped: preview.skippedCount })}</p>
    ${
      skipped.length === 0
        ? ''
        : html`<details>
            <summary>${t.skipped}</summary>
            <ul>
              ${skipped}
            </ul>
          </details>`
    }
    ${preview.total > shownAtOnce ? html`<p>${t.first({ count: shownAtOnce })}</p>` : ''}
    ${renderDescribed(call, preview.hosts, t.blocksTitle)}
    <div class="panel">${fits ? '' : html`<p>${t.again}</p>`} ${form}</div>`
  return renderDesk(call, { title: t.previewTitle, body, trail: trailOf(call, blocks) })
}

async function takeBlocks(call: DeskCall): Promise<Response> {
  const overwrite = isTicked(call.params, 'overwrite')
  const result = await attempt(call, async () =>
    importHostBlocks(call.ctx, call.viewer, requireList(await readList(call)), { overwrite }),
  )
  if ('problems' in result) return showBlocks(call, { problems: result.problems })
  const { created, updated, unchanged, skippedCount: skipped } = result.done
  const t = textsOf(call)
  return redirectWith(call, blocks, {
    text: `${t.taken({ created, updated })} ${t.rest({ unchanged, skipped })}`,
  })
}

function showAllows(call: DeskCall, { entered = { text: '' }, problems }: Shown = {}): Promise<Response> {
  const t = textsOf(call)
  const sure = textParam(call.params, 'sure') === '1'
  const form = renderFieldsForm(call, {
    action: `${allows}/import`,
    fields: fieldsOf(call),
    entered,
    problems,
    submit: sure ? t.allow : t.look,
  })
  return renderDesk(call, {
    title: t.allowsTitle,
    body: html`<p class="lead">${t.allowsHint}</p>
      <div class="panel">${form}</div>`,
    trail: trailOf(call, allows),
    ...(problems && { status: 422 }),
  })
}

async function takeAllows(call: DeskCall): Promise<Response> {
  const result = await attempt(call, async () => {
    const text = await readList(call)
    const list = requireList(text)
    if (textParam(call.params, 'sure') === '1' || text.length > maxKept)
      return { allowed: await importHostAllows(call.ctx, call.viewer, list) }
    return { text, hosts: list.hosts }
  })
  if ('problems' in result)
    return showAllows(call, { entered: readEntered(call, fieldsOf(call)), problems: result.problems })
  const t = textsOf(call)
  if ('allowed' in result.done)
    return redirectWith(call, allows, { text: t.allowed({ count: result.done.allowed ?? 0 }) })
  const { text, hosts } = result.done
  const form = renderFieldsForm(call, {
    action: `${allows}/import`,
    fields: [],
    entered: {},
    hidden: { text, sure: '1' },
    submit: t.allow,
  })
  const body = html`<p class="lead">${t.found({ count: hosts.length, skipped: 0 })}</p>
    <ul class="subjects">
      ${hosts.slice(0, shownAtOnce).map(({ domain }) => html`<li><bdi>${domain}</bdi></li>`)}
    </ul>
    <div class="panel">${form}</div>`
  return renderDesk(call, { title: t.previewTitle, body, trail: trailOf(call, allows) })
}

const upload = maxListBytes

export const pages = [
  adminPage({ path: '/admin/domain_blocks/import', permission, handle: (call) => showBlocks(call) }),
  adminPage({
    method: 'POST',
    path: '/admin/domain_blocks/import/preview',
    permission,
    upload,
    handle: lookAtBlocks,
  }),
  adminPage({ method: 'POST', path: '/admin/domain_blocks/import', permission, upload, handle: takeBlocks }),
  adminPage({
    path: '/admin/domain_blocks/export',
    permission,
    handle: async ({ ctx }) => csvResponse('domain_blocks.csv', await exportHostBlocks(ctx)),
  }),
  adminPage({ path: '/admin/domain_allows/import', permission, handle: (call) => showAllows(call) }),
  adminPage({ method: 'POST', path: '/admin/domain_allows/import', permission, upload, handle: takeAllows }),
  adminPage({
    path: '/admin/domain_allows/export',
    permission,
    handle: async ({ ctx }) => csvResponse('domain_allows.csv', await exportHostAllows(ctx)),
  }),
]
