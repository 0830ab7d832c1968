// The servers that are known here.
import { html } from 'hono/html'
import {
  hostHealths,
  hostLimits,
  hostSorts,
  listKnownHosts,
  type KnownHost,
} from '#domain/maintenance/dashboard/known-hosts.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { numberText } from '../../public/post-parts.ts'
import { textParam } from '../../kit/form.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import { renderFilters } from '../kit/filters.ts'
import { offsetOf, perPage, renderOffsetPager } from '../kit/links.ts'
import { renderMoment } from '../kit/parts.ts'
import { renderTable, type TableRow } from '../kit/table.ts'
import { renderHealth, renderHost, renderLimits } from './host-parts.ts'

const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.hosts

const wordOf = <Word extends string>(call: DeskCall, name: string, words: readonly Word[]) =>
  words.find((word) => word === textParam(call.params, name))

async function show(call: DeskCall): Promise<Response> {
  const t = textsOf(call)
  const filter = {
    query: textParam(call.params, 'q').trim(),
    health: wordOf(call, 'health', hostHealths),
    limit: wordOf(call, 'limit', hostLimits),
    sort: wordOf(call, 'order', hostSorts),
  }
  const page = { limit: perPage, offset: offsetOf(call) }
  const { items, more } = await listKnownHosts(call.ctx, filter, page)
  const table = {
    caption: titleOf(call),
    columns: [
      { label: t.domain, order: 'domain' },
      { label: t.health },
      { label: t.lastError, order: 'failed' },
      { label: t.limits },
      { label: t.accounts, numeric: true, order: '' },
      { label: t.follows, numeric: true },
      { label: t.followers, numeric: true },
      { label: t.firstSeen, order: 'newest' },
    ],
    rows: items.map((host) => rowOf(call, host)),
    none: t.none,
  }
  const body = html`<p class="lead">${t.hint}</p>
    ${filtersOf(call)} ${renderTable(call, table)} ${renderOffsetPager(call, more ? perPage : 0)}`
  return renderDesk(call, { title: titleOf(call), body })
}

const titleOf = (call: DeskCall) => textsIn(call.language).pages.admin.sections.instances

function rowOf(call: DeskCall, host: KnownHost): TableRow {
  const number = (count: number) => numberText(call.language, count)
  const software = [host.software, host.software_version].filter((word) => word !== null).join(' ')
  return {
    cells: [
      html`${renderHost(host.domain)}<br /><small class="soft">${software}</small>`,
      renderHealth(call, host.health),
      host.health === 'well' || host.last_error === null
        ? ''
        : html`<code>${host.last_error}</code> ${
              host.last_error_at ? renderMoment(call, host.last_error_at) : ''
            }`,
      renderLimits(call, host),
      number(host.accounts),
      number(host.follows),
      number(host.followers),
      host.first_seen_at === null ? '' : renderMoment(call, host.first_seen_at),
    ],
  }
}

function filtersOf(call: DeskCall) {
  const t = textsOf(call)
  const all = { value: '', label: t.all }
  return renderFilters(
    call,
    [
      { name: 'q', label: t.query },
      {
        name: 'health',
        label: t.health,
        choices: [all, ...hostHealths.map((value) => ({ value, label: t.healths[value] }))],
      },
      {
        name: 'limit',
        label: t.limits,
        choices: [
          all,
          ...hostLimits.map((value) => ({
            value,
            label: value === 'allowed' ? t.allowed : t.severities[value],
          })),
        ],
      },
    ],
    ['order'],
  )
}

export const pages = [adminPage({ path: '/admin/instances', permission: 'manage_federation', handle: show })]
