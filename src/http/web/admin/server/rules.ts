// The rules of the server: their words in every language, and their order.
import { html } from 'hono/html'
import { createRule, deleteRule, moveRule, updateRule } from '#domain/server/instance/edit-rules.ts'
import { getRule, listFullRules, type FullRule } from '#domain/server/instance/rules.ts'
import { asId, type RuleId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { redirectWith } from '../../kit/flash.ts'
import { textParam } from '../../kit/form.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { textOf, type Entered, type Field } from '../kit/fields.ts'
import { renderAct } from '../kit/parts.ts'
import { findRow, resourcePages, type Resource } from '../kit/resource.ts'
import { renderTable } from '../kit/table.ts'

const permission = 'manage_rules'
const path = '/admin/rules'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.rules

/** Further languages that a form has room for. */
const room = 2

const resource: Resource<FullRule> = {
  path,
  permission,
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.rules,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getRule(call.ctx, asId<RuleId>(id)),
  nameOf: ({ text }) => text,
  fields: (call, row) => {
    const t = textsOf(call)
    return [
      { kind: 'area', name: 'text', label: t.text, rows: 2, required: true },
      { kind: 'area', name: 'hint', label: t.more, hint: t.moreHint, rows: 3 },
      ...slotsOf(row).flatMap((_, index) => translationFields(call, index)),
    ]
  },
  enteredOf: (row) => ({
    text: row?.text ?? '',
    hint: row?.hint ?? '',
    ...Object.fromEntries(
      slotsOf(row).flatMap(({ language, text, hint }, index) => [
        [`language_${index}`, language],
        [`text_${index}`, text],
        [`hint_${index}`, hint],
      ]),
    ),
  }),
  async create(call, entered) {
    await createRule(call.ctx, call.viewer, inputOf(entered))
  },
  async update(call, row, entered) {
    await updateRule(call.ctx, call.viewer, row.id, inputOf(entered))
  },
  remove: {
    run: (call, row) => deleteRule(call.ctx, call.viewer, row.id),
    consequences: (call) => [textsOf(call).removal],
  },
}

const slotsOf = (row: FullRule | null) => [
  ...Object.entries(row?.translations ?? {}).map(([language, told]) => ({ language, ...told })),
  ...Array.from({ length: room }, () => ({ language: '', text: '', hint: '' })),
]

function translationFields(call: DeskCall, index: number): Field[] {
  const t = textsOf(call)
  return [
    {
      kind: 'group',
      label: t.translation({ number: index + 1 }),
      fields: [
        { kind: 'text', name: `language_${index}`, label: t.language, hint: t.languageHint, maxLength: 16 },
        { kind: 'area', name: `text_${index}`, label: t.text, rows: 2 },
        { kind: 'area', name: `hint_${index}`, label: t.more, rows: 2 },
      ],
    },
  ]
}

function inputOf(entered: Entered) {
  const slots = Object.keys(entered).flatMap((name) => /^language_(\d+)$/.exec(name)?.[1] ?? [])
  const told = slots.map(
    (index) =>
      [
        textOf(entered, `language_${index}`).trim(),
        { text: textOf(entered, `text_${index}`), hint: textOf(entered, `hint_${index}`) },
      ] as const,
  )
  return {
    text: textOf(entered, 'text'),
    hint: textOf(entered, 'hint'),
    translations: Object.fromEntries(told.filter(([language]) => language !== '')),
  }
}

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const rules = await listFullRules(call.ctx)
  const move = (rule: FullRule, direction: 'up' | 'down', label: string) =>
    renderAct(call, { action: `${path}/${rule.id}/move`, label, hidden: { direction } })
  return renderTable(call, {
    caption: resource.words(call).title,
    columns: [{ label: t.text }, { label: t.languages }, { label: t.order }],
    rows: rules.map((rule, index) => ({
      cells: [
        html`<a href="${path}/${rule.id}">${rule.text}</a>${
            rule.hint === '' ? '' : html`<br /><small class="soft">${rule.hint}</small>`
          }`,
        Object.keys(rule.translations).join(', '),
        html`<div class="actions">
          ${index === 0 ? '' : move(rule, 'up', t.up)}
          ${index === rules.length - 1 ? '' : move(rule, 'down', t.down)}
        </div>`,
      ],
    })),
    none: t.none,
  })
}

async function move(call: DeskCall): Promise<Response> {
  const { id } = await findRow(call, resource)
  const direction = textParam(call.params, 'direction') === 'down' ? 'down' : 'up'
  await moveRule(call.ctx, call.viewer, id, direction)
  return redirectWith(call, path, { text: textsOf(call).moved })
}

export const pages = [
  ...resourcePages(resource),
  adminPage({ method: 'POST', path: '/admin/rules/:id/move', permission, handle: move }),
]
