// Texts that staff use again and again when they warn people.
import { html } from 'hono/html'
import {
  createWarningPreset,
  deleteWarningPreset,
  getWarningPreset,
  listWarningPresets,
  maxWarningText,
  updateWarningPreset,
} from '#domain/trust/moderation/warning-presets.ts'
import type { WarningPresetId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { redirectWith } from '../../kit/flash.ts'
import { renderField, renderForm, textParam } from '../../kit/form.ts'
import type { Html } from '../../kit/html.ts'
import type { Page } from '../../kit/page.ts'
import { adminPage, tryForm, type DeskCall } from '../kit/admin-page.ts'
import { renderConfirm } from '../kit/confirm.ts'
import { renderDesk } from '../kit/desk.ts'
import { idParam } from '../kit/params.ts'
import { renderPanel } from '../kit/parts.ts'
import { renderTable } from '../kit/table.ts'

const path = '/admin/warning_presets'
const permission = 'manage_settings'
const maxTitle = 200

interface Words {
  title: string
  text: string
}

const wordsOf = (call: DeskCall): Words => ({
  title: textParam(call.params, 'title'),
  text: textParam(call.params, 'text'),
})

function renderWords(call: DeskCall, action: string, words: Words, problem: string | null): Html {
  const t = textsIn(call.language).pages.admin
  return renderForm(call, {
    action,
    problem,
    fields: [
      renderField({
        name: 'title',
        label: t.presets.title,
        hint: t.presets.titleHint,
        value: words.title,
        required: false,
        maxLength: maxTitle,
      }),
      renderField({
        name: 'text',
        label: t.presets.text,
        value: words.text,
        rows: 6,
        maxLength: maxWarningText,
      }),
    ],
    submit: t.save,
  })
}

async function show(call: DeskCall, problem: string | null = null): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const presets = await listWarningPresets(call.ctx)
  const table = renderTable(call, {
    caption: t.sections.warning_presets,
    columns: [{ label: t.presets.title }, { label: t.presets.text }],
    rows: presets.map(({ id, title, text }) => ({
      cells: [
        html`<a href="${path}/${id}" dir="auto">${title || text.slice(0, 60)}</a>`,
        html`<span class="said" dir="auto">${text}</span>`,
      ],
    })),
    none: t.presets.none,
  })
  const words = problem === null ? { title: '', text: '' } : wordsOf(call)
  const body = html`<p>${t.presets.hint}</p>
    ${table} ${renderPanel(t.presets.add, renderWords(call, path, words, problem))}`
  return renderDesk(call, { title: t.sections.warning_presets, body, status: problem === null ? 200 : 422 })
}

async function add(call: DeskCall): Promise<Response> {
  const problem = await tryForm(call, () => createWarningPreset(call.ctx, call.viewer, wordsOf(call)))
  if (problem !== null) return show(call, problem)
  return redirectWith(call, path, { text: textsIn(call.language).pages.admin.did.saved })
}

async function showOne(call: DeskCall, problem: string | null = null): Promise<Response> {
  const t = textsIn(call.language).pages.admin
  const preset = await getWarningPreset(call.ctx, idParam<WarningPresetId>(call))
  const words = problem === null ? preset : wordsOf(call)
  const body = html`<section class="panel">
      ${renderWords(call, `${path}/${preset.id}`, words, problem)}
    </section>
    <p><a href="${path}/${preset.id}/delete">${t.presets.remove}</a></p>`
  return renderDesk(call, {
    title: preset.title || t.presets.text,
    trail: [[path, t.sections.warning_presets]],
    body,
    status: problem === null ? 200 : 422,
  })
}

async function save(call: DeskCall): Promise<Response> {
  const id = idParam<WarningPresetId>(call)
  const problem = await tryForm(call, () => updateWarningPreset(call.ctx, call.viewer, id, wordsOf(call)))
  if (problem !== null) return showOne(call, problem)
  return redirectWith(call, path, { text: textsIn(call.language).pages.admin.did.saved })
}

async function askRemoval(call: DeskCall): Promise<Response> {
  const t = textsIn(call.language).pages.admin.presets
  const { id, title, text } = await getWarningPreset(call.ctx, idParam<WarningPresetId>(call))
  return renderConfirm(call, {
    title: t.remove,
    consequences: [t.removeMeans],
    subjects: [title || text.slice(0, 60)],
    action: `${path}/${id}/delete`,
    submit: t.remove,
    back: `${path}/${id}`,
  })
}

async function remove(call: DeskCall): Promise<Response> {
  await deleteWarningPreset(call.ctx, call.viewer, idParam<WarningPresetId>(call))
  return redirectWith(call, path, { text: textsIn(call.language).pages.admin.presets.removed })
}

export const pages: readonly Page[] = [
  adminPage({ path: '/admin/warning_presets', permission, handle: (call) => show(call) }),
  adminPage({ method: 'POST', path: '/admin/warning_presets', permission, handle: add }),
  adminPage({ path: '/admin/warning_presets/:id{[0-9]+}', permission, handle: (call) => showOne(call) }),
  adminPage({ method: 'POST', path: '/admin/warning_presets/:id{[0-9]+}', permission, handle: save }),
  adminPage({ path: '/admin/warning_presets/:id{[0-9]+}/delete', permission, handle: askRemoval }),
  adminPage({
    method: 'POST',
    path: '/admin/warning_presets/:id{[0-9]+}/delete',
    permission,
    handle: remove,
  }),
]
