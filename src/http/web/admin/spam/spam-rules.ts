// The rules against spam, tried on real posts before they hold.
import { html } from 'hono/html'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import { spamActions } from '#domain/content/spam/conditions.ts'
import { maxHours, runDry } from '#domain/content/spam/dry-run.ts'
import { listHits } from '#domain/content/spam/hits.ts'
import {
  createSpamRule,
  deleteSpamRule,
  getSpamRule,
  listSpamRules,
  readConditions,
  updateSpamRule,
  type SpamRuleRow,
} from '#domain/content/spam/rules.ts'
import { undoSpamRule } from '#domain/trust/moderation/undo-spam-rule.ts'
import { asId, type SpamRuleId } from '#lib/id.ts'
import { invalid } from '#lib/errors.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { viewDryRun, viewHits } from '#views/trust/admin-spam.ts'
import { renderPost } from '../../public/post.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderConfirm } from '../kit/confirm.ts'
import { attempt, boxed, isTicked, numberOf, readEntered, textOf, type Entered } from '../kit/fields.ts'
import { renderBadge, renderMoment, renderPanel, renderPerson } from '../kit/parts.ts'
import { findRow, resourcePages, showForm, type Resource } from '../kit/resource.ts'
import { renderTable } from '../kit/table.ts'
import { conditionFields, conditionsOf, enteredOfConditions } from './condition-fields.ts'

const permission = 'manage_blocks'
const path = '/admin/spam_rules'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.spamRules
const shownPosts = 20
const shownHits = 40

const resource: Resource<SpamRuleRow> = {
  path,
  permission: ['manage_reports', 'manage_blocks'],
  writers: permission,
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.spam_rules,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getSpamRule(call.ctx, asId<SpamRuleId>(id)),
  nameOf: ({ name }) => name,
  fields: (call) => {
    const t = textsOf(call)
    return [
      { kind: 'text', name: 'name', label: t.name, required: true },
      { kind: 'box', name: 'enabled', label: t.enabled },
      {
        kind: 'choice',
        name: 'action',
        label: t.action,
        choices: spamActions.map((value) => ({ value, label: t.actions[value] })),
      },
      { kind: 'group', label: t.conditions, hint: t.conditionsHint, fields: conditionFields(call) },
      { kind: 'text', name: 'hours', type: 'number', label: t.hours({ max: maxHours }) },
    ]
  },
  enteredOf: (row) => ({
    name: row?.name ?? '',
    enabled: boxed(row?.enabled ?? true),
    action: row?.action ?? 'report',
    hours: '24',
    ...enteredOfConditions(row?.conditions ?? {}),
  }),
  async create(call, entered) {
    await createSpamRule(call.ctx, call.viewer, inputOf(entered))
  },
  async update(call, row, entered) {
    await updateSpamRule(call.ctx, call.viewer, row.id, inputOf(entered))
  },
  remove: {
    run: (call, row) => deleteSpamRule(call.ctx, call.viewer, row.id),
    consequences: (call) => [textsOf(call).removal],
  },
  others: (row, call) => [
    { action: row === null ? `${path}/try` : `${path}/${row.id}/try`, label: textsOf(call).try },
  ],
  below: (call, row) => (row === null ? Promise.resolve('') : showHits(call, row)),
}

const inputOf = (entered: Entered) => ({
  name: textOf(entered, 'name'),
  enabled: isTicked(entered, 'enabled'),
  action: textOf(entered, 'action'),
  conditions: conditionsOf(entered),
})

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const rules = await listSpamRules(call.ctx)
  return renderTable(call, {
    caption: resource.words(call).title,
    columns: [
      { label: t.name },
      { label: t.state },
      { label: t.action },
      { label: t.hits, numeric: true },
      { label: t.lastHit },
    ],
    rows: rules.map((rule) => ({
      cells: [
        html`<a href="${path}/${rule.id}">${rule.name}</a>`,
        rule.enabled ? renderBadge(t.on, 'good') : renderBadge(t.off),
        t.actions[rule.action],
        String(rule.hits),
        rule.last_hit_at === null ? '' : renderMoment(call, rule.last_hit_at),
      ],
    })),
    none: t.none,
  })
}

