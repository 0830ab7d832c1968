// Queues that feed each other, event by event: the same seed gives the same outcome.
import { generator } from '../kit/random.ts'
import { quantile } from '../kit/load.ts'
import { createAgenda } from './agenda.ts'
import { createSeats, type Line, type Station } from './lines.ts'

export interface Kind {
  name: string
  /** A job's way: at which station, and milliseconds of a server there, which some visits always take. */
  visits: readonly { station: string; ms: number; isFixed?: boolean }[]
  /** Whether all take the same time, or mostly less and sometimes much more. */
  spread: 'fixed' | 'exponential'
  /** From outside, at moments that know nothing of each other; `atOnce` at each. */
  perSecond?: number
  atOnce?: number
  /** Or so many who each ask again as soon as they have an answer. */
  clients?: number
}

export interface Times {
  started: number
  done: number
  perSecond: number
  p50: number
  p99: number
  mean: number
}

export interface Outcome {
  /** By name, in milliseconds. */
  kinds: Record<string, Times>
  /** Share of the time in which servers are busy. */
  busy: Record<string, number>
}

interface Job {
  kind: Kind
  begun: number
  step: number
  seats: Map<string, Line<Job>>
  isCounted: boolean
}

type Event = { arrival: Kind } | { served: readonly Job[]; line: Line<Job> }

/** Until things are as they usually are: this share of the jobs is not looked at. */
const beginning = 0.1

/** Lets `jobs` jobs come and go through the stations. */
export function simulate(
  stations: Readonly<Record<string, Station>>,
  kinds: readonly Kind[],
  { seed = 1, jobs = 200_000 } = {},
): Outcome {
  const random = generator(seed)
  const draw = (mean: number) => -mean * Math.log(1 - random())
  const agenda = createAgenda<Event>()
  const journal = createJournal(kinds)
  const seatOf = createSeats<Job>(stations)
  let [now, started, horizon] = [0, 0, 0]

  function expectNext(kind: Kind): void {
    if (kind.perSecond) agenda.add(now + draw(1000 / kind.perSecond), { arrival: kind })
  }
  function start(kind: Kind, times: number): void {
    for (let each = 0; each < times && started < jobs; each++) {
      started++
      horizon = now
      journal.start(kind)
      visit({ kind, begun: now, step: 0, seats: new Map(), isCounted: started > jobs * beginning })
    }
  }
  function visit(job: Job): void {
    const station = job.kind.visits[job.step]?.station
    if (station === undefined) {
      journal.end(job.kind, job.isCounted ? now - job.begun : null)
      if (job.kind.clients) start(job.kind, 1)
      return
    }
    const line = job.seats.get(station) ?? seatOf(station)
    job.seats.set(station, line)
    line.add(job)
    serve(line)
  }
  function serve(line: Line<Job>): void {
    for (let served = line.take(); served; served = line.take()) {
      const ms = Math.max(...served.map((job) => durationOf(job, draw)))
      if (started < jobs) journal.work(line.station, ms)
      agenda.add(now + ms, { served, line })
    }
  }
  for (const kind of kinds) {
    expectNext(kind)
    start(kind, kind.clients ?? 0)
  }
  for (let event = agenda.next(); event; event = agenda.next()) {
    now = event.at
    if ('served' in event.what) {
      const { served, line } = event.what
      line.free()
      for (const job of served) visit({ ...job, step: job.step + 1 })
      serve(line)
    } else if (started < jobs) {
      start(event.what.arrival, event.what.arrival.atOnce ?? 1)
      expectNext(event.what.arrival)
    }
  }
  return journal.read(stations, horizon)
}

function durationOf({ kind, step }: Job, draw: (mean: number) => number): number {
  const { ms = 0, isFixed = false } = kind.visits[step] ?? {}
  return isFixed || kind.spread === 'fixed' ? ms : draw(ms)
}

function createJournal(kinds: readonly Kind[]) {
  const found = new Map(kinds.map(({ name }) => [name, { started: 0, done: 0, took: [] as number[] }]))
  const busy = new Map<string, number>()
  const of = ({ name }: Kind) => found.get(name)!
  return {
    start: (kind: Kind) => void of(kind).started++,
    end(kind: Kind, took: number | null) {
      of(kind).done++
      if (took !== null) of(kind).took.push(took)
    },
    work: (station: string, ms: number) => void busy.set(station, (busy.get(station) ?? 0) + ms),
    read: (stations: Readonly<Record<string, Station>>, horizon: number): Outcome => ({
      kinds: Object.fromEntries(
        [...found].map(([name, { started, done, took }]) => [
          name,
          {
            started,
            done,
            perSecond: (done * 1000) / horizon,
            p50: quantile(took, 0.5),
            p99: quantile(took, 0.99),
            mean: took.reduce((sum, ms) => sum + ms, 0) / Math.max(1, took.length),
          },
        ]),
      ),
      busy: Object.fromEntries(
        Object.entries(stations).map(([name, { servers }]) => [
          name,
          (busy.get(name) ?? 0) / (horizon * servers),
        ]),
      ),
    }),
  }
}
