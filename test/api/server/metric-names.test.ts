// What stands in contrib/ and docs/operators/metrics.md is held to the numbers that a server has.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { runProcess } from '#test/processes/processes.ts'
import { often } from '#test/run/patience.ts'
import { meteredFamilies } from '#ports/meter.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const rules = 'contrib/prometheus/stonechat.rules.yml'
const token = 'a-long-random-text'
const app = useApp({ env: { PROMETHEUS_ENABLED: 'true', METRICS_TOKEN: token } })

interface Dashboard {
  uid: string
  schemaVersion: number
  templating: { list: unknown[] }
  panels: {
    id: number
    title: string
    type: string
    datasource: unknown
    gridPos: { x: number; y: number; w: number; h: number }
    fieldConfig: { defaults: { unit: string } }
    options: object
    targets: { refId: string; expr: string }[]
  }[]
}

const named = (text: string) =>
  new Set(
    [...text.matchAll(/\b(?:stonechat|http|process|nodejs)_[a-z_]+\b/g)].map(([name]) =>
      name.replace(/_(bucket|sum|count)$/, ''),
    ),
  )

/** The names of all families: those of a scrape, and those that have nothing to tell yet. */
async function known(): Promise<Set<string>> {
  await app.fetch('/api/v1/instance')
  // It has numbers only where there is one.
  const replica = {
    name: '10.0.0.2:5432',
    state: 'current',
    bytes: 0,
    seconds: 0,
    answered: 0,
    passedOn: 0,
  } as const
  const use = vi.spyOn(app.ctx, 'poolUse').mockReturnValue({ ...app.ctx.poolUse(), replicas: [replica] })
  onTestFinished(() => use.mockRestore())
  let text = ''
  const scrape = async () => {
    text = await (await app.fetch('/metrics', { headers: { authorization: `Bearer ${token}` } })).text()
    return text
  }
  // Of the event loop nothing is known within 10 milliseconds of a scrape.
  await expect.poll(scrape, often).toContain('nodejs_eventloop_lag_seconds')
  const shown = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!)
  return new Set([...shown, ...Object.keys(meteredFamilies)])
}

describe('names of metrics', () => {
  test('the alerts and the dashboard name no number that there is not', async () => {
    const there = await known()
    const dashboard = JSON.parse(read('contrib/grafana/stonechat.json')) as Dashboard
    const asked = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join('\n')
    expect(named(asked).size).toBeGreaterThan(15)
    for (const text of [read(rules).replace(/^#.*$/gm, ''), asked]) {
      expect([...named(text)].filter((name) => !there.has(name))).toEqual([])
    }
  })

  // Whole, as the types of @grafana/schema have them: not everything that is left out is added.
  const statOptions = { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'none' }
  const timeseriesOptions = {
    legend: { calcs: [], displayMode: 'list', placement: 'bottom', showLegend: true },
    tooltip: { mode: 'multi', sort: 'desc' },
  }

  // As https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/ has it.
  test('the dashboard has the form that Grafana takes', () => {
    const board = JSON.parse(read('contrib/grafana/stonechat.json')) as Dashboard
    expect(board).toMatchObject({ title: 'Stonechat', time: { from: 'now-6h', to: 'now' } })
    expect(board.uid).toMatch(/^[\w-]{8,40}$/)
    expect(board.schemaVersion).toBeGreaterThan(35)
    // An imported one gets its number from the database.
    expect('id' in board).toBe(false)
    expect(board.templating.list).toMatchObject([
      { name: 'datasource', type: 'datasource', query: 'prometheus' },
    ])
    const taken = new Set<string>()
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length)
    for (const { title, type, datasource, gridPos, fieldConfig, targets, options } of board.panels) {
      expect([title, type]).toEqual([title, expect.stringMatching(/^(?:stat|timeseries)$/)])
      expect(datasource).toEqual({ type: 'prometheus', uid: '${datasource}' })
      expect([title, fieldConfig.defaults.unit]).toEqual([
        title,
        expect.stringMatching(/^(?:short|bytes|s|reqps|ops|percentunit)$/),
      ])
      expect([title, options]).toEqual([title, type === 'stat' ? statOptions : timeseriesOptions])
      const refIds = targets.map(({ refId }) => refId)
      expect([title, refIds]).toEqual([title, [...'ABCD'].slice(0, targets.length)])
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect([title, x < 24, taken.has(`${x} ${y}`)]).toEqual([title, true, false])
          taken.add(`${x} ${y}`)
        }
    }
  })

  test('docs/operators/metrics.md describes each number, and no other', async () => {
    const described = [...read('docs/operators/metrics.md').matchAll(/^\| `(\w+)` \|/gm)].map(
      ([, name]) => name!,
    )
    expect(described.toSorted()).toEqual([...(await known())].toSorted())
  })

  const promtool = '/usr/bin/promtool'
  const isMissing = !existsSync(promtool) && process.env['CI'] !== 'true'
  test.skipIf(isMissing)('Prometheus takes the alerts', async () => {
    const { code, stdout, stderr } = await runProcess([
      promtool,
      'check',
      'rules',
      fileURLToPath(new URL(rules, root)),
    ])
    expect([code, stdout + stderr]).toEqual([0, expect.stringMatching(/SUCCESS: \d+ rules found/)])
  })
})