/** What the rule matched, with the way to take it back. */
async function showHits(call: DeskCall, rule: SpamRuleRow): Promise<Html> {
  const t = textsOf(call)
  const page = await listHits(call.ctx, rule.id, { limit: shownHits })
  const hits = await viewHits(call.ctx, page.items)
  const table = renderTable(call, {
    caption: t.matched,
    columns: [{ label: t.who }, { label: t.action }, { label: t.post }, { label: t.lastHit }],
    rows: hits.map((hit) => ({
      cells: [
        hit.account === null ? '' : renderPerson(call, hit.account),
        html`${t.actions[hit.action]} ${hit.undone_at === null ? '' : renderBadge(t.undone)}`,
        hit.uri === null ? '' : html`<a href="${hit.uri}" rel="noreferrer noopener">${t.open}</a>`,
        renderMoment(call, hit.created_at),
      ],
    })),
    none: t.noHits,
  })
  const mayUndo = hits.length > 0 && hasPermission(call.viewer, permission)
  const undo = mayUndo
    ? html`<p><a class="button quiet alarming" href="${path}/${rule.id}/undo">${t.undo}</a></p>`
    : ''
  return renderPanel(t.matched, html`${table} ${undo}`)
}

/** Holds posts of the last hours against what stands in the form, which is shown again with them. */
async function tryOut(call: DeskCall, row: SpamRuleRow | null): Promise<Response> {
  const t = textsOf(call)
  const entered = readEntered(call, await resource.fields(call, row))
  const result = await attempt(call, async () => {
    const hours = numberOf(entered, 'hours') ?? 24
    if (!(hours >= 1 && hours <= maxHours)) throw invalid('hours', 'not_from_one', { max: maxHours })
    const conditions = await readConditions(call.ctx, conditionsOf(entered))
    const run = await runDry(call.ctx, conditions, { hours, limit: shownPosts, closed: false })
    return viewDryRun(call.ctx, call.viewer, run)
  })
  if ('problems' in result) return showForm(call, resource, { row, entered, problems: result.problems })
  const { count, examined, truncated, statuses } = result.done
  const found = html`<div role="status">
      <p>${t.would({ count, examined })}</p>
      ${truncated ? html`<p>${t.truncated}</p>` : ''}
    </div>
    <div class="posts">${statuses.map((post) => renderPost(call.language, post))}</div>`
  return showForm(call, resource, { row, entered, tried: renderPanel(t.tried, found) })
}

const askToUndo = async (call: DeskCall): Promise<Response> => {
  const rule = await findRow(call, resource)
  const t = textsOf(call)
  return renderConfirm(call, {
    title: t.undoTitle({ name: rule.name }),
    consequences: [t.undoing, t.undoingKeeps],
    action: `${path}/${rule.id}/undo`,
    submit: t.undo,
    back: `${path}/${rule.id}`,
  })
}

async function undo(call: DeskCall): Promise<Response> {
  const rule = await findRow(call, resource)
  const { hits, more } = await undoSpamRule(call.ctx, call.viewer, rule.id, { since: null })
  const t = textsOf(call)
  return redirectWith(call, `${path}/${rule.id}`, {
    text: `${t.undoneHits({ count: hits })}${more ? ` ${t.thereIsMore}` : ''}`,
  })
}

export const pages = [
  ...resourcePages(resource),
  adminPage({
    method: 'POST',
    path: '/admin/spam_rules/try',
    permission,
    handle: (call) => tryOut(call, null),
  }),
  adminPage({
    method: 'POST',
    path: '/admin/spam_rules/:id/try',
    permission,
    handle: async (call) => tryOut(call, await findRow(call, resource)),
  }),
  adminPage({ path: '/admin/spam_rules/:id/undo', permission, handle: askToUndo }),
  adminPage({ method: 'POST', path: '/admin/spam_rules/:id/undo', permission, handle: undo }),
]
