// One server: what came of it, what limits it, and what is sent there.
import { html } from 'hono/html'
import {
  countHostDeliveries,
  listHostDeliveries,
  restartDeliveries,
  retryDeliveries,
  stopDeliveries,
  type HostDelivery,
} from '#domain/federation/queue/host-deliveries.ts'
import type { KnownHost } from '#domain/maintenance/dashboard/known-hosts.ts'
import { dayOf, plusDays } from '#domain/maintenance/dashboard/days.ts'
import { readMeasures, type Measure } from '#domain/maintenance/dashboard/measures.ts'
import { purgeHostByStaff, requestHostPurge } from '#domain/maintenance/deletion/purge-host.ts'
import { findNearestBlock, type HostBlock } from '#domain/trust/moderation/hosts/host-blocks.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { numberText } from '../../public/post-parts.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderConfirm } from '../kit/confirm.ts'
import { renderDesk } from '../kit/desk.ts'
import { renderAct, renderMoment, renderPanel } from '../kit/parts.ts'
import { renderFacts, renderTable } from '../kit/table.ts'
import { renderHealth, renderLimits, renderSeverity } from './host-parts.ts'
import { renderHostNotes } from './host-notes.ts'
import { hostOf } from './host-of.ts'

const permission = 'manage_federation'
const list = '/admin/instances'
const shownDeliveries = 40
const shownDays = 14

const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.hosts

const measured = ['accounts', 'statuses', 'media_attachments', 'reports', 'follows', 'followers'] as const

async function show(call: DeskCall): Promise<Response> {
  const { ctx } = call
  const host = await hostOf(call)
  const { domain } = host
  const end = dayOf(ctx.clock.now())
  const keys = measured.map((name) => `instance_${name}` as const)
  const subjects = Object.fromEntries(keys.map((key) => [key, domain]))
  const measures = await readMeasures(ctx, keys, { start: plusDays(end, 1 - shownDays), end }, subjects)
  const block = await findNearestBlock(ctx, domain)
  const body = html`<div class="panels">
      ${renderPanel(textsOf(call).known, renderKnown(call, host, measures))}
      ${renderPanel(textsOf(call).limits, renderLimitsOf(call, host, block))}
      ${renderPanel(textsOf(call).deliveries, await renderHealthOf(call, host))}
    </div>
    ${await renderDeliveries(call, domain)}
    ${renderPanel(textsOf(call).history({ days: shownDays }), renderHistory(call, measures))}
    ${await renderHostNotes(call, domain)} ${renderPanel(textsOf(call).purge, renderPurge(call, domain))}`
  return renderDesk(call, {
    title: domain,
    beside: renderHealth(call, host.health),
    body,
    trail: [[list, textsIn(call.language).pages.admin.sections.instances]],
  })
}

function renderKnown(call: DeskCall, host: KnownHost, measures: readonly Measure[]): Html {
  const t = textsOf(call)
  const software = [host.software, host.software_version].filter((word) => word !== null).join(' ')
  const total = (index: number) => measures[index]?.total ?? 0
  const [accounts, , , reports] = measured.map((_, index) => numberText(call.language, total(index)))
  return html`${renderFacts([
      [t.software, software],
      [t.firstSeen, host.first_seen_at && renderMoment(call, host.first_seen_at)],
      [
        t.accounts,
        html`<a href="/admin/accounts?origin=remote&amp;by_domain=${host.domain}">${accounts ?? ''}</a>`,
      ],
      [t.statuses, numberText(call.language, total(1))],
      [t.media, t.megabytes({ count: Math.round(total(2) / 1e6) })],
      [t.reports, html`<a href="/admin/reports?by_target_domain=${host.domain}">${reports ?? ''}</a>`],
      [t.follows, numberText(call.language, total(4))],
      [t.followers, numberText(call.language, total(5))],
    ])}
    <p>
      <a href="https://${host.domain}/" rel="noreferrer noopener">${t.visit({ domain: host.domain })}</a>
    </p>`
}

function renderLimitsOf(call: DeskCall, host: KnownHost, block: HostBlock | null): Html {
  const t = textsOf(call)
  const add = html`<p>
    <a class="button quiet" href="/admin/domain_blocks/new?_domain=${host.domain}">${t.block}</a>
  </p>`
  if (block === null)
    return html`<p>${t.unlimited}</p>
      ${renderLimits(call, host)} ${add}`
  const facts = renderFacts([
    [t.severity, renderSeverity(call, block.severity)],
    [t.domain, block.domain],
    [t.rejectMedia, block.reject_media ? t.yes : null],
    [t.rejectReports, block.reject_reports ? t.yes : null],
    [t.privateComment, block.private_comment],
    [t.publicComment, block.public_comment],
    [t.since, renderMoment(call, block.created_at)],
  ])
  return html`${facts}
    <p><a class="button quiet" href="/admin/domain_blocks/${block.id}">${t.changeBlock}</a></p>
    ${block.domain === host.domain ? '' : add}`
}

