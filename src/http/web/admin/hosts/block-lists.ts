// Lists of servers that others publish, and which servers no list may block.
import { html } from 'hono/html'
import { excludeHost, includeHost, listExclusions } from '#domain/trust/block-lists/exclusions.ts'
import { refreshByStaff } from '#domain/trust/block-lists/refresh.ts'
import {
  createSubscription,
  deleteSubscription,
  getSubscription,
  listEntries,
  listSubscriptions,
  updateSubscription,
  type Subscription,
} from '#domain/trust/block-lists/subscriptions.ts'
import { severities } from '#domain/trust/moderation/hosts/host-blocks.ts'
import { asId, type BlockListSubscriptionId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { numberText } from '../../public/post-parts.ts'
import { renderCheckbox, textParam } from '../../kit/form.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import { redirectTo } from '../../kit/layout.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import {
  attempt,
  boxed,
  isTicked,
  renderFieldsForm,
  textOf,
  type Entered,
  type Problems,
} from '../kit/fields.ts'
import { hrefWith, offsetOf, perPage, renderOffsetPager } from '../kit/links.ts'
import { renderAct, renderBadge, renderMoment, renderPanel } from '../kit/parts.ts'
import { findRow, resourcePages, type Resource } from '../kit/resource.ts'
import { renderFacts, renderTable } from '../kit/table.ts'
import { renderDescribed, renderHost } from './host-parts.ts'

const permission = 'manage_federation'
const path = '/admin/block_lists'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.blockLists
const hostTexts = (call: DeskCall) => textsIn(call.language).pages.desk.hosts

const resource: Resource<Subscription> = {
  path,
  permission,
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.block_lists,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getSubscription(call.ctx, asId<BlockListSubscriptionId>(id)),
  nameOf: ({ title }) => title,
  fields: (call) => {
    const t = textsOf(call)
    return [
      { kind: 'text', name: 'url', type: 'url', label: t.url, hint: t.urlHint, required: true },
      { kind: 'text', name: 'title', label: t.title },
      {
        kind: 'choice',
        name: 'most_severity',
        label: t.most,
        choices: severities.map((value) => ({ value, label: hostTexts(call).severities[value] })),
      },
      { kind: 'box', name: 'applied', label: t.applied, hint: t.appliedHint },
      { kind: 'box', name: 'retract', label: t.retract },
    ]
  },
  enteredOf: (row) => ({
    url: row?.url ?? '',
    title: row?.title ?? '',
    most_severity: row?.most_severity ?? 'suspend',
    applied: boxed(row?.applied ?? false),
    retract: boxed(row?.retract ?? true),
  }),
  async create(call, entered) {
    const { id } = await createSubscription(call.ctx, call.viewer, inputOf(entered))
    return { to: `${path}/${id}`, text: textsOf(call).subscribed }
  },
  async update(call, row, entered) {
    await updateSubscription(call.ctx, call.viewer, row.id, inputOf(entered))
    return { to: `${path}/${row.id}` }
  },
  remove: {
    run: (call, row, entered) =>
      deleteSubscription(call.ctx, call.viewer, row.id, { keep: isTicked(entered, 'keep') }),
    consequences: (call) => [textsOf(call).removal],
    fields: (call) => renderCheckbox({ name: 'keep', label: textsOf(call).keep }),
  },
  below: (call, row) => (row === null ? Promise.resolve('') : showEntries(call, row)),
}

const inputOf = (entered: Entered) => ({
  url: textOf(entered, 'url'),
  title: textOf(entered, 'title'),
  mostSeverity: severities.find((one) => one === textOf(entered, 'most_severity')),
  applied: isTicked(entered, 'applied'),
  retract: isTicked(entered, 'retract'),
})

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const lists = await listSubscriptions(call.ctx)
  return html`<p><a href="${path}/exclusions">${t.exclusions}</a></p>
    ${renderTable(call, {
      caption: resource.words(call).title,
      columns: [
        { label: t.title },
        { label: t.state },
        { label: t.entries, numeric: true },
        { label: t.fetched },
      ],
      rows: lists.map((list) => ({
        cells: [
          html`<a href="${path}/${list.id}">${list.title}</a>`,
          list.applied ? renderBadge(t.isApplied, 'good') : renderBadge(t.isShown),
          numberText(call.language, list.entries_count),
          html`${list.fetched_at === null ? t.never : renderMoment(call, list.fetched_at)}
          ${list.error === null ? '' : renderBadge(t.failed, 'alarm')}`,
        ],
      })),
      none: t.none,
    })}`
}

