// Devices to which notifications are pushed: what each shows, and how it ends.
import { html } from 'hono/html'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { documentedAlerts, pushPolicies } from '#domain/reading/push/rules.ts'
import {
  changeOwnPushSubscription,
  endOwnPushSubscription,
  listPushSubscriptions,
  type ListedPushSubscription,
} from '#domain/reading/push/subscriptions.ts'
import { isTicked, oneOf, renderPart } from '#http/web/kit/controls.ts'
import { forViewerAt } from '#http/web/kit/for-viewer.ts'
import { renderCheckbox, renderForm, renderSelect, textParam } from '#http/web/kit/form.ts'
import type { Html } from '#http/web/kit/html.ts'
import type { Page, PageCall } from '#http/web/kit/page.ts'
import { renderTime } from '#http/web/public/post-parts.ts'
import { notFound } from '#lib/errors.ts'
import { asId, type WebPushSubscriptionId } from '#lib/id.ts'
import { isId } from '#lib/ids.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { readUserAgent } from '#lib/net/user-agent.ts'
import { leadToSaved } from '../settings-page.ts'
import { addThisBrowser, devicesPath } from './this-browser.ts'

const path = '/settings/notifications'

/** Kinds that mean something to everybody. */
const kinds = documentedAlerts.filter((kind) => !kind.startsWith('admin.'))
type Kind = Exclude<(typeof documentedAlerts)[number], `admin.${string}`>

export async function renderDevices(call: PageCall, viewer: Viewer): Promise<Html> {
  const t = textsIn(call.language).pages.settings.devices
  const devices = await listPushSubscriptions(call.ctx, viewer.accountId)
  return renderPart({
    id: 'devices',
    title: t.title,
    hint: t.hint,
    fields:
      devices.length === 0 ? [html`<p>${t.none}</p>`] : devices.map((device) => renderDevice(call, device)),
  })
}

function renderDevice(call: PageCall, device: ListedPushSubscription): Html {
  const t = textsIn(call.language).pages.settings
  const name = nameOf(call, device)
  // A page may have several of them, each with fields of the same names.
  const field = (part: string) => `device_${device.id}[${part}]`
  const fields = [
    renderSelect({
      name: field('policy'),
      label: t.devices.policy,
      value: device.policy,
      choices: pushPolicies.map((value) => ({ value, label: t.devices.policies[value] })),
    }),
    ...kinds.map((kind) =>
      renderCheckbox({
        name: field(kind),
        label: t.devices.kinds[kind as Kind],
        checked: device.alerts[kind] ?? false,
      }),
    ),
  ]
  const action = `${devicesPath}/${device.id}`
  return html`<details class="device">
    <summary>
      <strong>${name}</strong>
      <span class="soft"
        >${t.devices.since} ${renderTime(call.language, device.created_at.toISOString())}</span
      >
    </summary>
    ${renderForm(call, { action, fields, submit: t.save, about: name })}
    ${renderForm(call, { action: `${action}/end`, fields: [], submit: t.devices.end, about: name, quiet: true })}
  </details>`
}

function nameOf(call: PageCall, { application, user_agent: userAgent }: ListedPushSubscription): string {
  if (application !== null) return application
  const { browser, system } = readUserAgent(userAgent ?? '')
  const t = textsIn(call.language).pages.sessions
  return browser && system ? t.on({ browser, system }) : (browser ?? system ?? t.unknown)
}

function idOf(call: PageCall): WebPushSubscriptionId {
  const id = textParam(call.params, 'id')
  if (!isId(id)) throw notFound()
  return asId(id)
}

/** Kinds that the form does not show stay as they are. */
async function save(call: PageCall, viewer: Viewer): Promise<Response> {
  const id = idOf(call)
  const devices = await listPushSubscriptions(call.ctx, viewer.accountId)
  const before = devices.find((device) => device.id === id)
  if (!before) throw notFound()
  const form = `device_${id}`
  const others = Object.entries(before.alerts).filter(
    ([kind, on]) => on && !kinds.some((one) => one === kind),
  )
  const ticked = kinds.filter((kind) => isTicked(call.params, form, kind))
  await changeOwnPushSubscription(call.ctx, viewer, id, {
    policy: oneOf(call.params, [form, 'policy'], pushPolicies),
    alerts: [...ticked, ...others.map(([kind]) => kind)],
  })
  return leadToSaved(path)
}

async function end(call: PageCall, viewer: Viewer): Promise<Response> {
  await endOwnPushSubscription(call.ctx, viewer, idOf(call))
  return leadToSaved(path)
}

const forViewer = forViewerAt(path)

export const pages: readonly Page[] = [
  { method: 'POST', path: '/settings/notifications/devices', handle: forViewer(addThisBrowser) },
  { method: 'POST', path: '/settings/notifications/devices/:id{[0-9]+}', handle: forViewer(save) },
  { method: 'POST', path: '/settings/notifications/devices/:id{[0-9]+}/end', handle: forViewer(end) },
]
