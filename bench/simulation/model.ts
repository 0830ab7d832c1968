// What a server of so many accounts does and needs, by the figures of figures.json.
import type { Kind } from './engine.ts'
import type { Station } from './lines.ts'
import figures from './figures.json' with { type: 'json' }

export type Size = (typeof figures.sizes)[number]

interface Request {
  node: number
  postgres: number
  /** By one who is active. */
  perDay: number
  replicated?: boolean
  writes?: boolean
  isDelivered?: boolean
}

const requests: [string, Request][] = Object.entries(figures.requests)
const { background, replica, people, machines } = figures

export interface Plan {
  web: number
  workers: number
  databaseCores: number
  replicas: number
}

/** The busiest hour of a day: what comes, and where it goes. */
export function kindsOf(size: Size, hasReplicas: boolean): Kind[] {
  const perSecond = (perDay: number) => (perDay * people.busiestHour) / 86_400
  const active = size.accounts * people.activeADay
  return [
    ...requests.flatMap(([name, request]): Kind[] => {
      const often = { spread: 'exponential', perSecond: perSecond(request.perDay * active) } as const
      if (!request.writes) return [{ name, ...often, visits: reading(request, hasReplicas) }]
      return [
        { name, ...often, visits: writing('web', request, people.answeredAtOnce) },
        {
          name: `after ${name}`,
          ...often,
          visits: writing('worker', request, 1 - people.answeredAtOnce),
        },
        ...(request.isDelivered
          ? [
              {
                name: `delivery of ${name}`,
                ...often,
                atOnce: size.serversPerPost,
                visits: writing('worker', background.delivery, 1),
              },
            ]
          : []),
      ]
    }),
    {
      name: 'inbound',
      spread: 'exponential',
      perSecond: perSecond(size.inboundPerDay),
      visits: writing('worker', background.inbound, 1),
    },
  ]
}

type Cost = Pick<Request, 'node' | 'postgres'>

/** Node asks, waits without holding up others, and writes the answer. */
export function reading(
  { node, postgres, replicated }: Cost & Pick<Request, 'replicated'>,
  hasReplicas = false,
) {
  const isShared = hasReplicas && replicated
  const half = { station: 'web', ms: (node / 2) * (isShared ? replica.moreNode : 1) }
  const own = isShared ? postgres * replica.leftToDatabase : postgres
  const queries = [
    { station: 'database', ms: own },
    ...(isShared ? [{ station: 'replicas', ms: postgres }] : []),
  ]
  return [half, ...queries, half]
}

function writing(station: 'web' | 'worker', { node, postgres }: Cost, share: number) {
  const half = { station, ms: (node * share) / 2 }
  return [
    half,
    { station: 'database', ms: postgres * share },
    { station: 'disk', ms: machines.flushMs, isFixed: true },
    half,
  ]
}

/** How many servers of each station would be busy all the time. */
export function loadOf(kinds: readonly Kind[]): Record<string, number> {
  const load: Record<string, number> = { web: 0, worker: 0, database: 0, replicas: 0 }
  for (const { visits, perSecond = 0, atOnce = 1 } of kinds)
    for (const { station, ms } of visits)
      load[station] = (load[station] ?? 0) + (perSecond * atOnce * ms) / 1000
  return load
}

/** The least with which none is busier than `machines.busy`. */
export function planOf(size: Size): Plan {
  const need = (load: number | undefined) => Math.max(1, Math.ceil((load ?? 0) / machines.busy))
  const alone = loadOf(kindsOf(size, false))
  const hasReplicas = need(alone['database']) > machines.databaseCores
  const load = hasReplicas ? loadOf(kindsOf(size, true)) : alone
  return {
    web: need(load['web']),
    workers: need(load['worker']),
    databaseCores: need(load['database']),
    replicas: hasReplicas ? Math.ceil(need(load['replicas']) / machines.databaseCores) : 0,
  }
}

export function stationsOf(plan: Plan): Record<string, Station> {
  return {
    web: { servers: plan.web, queue: 'own' },
    worker: { servers: plan.workers, queue: 'own' },
    database: { servers: plan.databaseCores, queue: 'shared' },
    replicas: { servers: Math.max(1, plan.replicas * machines.databaseCores), queue: 'shared' },
    disk: { servers: 1, queue: 'together' },
  }
}

/** Gigabytes a day at most, pictures aside: as if all that comes from elsewhere were posts. */
export function growthOf(size: Size): number {
  const posted = figures.requests.post.perDay + figures.requests['unlisted post'].perDay
  return ((posted * size.accounts * people.activeADay + size.inboundPerDay) * machines.kilobytesAPost) / 1e6
}

/** How many times the load the largest database holds, with all that replicas can take over taken over. */
export const roomOf = (size: Size): number =>
  (machines.largestDatabase * machines.busy) / (loadOf(kindsOf(size, true))['database'] ?? 0)

/** What there is too little of first when a server with this plan grows. */
export function breaksNext(size: Size, plan: Plan): string {
  const load = loadOf(kindsOf(size, plan.replicas > 0))
  const shares: [string, number][] = [
    ['web processes', (load['web'] ?? 0) / plan.web],
    ['workers', (load['worker'] ?? 0) / plan.workers],
    ['cores of the database', (load['database'] ?? 0) / plan.databaseCores],
  ]
  return shares.toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? ''
}