/** What the list names beside what is blocked here. */
async function showEntries(call: DeskCall, row: Subscription): Promise<Html> {
  const t = textsOf(call)
  const different = textParam(call.params, 'show') !== 'all'
  const page = { limit: perPage, offset: offsetOf(call) }
  const entries = await listEntries(call.ctx, row.id, page, { different })
  const refresh = `${path}/${row.id}/refresh`
  const facts = renderFacts([
    [t.entries, numberText(call.language, row.entries_count)],
    [t.fetched, row.fetched_at === null ? t.never : renderMoment(call, row.fetched_at)],
    [t.tried, row.tried_at && renderMoment(call, row.tried_at)],
    [t.problem, row.error],
  ])
  const tab = (show: string, label: string, isHere: boolean) =>
    html`<a href="${hrefWith(call, { show })}" ${isHere ? html`aria-current="page"` : ''}>${label}</a>`
  return html`${renderPanel(
      t.state,
      html`${facts}
        <div class="actions">
          ${renderAct(call, { action: refresh, label: t.refresh })}
          ${row.error === null ? '' : renderAct(call, { action: refresh, label: t.force, hidden: { force: '1' } })}
        </div>`,
    )}
    <nav class="tabs" aria-label="${t.entries}">
      ${tab('', t.differences, different)} ${tab('all', t.all, !different)}
    </nav>
    ${renderDescribed(call, entries, t.entries)} ${renderOffsetPager(call, entries.length)}`
}

async function refresh(call: DeskCall): Promise<Response> {
  const { id } = await findRow(call, resource)
  const problem = await refreshByStaff(call.ctx, call.viewer, id, textParam(call.params, 'force') === '1')
  const t = textsOf(call)
  return redirectWith(call, `${path}/${id}`, {
    text: problem === null ? t.refreshed : t.notRefreshed({ problem }),
  })
}

async function showExclusions(call: DeskCall, problems?: Problems): Promise<Response> {
  const t = textsOf(call)
  const exclusions = await listExclusions(call.ctx)
  const form = renderFieldsForm(call, {
    action: `${path}/exclusions`,
    fields: [
      { kind: 'text', name: 'domain', label: hostTexts(call).domain, required: true },
      { kind: 'text', name: 'comment', label: t.comment },
    ],
    entered: problems
      ? { domain: textParam(call.params, 'domain'), comment: textParam(call.params, 'comment') }
      : {},
    problems,
    submit: t.exclude,
  })
  const table = renderTable(call, {
    caption: t.exclusions,
    columns: [{ label: hostTexts(call).domain }, { label: t.comment }, { label: t.actions }],
    rows: exclusions.map(({ domain, comment }) => ({
      cells: [
        renderHost(domain),
        comment,
        renderAct(call, { action: `${path}/exclusions/${domain}/remove`, label: t.include }),
      ],
    })),
    none: t.noExclusions,
  })
  return renderDesk(call, {
    title: t.exclusions,
    body: html`<p class="lead">${t.exclusionsHint}</p>
      <div class="panel">${form}</div>
      ${table}`,
    trail: [[path, resource.words(call).title]],
    ...(problems && { status: 422 }),
  })
}

async function exclude(call: DeskCall): Promise<Response> {
  const [domain, comment] = [textParam(call.params, 'domain'), textParam(call.params, 'comment')]
  const result = await attempt(call, () => excludeHost(call.ctx, call.viewer, domain, comment))
  return 'problems' in result
    ? showExclusions(call, result.problems)
    : redirectWith(call, `${path}/exclusions`, { text: textsOf(call).excluded({ domain }) })
}

async function include(call: DeskCall): Promise<Response> {
  await includeHost(call.ctx, call.viewer, textParam(call.params, 'domain'))
  return redirectTo(`${path}/exclusions`)
}

export const pages = [
  ...resourcePages(resource),
  adminPage({ method: 'POST', path: '/admin/block_lists/:id/refresh', permission, handle: refresh }),
  adminPage({ path: '/admin/block_lists/exclusions', permission, handle: (call) => showExclusions(call) }),
  adminPage({ method: 'POST', path: '/admin/block_lists/exclusions', permission, handle: exclude }),
  adminPage({
    method: 'POST',
    path: '/admin/block_lists/exclusions/:domain/remove',
    permission,
    handle: include,
  }),
]
