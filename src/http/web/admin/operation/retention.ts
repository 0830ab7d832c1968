// What is kept for how long, what would go by that, and the work that lets it go.
import { html } from 'hono/html'
import { hasPermission } from '#domain/identity/accounts/permissions.ts'
import {
  listMaintenance,
  pauseMaintenance,
  resumeMaintenance,
  type Maintenance,
} from '#domain/maintenance/retention/control.ts'
import {
  forecastRetention,
  maxForecast,
  retentionKeys,
  type Forecast,
  type Periods,
} from '#domain/maintenance/retention/forecast.ts'
import { countCachedMedia } from '#domain/content/media/cache.ts'
import { readSettings } from '#domain/server/instance/settings.ts'
import { checkSettings, updateSettings } from '#domain/server/instance/update-settings.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { numberText } from '../../public/post-parts.ts'
import { textParam } from '../../kit/form.ts'
import { redirectWith } from '../../kit/flash.ts'
import type { Html } from '../../kit/html.ts'
import { adminPage, type DeskCall } from '../kit/admin-page.ts'
import { renderDesk } from '../kit/desk.ts'
import {
  attempt,
  readEntered,
  renderFieldsForm,
  textOf,
  type Entered,
  type Field,
  type Problems,
} from '../kit/fields.ts'
import { renderAct, renderBadge, renderMoment, renderPanel } from '../kit/parts.ts'
import { renderFacts, renderTable } from '../kit/table.ts'

const path = '/admin/retention'
const textsOf = (call: DeskCall) => textsIn(call.language).pages.desk.retention

const fieldsOf = (call: DeskCall): Field[] =>
  retentionKeys.map((name) => {
    const told: { label: string; hint: string } = textsOf(call).keys[name]
    return { kind: 'text', type: 'number', name, label: told.label, hint: told.hint }
  })

const enteredOf = (periods: Periods): Entered =>
  Object.fromEntries(retentionKeys.map((key) => [key, String(periods[key] ?? '')]))

interface Shown {
  entered?: Entered
  problems?: Problems
  /** Looked at, and not saved yet. */
  looked?: readonly Forecast[]
}

async function show(call: DeskCall, { entered, problems, looked }: Shown = {}): Promise<Response> {
  const t = textsOf(call)
  const settings = await readSettings(call.ctx)
  const mayChange = hasPermission(call.viewer, 'manage_settings')
  const form = renderFieldsForm(call, {
    action: looked ? path : `${path}/preview`,
    fields: fieldsOf(call),
    entered: entered ?? enteredOf(settings),
    problems,
    submit: looked ? textsIn(call.language).pages.desk.common.save : t.look,
    others: looked ? [{ action: `${path}/preview`, label: t.look }] : [],
  })
  const forecasts = looked ?? (await forecastRetention(call.ctx, settings))
  const cached = await countCachedMedia(call.ctx)
  const body = html`<p class="lead">${t.hint}</p>
    ${looked ? html`<p class="notice" role="status">${t.notSaved}</p>` : ''}
    ${renderForecasts(call, forecasts)}
    ${renderPanel(
      t.copies,
      renderFacts([
        [t.files, numberText(call.language, cached.files)],
        [t.size, sizeText(call, cached.bytes)],
        [
          t.budget,
          settings.media_cache_budget_gb === null
            ? t.noBudget
            : sizeText(call, settings.media_cache_budget_gb * 1e9),
        ],
      ]),
    )}
    ${mayChange ? renderPanel(t.periods, form) : ''} ${await renderWork(call, mayChange)}`
  return renderDesk(call, {
    title: textsIn(call.language).pages.admin.sections.retention,
    body,
    ...(problems && { status: 422 }),
  })
}

const sizeText = (call: DeskCall, bytes: number) =>
  new Intl.NumberFormat(call.language, {
    style: 'unit',
    unit: bytes < 1e9 ? 'megabyte' : 'gigabyte',
    maximumFractionDigits: 1,
  }).format(bytes / (bytes < 1e9 ? 1e6 : 1e9))

