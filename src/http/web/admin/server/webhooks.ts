// Addresses that are told of what happens here.
import { html } from 'hono/html'
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  setWebhookEnabled,
  updateWebhook,
} from '#domain/maintenance/webhooks/edit-webhook.ts'
import {
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  webhookEvents,
  type WebhookDelivery,
  type WebhookRow,
} from '#domain/maintenance/webhooks/queries.ts'
import { testWebhook } from '#domain/maintenance/webhooks/test-webhook.ts'
import { asId, type WebhookId } from '#lib/id.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { listOf, textOf, type Entered } from '../kit/fields.ts'
import { renderAct, renderBadge, renderMoment, renderPanel } from '../kit/parts.ts'
import { findRow, resourcePages, type Resource } from '../kit/resource.ts'
import { renderTable } from '../kit/table.ts'

const permission = 'manage_webhooks'
const path = '/admin/webhooks'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.webhooks

const resource: Resource<WebhookRow> = {
  path,
  permission,
  words: (call) => ({
    title: textsIn(call.language).pages.admin.sections.webhooks,
    hint: textsOf(call).hint,
    add: textsOf(call).add,
  }),
  list: showList,
  find: (call, id) => getWebhook(call.ctx, asId<WebhookId>(id)),
  nameOf: ({ url }) => new URL(url).host,
  fields: (call) => {
    const t = textsOf(call)
    return [
      { kind: 'text', name: 'url', type: 'url', label: t.url, required: true },
      {
        kind: 'boxes',
        name: 'events',
        label: t.events,
        choices: webhookEvents.map((value) => ({ value, label: `${t.happens[value]} (${value})` })),
      },
    ]
  },
  enteredOf: (row) => ({ url: row?.url ?? '', events: row?.events ?? [] }),
  async create(call, entered) {
    return { to: `${path}/${await createWebhook(call.ctx, call.viewer, inputOf(entered))}` }
  },
  async update(call, row, entered) {
    await updateWebhook(call.ctx, call.viewer, row.id, inputOf(entered))
    return { to: `${path}/${row.id}` }
  },
  remove: {
    run: (call, row) => deleteWebhook(call.ctx, call.viewer, row.id),
    consequences: (call) => [textsOf(call).removal],
  },
  above: showSecret,
  below: (call, row) => (row === null ? Promise.resolve('') : showDeliveries(call, row)),
}

const inputOf = (entered: Entered) => ({ url: textOf(entered, 'url'), events: listOf(entered, 'events') })

const stateOf = (call: DeskCall, { enabled, last_error: error, last_tried_at: tried }: WebhookRow) =>
  !enabled
    ? renderBadge(textsOf(call).off)
    : error !== null
      ? renderBadge(textsOf(call).failing, 'alarm')
      : tried === null
        ? renderBadge(textsOf(call).untried)
        : renderBadge(textsOf(call).works, 'good')

async function showSecret(call: DeskCall, row: WebhookRow): Promise<Html> {
  const t = textsOf(call)
  const act = (action: string, label: string) =>
    renderAct(call, { action: `${path}/${row.id}/${action}`, label })
  return renderPanel(
    t.state,
    html`<p>${stateOf(call, row)}</p>
      <details>
        <summary>${t.secret}</summary>
        <p><code>${row.secret}</code></p>
        <p class="hint">${t.secretHint}</p>
      </details>
      <div class="actions">
        ${act('test', t.test)} ${row.enabled ? act('disable', t.disable) : act('enable', t.enable)}
        ${act('rotate_secret', t.rotate)}
      </div>`,
  )
}

async function showDeliveries(call: DeskCall, row: WebhookRow): Promise<Html> {
  const t = textsOf(call)
  const deliveries = await listWebhookDeliveries(call.ctx, row.id)
  const outcome = ({ status, error }: WebhookDelivery) =>
    error === null ? renderBadge(`${t.arrived} ${status ?? ''}`, 'good') : renderBadge(error, 'alarm')
  return renderPanel(
    t.deliveries,
    renderTable(call, {
      caption: t.deliveries,
      columns: [{ label: t.event }, { label: t.outcome }, { label: t.when }],
      rows: deliveries.map((one) => ({
        cells: [html`<code>${one.event}</code>`, outcome(one), renderMoment(call, one.created_at)],
      })),
      none: t.noDeliveries,
    }),
  )
}

async function showList(call: DeskCall) {
  const t = textsOf(call)
  const rows = await listWebhooks(call.ctx)
  return renderTable(call, {
    caption: resource.words(call).title,
    columns: [{ label: t.url }, { label: t.state }, { label: t.events }, { label: t.when }],
    rows: rows.map((row) => ({
      cells: [
        html`<a href="${path}/${row.id}">${row.url}</a>`,
        stateOf(call, row),
        html`<code>${row.events.join(', ')}</code>`,
        row.last_tried_at === null ? '' : renderMoment(call, row.last_tried_at),
      ],
    })),
    none: t.none,
  })
}

async function test(call: DeskCall): Promise<Response> {
  const { id } = await findRow(call, resource)
  const { delivered, status, error } = await testWebhook(call.ctx, call.viewer, id)
  const t = textsOf(call)
  const text = delivered ? t.tested({ status: status ?? '' }) : t.notTested({ problem: error ?? '' })
  return redirectWith(call, `${path}/${id}`, { text })
}

const switching = (enabled: boolean) => async (call: DeskCall) => {
  const { id } = await findRow(call, resource)
  await setWebhookEnabled(call.ctx, call.viewer, id, enabled)
  return redirectWith(call, `${path}/${id}`, { text: enabled ? textsOf(call).isOn : textsOf(call).isOff })
}

async function rotate(call: DeskCall): Promise<Response> {
  const { id } = await findRow(call, resource)
  await rotateWebhookSecret(call.ctx, call.viewer, id)
  return redirectWith(call, `${path}/${id}`, { text: textsOf(call).rotated })
}

export const pages = [
  ...resourcePages(resource),
  adminPage({ method: 'POST', path: '/admin/webhooks/:id/test', permission, handle: test }),
  adminPage({ method: 'POST', path: '/admin/webhooks/:id/enable', permission, handle: switching(true) }),
  adminPage({ method: 'POST', path: '/admin/webhooks/:id/disable', permission, handle: switching(false) }),
  adminPage({ method: 'POST', path: '/admin/webhooks/:id/rotate_secret', permission, handle: rotate }),
]
