// What a server of so many accounts needs, by queues that are fed with measured costs: bin/node bench/simulate.ts.
// Measures nothing. Beside it, what one process gives so many clients who ask without a pause, to compare with load.
import { simulate, type Kind, type Times } from './simulation/engine.ts'
import figures from './simulation/figures.json' with { type: 'json' }
import {
  breaksNext,
  growthOf,
  kindsOf,
  planOf,
  reading,
  roomOf,
  stationsOf,
  type Size,
} from './simulation/model.ts'

const percent = (share: number | undefined) => `${Math.round((share ?? 0) * 100)} %`
const ms = (time: number | undefined) => (time ?? 0).toFixed(time !== undefined && time < 10 ? 1 : 0)
const rounded = (figure: number) => Number(figure.toPrecision(2)).toLocaleString('en')
const row = (cells: readonly unknown[]) => console.log(`| ${cells.join(' | ')} |`)
const both = (times: Times | undefined) => `${ms(times?.p50)} · ${ms(times?.p99)}`

function header(...cells: string[]): void {
  row(cells)
  row(cells.map(() => '---'))
}

function showSize(size: Size): void {
  const plan = planOf(size)
  const kinds = kindsOf(size, plan.replicas > 0)
  const { kinds: times, busy } = simulate(stationsOf(plan), kinds)
  const asked = kinds.filter(({ visits }) => visits[0]?.station === 'web')
  row([
    size.accounts.toLocaleString('en'),
    rounded(asked.reduce((sum, { perSecond = 0 }) => sum + perSecond, 0)),
    `${plan.web} (${percent(busy['web'])})`,
    `${plan.workers} (${percent(busy['worker'])})`,
    `${plan.databaseCores} (${percent(busy['database'])})`,
    plan.replicas === 0 ? '–' : `${plan.replicas} (${percent(busy['replicas'])})`,
    both(times['home']),
    both(times['post']),
    both(times['delivery of post']),
    both(times['inbound']),
    breaksNext(size, plan),
    `${rounded(roomOf(size))} ×`,
    `${rounded(growthOf(size))} GB`,
  ])
}

/** One process with a database of two cores, and nothing else to do. */
function showClients(name: keyof typeof figures.requests, clients: number): void {
  const kind: Kind = { name, visits: reading(figures.requests[name]), spread: 'exponential', clients }
  const stations = { web: { servers: 1, queue: 'own' }, database: { servers: 2, queue: 'shared' } } as const
  const { kinds, busy } = simulate(stations, [kind], { jobs: 50_000 })
  row([
    name,
    clients,
    kinds[name]?.perSecond.toFixed(0),
    both(kinds[name]),
    percent(busy['web']),
    percent(busy['database']),
  ])
}

console.log('Milliseconds are p50 · p99; in brackets how busy.\n')
header(
  'accounts',
  'requests a second',
  'web processes',
  'workers',
  'database cores',
  `replicas of ${figures.machines.databaseCores} cores`,
  'home',
  'post, to the answer',
  'delivery',
  'inbound',
  'next too few',
  'load that one database holds',
  'disk a day, at most',
)
for (const size of figures.sizes) showSize(size)
console.log('\nOne process, and clients who ask again at once:\n')
header('request', 'clients', 'a second', 'p50 · p99', 'Node', 'PostgreSQL, two cores')
for (const name of ['home', 'status', 'notifications'] as const)
  for (const clients of [1, 4, 16, 64]) showClients(name, clients)