async function renderHealthOf(call: DeskCall, host: KnownHost): Promise<Html> {
  const t = textsOf(call)
  const { domain, health } = host
  const waiting = await countHostDeliveries(call.ctx, domain)
  const act = (action: string, label: string) =>
    renderAct(call, { action: `${list}/${domain}/${action}`, label })
  return html`${renderFacts([
      [t.health, renderHealth(call, health)],
      [t.waiting, numberText(call.language, waiting)],
      [t.failures, host.failures === 0 ? null : String(host.failures)],
      [t.lastError, host.last_error],
      [t.lastErrorAt, host.last_error_at && renderMoment(call, host.last_error_at)],
      [t.heldUntil, host.closed_until && renderMoment(call, host.closed_until)],
    ])}
    <div class="actions">
      ${waiting > 0 ? act('retry_deliveries', t.tryNow) : ''}
      ${health === 'well' ? '' : act('restart_deliveries', t.restart)}
      ${
        health === 'stopped'
          ? ''
          : html`<a class="button quiet alarming" href="${list}/${domain}/stop_deliveries">${t.stop}</a>`
      }
    </div>`
}

async function renderDeliveries(call: DeskCall, domain: string): Promise<Html | string> {
  const t = textsOf(call)
  const waiting = await listHostDeliveries(call.ctx, domain, shownDeliveries)
  if (waiting.length === 0) return ''
  return renderPanel(
    t.next({ count: waiting.length }),
    renderTable(call, {
      caption: t.deliveries,
      columns: [
        { label: t.activity },
        { label: t.sender },
        { label: t.inbox },
        { label: t.attempts, numeric: true },
        { label: t.lastError },
        { label: t.nextTry },
      ],
      rows: waiting.map((one) => ({ cells: cellsOf(call, one) })),
      none: '',
    }),
  )
}

const cellsOf = (call: DeskCall, one: HostDelivery) => [
  one.type ?? '',
  one.sender === null ? textsOf(call).server : `@${one.sender}`,
  html`<code>${one.inbox_url}</code>`,
  String(one.attempts),
  one.error ?? '',
  renderMoment(call, one.due_at),
]

function renderHistory(call: DeskCall, measures: readonly Measure[]): Html {
  const t = textsOf(call)
  const number = (value: number) => numberText(call.language, value)
  const days = measures[0]?.days ?? []
  const at = (measure: number, day: number) => measures[measure]?.days[day]?.value ?? 0
  return renderTable(call, {
    caption: t.history({ days: shownDays }),
    columns: [
      { label: t.day },
      ...[t.statuses, t.accounts, t.reports, t.follows, t.followers].map((label) => ({
        label,
        numeric: true,
      })),
    ],
    rows: days
      .map(({ day }, index) => ({
        cells: [day, ...[1, 0, 3, 4, 5].map((measure) => number(at(measure, index)))],
      }))
      .toReversed(),
    none: t.none,
  })
}

const renderPurge = (call: DeskCall, domain: string): Html =>
  html`<p>${textsOf(call).purgeHint}</p>
    <p><a class="button quiet alarming" href="${list}/${domain}/purge">${textsOf(call).purge}</a></p>`

async function askToStop(call: DeskCall): Promise<Response> {
  const { domain } = await hostOf(call)
  const t = textsOf(call)
  const count = await countHostDeliveries(call.ctx, domain)
  return renderConfirm(call, {
    title: t.stopTitle({ domain }),
    consequences: [t.stopping, t.dropping({ count })],
    action: `${list}/${domain}/stop_deliveries`,
    submit: t.stop,
    back: `${list}/${domain}`,
  })
}

async function askToPurge(call: DeskCall): Promise<Response> {
  const t = textsOf(call)
  const { domain } = await hostOf(call)
  const { accounts, emojis } = await purgeHostByStaff(call.ctx, call.viewer, domain, { dryRun: true })
  return renderConfirm(call, {
    title: t.purgeTitle({ domain }),
    consequences: [t.purgesAccounts({ count: accounts }), t.purgesEmojis({ count: emojis }), t.purgeHint],
    action: `${list}/${domain}/purge`,
    submit: t.purge,
    back: `${list}/${domain}`,
  })
}

async function purge(call: DeskCall): Promise<Response> {
  const { domain } = await hostOf(call)
  await requestHostPurge(call.ctx, call.viewer, domain)
  return redirectWith(call, list, { text: textsOf(call).purged({ domain }) })
}

const acting =
  (change: typeof retryDeliveries, say: (call: DeskCall) => string) =>
  async (call: DeskCall): Promise<Response> => {
    const { domain } = await hostOf(call)
    await change(call.ctx, call.viewer, domain)
    return redirectWith(call, `${list}/${domain}`, { text: say(call) })
  }

export const pages = [
  adminPage({ path: '/admin/instances/:domain', permission, handle: show }),
  adminPage({
    method: 'POST',
    path: '/admin/instances/:domain/retry_deliveries',
    permission,
    handle: acting(retryDeliveries, (call) => textsOf(call).tried),
  }),
  adminPage({
    method: 'POST',
    path: '/admin/instances/:domain/restart_deliveries',
    permission,
    handle: acting(restartDeliveries, (call) => textsOf(call).restarted),
  }),
  adminPage({ path: '/admin/instances/:domain/stop_deliveries', permission, handle: askToStop }),
  adminPage({
    method: 'POST',
    path: '/admin/instances/:domain/stop_deliveries',
    permission,
    handle: acting(stopDeliveries, (call) => textsOf(call).stopped),
  }),
  adminPage({ path: '/admin/instances/:domain/purge', permission, handle: askToPurge }),
  adminPage({ method: 'POST', path: '/admin/instances/:domain/purge', permission, handle: purge }),
]