function renderForecasts(call: DeskCall, forecasts: readonly Forecast[]): Html {
  const t = textsOf(call)
  const count = ({ count: rows, atMost }: Forecast) => {
    const number = `${numberText(call.language, rows)}${rows >= maxForecast ? '+' : ''}`
    return atMost ? t.atMost({ count: number }) : number
  }
  return renderTable(call, {
    caption: t.forecast,
    columns: [{ label: t.what }, { label: t.wouldGo, numeric: true }, { label: t.size, numeric: true }],
    rows: forecasts.map((one) => ({
      cells: [t.keys[one.key].goes, count(one), one.bytes === null ? '' : sizeText(call, one.bytes)],
    })),
    none: t.nothingGoes,
  })
}

const tones = { idle: 'plain', running: 'good', waiting: 'main', paused: 'alarm' } as const

async function renderWork(call: DeskCall, mayChange: boolean): Promise<Html> {
  const t = textsOf(call)
  const works = await listMaintenance(call.ctx)
  const act = ({ name, state }: Maintenance) =>
    state === 'paused'
      ? renderAct(call, { action: `${path}/${name}/resume`, label: t.resume })
      : renderAct(call, { action: `${path}/${name}/pause`, label: t.pause })
  const percent = ({ progress }: Maintenance) =>
    progress === null || progress === 1 ? '' : ` ${Math.floor(progress * 100)} %`
  return html`<h2>${t.work}</h2>
    ${renderTable(call, {
      caption: t.work,
      columns: [
        { label: t.what },
        { label: t.state },
        { label: t.removed, numeric: true },
        { label: t.finished },
        ...(mayChange ? [{ label: t.actions }] : []),
      ],
      rows: works.map((one) => ({
        cells: [
          html`<code>${one.name}</code>`,
          html`${renderBadge(`${t.states[one.state]}${percent(one)}`, tones[one.state])}
          ${one.error === null ? '' : html`<br /><code>${one.error.split('\n')[0]}</code>`}`,
          numberText(call.language, one.removed),
          one.finished_at === null ? '' : renderMoment(call, one.finished_at),
          ...(mayChange ? [act(one)] : []),
        ],
      })),
      none: '',
    })}`
}

const typedOf = (entered: Entered) =>
  Object.fromEntries(retentionKeys.map((key) => [key, textOf(entered, key).trim()]))

async function preview(call: DeskCall): Promise<Response> {
  const entered = readEntered(call, fieldsOf(call))
  const result = await attempt(call, async () => {
    const periods = { ...(await readSettings(call.ctx)), ...checkSettings(typedOf(entered)) }
    return forecastRetention(call.ctx, periods)
  })
  return show(
    call,
    'problems' in result ? { entered, problems: result.problems } : { entered, looked: result.done },
  )
}

async function save(call: DeskCall): Promise<Response> {
  const entered = readEntered(call, fieldsOf(call))
  const now: Readonly<Record<string, unknown>> = { ...(await readSettings(call.ctx)) }
  const changed = Object.entries(typedOf(entered)).filter(([key, text]) => text !== String(now[key] ?? ''))
  if (changed.length > 0) {
    const result = await attempt(call, () =>
      updateSettings(call.ctx, call.viewer, Object.fromEntries(changed)),
    )
    if ('problems' in result) return show(call, { entered, problems: result.problems })
  }
  return redirectWith(call, path, { text: textsIn(call.language).pages.desk.common.saved })
}

const switching =
  (change: typeof pauseMaintenance, say: (call: DeskCall) => string) =>
  async (call: DeskCall): Promise<Response> => {
    await change(call.ctx, call.viewer, textParam(call.params, 'name'))
    return redirectWith(call, path, { text: say(call) })
  }

const permission = 'manage_settings'

export const pages = [
  adminPage({ path: '/admin/retention', permission: 'view_devops', handle: (call) => show(call) }),
  adminPage({ method: 'POST', path: '/admin/retention', permission, handle: save }),
  adminPage({ method: 'POST', path: '/admin/retention/preview', permission, handle: preview }),
  adminPage({
    method: 'POST',
    path: '/admin/retention/:name/pause',
    permission,
    handle: switching(pauseMaintenance, (call) => textsOf(call).paused),
  }),
  adminPage({
    method: 'POST',
    path: '/admin/retention/:name/resume',
    permission,
    handle: switching(resumeMaintenance, (call) => textsOf(call).resumed),
  }),
]
