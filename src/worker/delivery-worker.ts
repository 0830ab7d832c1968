// Delivers what waits for other servers: many hosts at once, each of them one request after the other.
import { setTimeout } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import {
  leaseHosts,
  listDue,
  releaseAllLeases,
  releaseHosts,
  settleDeliveries,
  sweepDeliveries,
  type Delivery,
  type HostReport,
  type LeasedHost,
  type Settled,
} from '#domain/federation/queue/deliveries.ts'
import { deliveriesChannel, loadOutgoing } from '#domain/federation/queue/delivery-queue.ts'
import { toSignedActivity, type SignedActivity } from '#federation/outbox/deliver.ts'
import { sendToHost } from '#federation/outbox/host-sender.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { groupBy } from '#lib/collections.ts'
import { createWakeSignal, withTimeout } from '#lib/concurrency/with-timeout.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { OutgoingActivityId } from '#lib/id.ts'

/** Hosts that are sent to at the same time. Those that failed last time have a few places of their own. */
const max = { healthy: 100, doubtful: 30 }
/** Then other hosts that wait have their turn. */
const perTurn = 20
const leaseMs = 120_000
/** After this long nothing more is begun, so that no lease runs out while something is sent. */
const turnMs = leaseMs / 2
const activityBytes = 33_554_432
/** Places that come free together are filled together, in milliseconds. */
const gatherFor = 5
/** How long a delivery may wait when its message was lost, in milliseconds. */
const pollEvery = 1_000
const sweepEvery = 600_000
/** How long a stop waits for requests under way, in milliseconds. */
const stopTime = 5_000

/** Writes of one statement. When the database is away, that is so for all of them. */
const together = { max: 1_000, failsTogether: true }

const settleTogether = createBatchLoader<Ctx, Settled, void>({
  ...together,
  run: (ctx, settled) => settleDeliveries(ctx, settled),
})

const releaseTogether = createBatchLoader<Ctx, HostReport, void>({
  ...together,
  run: (ctx, reports) => releaseHosts(ctx, reports),
})

export interface Deliverer {
  stop(): Promise<void>
}

/** One taker of hosts. */
interface Engine {
  /** Takes hosts and begins to send, as far as there is room. Returns how many hosts it took. */
  fill(): Promise<number>
  /** Hosts that are being sent to. */
  busy(): number
  stop(): void
  done(): Promise<void>
}

interface Turn {
  hosts: readonly LeasedHost[]
  due: ReadonlyMap<string, readonly Delivery[]>
  activities: ReadonlyMap<string, SignedActivity>
  until: number
  mayBegin(): boolean
}

/** `onFree` is called when a host has been given back. */
function createEngine(ctx: Ctx, onFree: () => void): Engine {
  const queues = new Map<string, { doubtful: boolean; done: Promise<void> }>()
  const activities = createActivities(ctx)
  const settle = (settled: Settled) => settleTogether(ctx, settled)
  let stopping = false

  async function takeTurn(): Promise<Turn> {
    const doubtful = queues.values().reduce((sum, queue) => sum + Number(queue.doubtful), 0)
    const room = { healthy: max.healthy - (queues.size - doubtful), doubtful: max.doubtful - doubtful }
    const now = ctx.clock.now()
    const until = now + leaseMs
    const deadline = performance.now() + turnMs
    const hosts = await leaseHosts(ctx, { now, until }, room)
    const names = hosts.map(({ host }) => host)
    const due = hosts.length === 0 ? [] : await listDue(ctx, names, { now, perHost: perTurn })
    const loaded = await activities.load(due.map(({ activityId }) => activityId))
    const mayBegin = () => !stopping && performance.now() < deadline
    return { hosts, due: groupBy(due, ({ host }) => host), activities: loaded, until, mayBegin }
  }

  /** When the database is away, what was taken is free again once the lease has run out. */
  async function run(host: LeasedHost, turn: Turn): Promise<void> {
    const { due, until, mayBegin } = turn
    try {
      const activityOf = (id: OutgoingActivityId) => turn.activities.get(id)
      await releaseTogether(
        ctx,
        await sendToHost(ctx, { host, until, due: due.get(host.host) ?? [], activityOf, mayBegin, settle }),
      )
    } catch (error) {
      ctx.log.warn({ host: host.host, error: String(error) }, 'deliveries to a host were broken off')
    } finally {
      queues.delete(host.host)
      onFree()
    }
  }

  return {
    async fill() {
      if (stopping) return 0
      const turn = await takeTurn()
      if (turn.hosts.length === 0 && queues.size === 0) activities.forget()
      for (const host of turn.hosts) {
        // Its lease ran out while it is still sent to, as when the clock was set. It is free once this one has too.
        if (queues.has(host.host)) continue
        queues.set(host.host, { doubtful: host.failures > 0, done: run(host, turn) })
      }
      return turn.hosts.length
    },
    busy: () => queues.size,
    stop() {
      stopping = true
    },
    async done() {
      await Promise.all(queues.values().map(({ done }) => done))
    },
  }
}

interface Activities {
  load(activityIds: readonly OutgoingActivityId[]): Promise<Map<OutgoingActivityId, SignedActivity>>
  /** Everybody has them who could be reached. */
  forget(): void
}

/** Bodies of activities, with their digests, kept while they are sent to many. */
function createActivities(ctx: Ctx): Activities {
  const kept = new LRUCache<string, SignedActivity>({
    maxSize: activityBytes,
    sizeCalculation: ({ body }) => body.length + 200,
  })
  async function load(activityIds: readonly OutgoingActivityId[]) {
    const ids = [...new Set(activityIds)]
    const found = new Map(ids.flatMap((id) => (kept.has(id) ? [[id, kept.get(id) as SignedActivity]] : [])))
    const missing = ids.filter((id) => !found.has(id))
    for (const outgoing of await loadOutgoing(ctx, missing)) {
      const activity = toSignedActivity(outgoing)
      kept.set(outgoing.id, activity)
      found.set(outgoing.id, activity)
    }
    return found
  }
  return { load, forget: () => kept.clear() }
}

/** Attempts all that is due now, until nothing is: for tests and command-line tools. Returns how many hosts were served. */
export async function deliverDue(ctx: Ctx): Promise<number> {
  const wakeSignal = createWakeSignal()
  const engine = createEngine(ctx, wakeSignal.wake)
  for (let served = 0; ;) {
    const taken = await engine.fill()
    served += taken
    if (taken === 0 && engine.busy() === 0) return served
    await wakeSignal.sleep(pollEvery)
  }
}

/** Delivers whenever woken, and looks every second in any case. `alone`: whoever else had hosts is certainly gone. */
export function startDeliverer(ctx: Ctx, alone: boolean): Deliverer {
  const wakeSignal = createWakeSignal()
  const engine = createEngine(ctx, wakeSignal.wake)
  let stopping = false
  const unsubscribe = ctx.bus.subscribe(deliveriesChannel, wakeSignal.wake)
  const tidy = () => sweepDeliveries(ctx).catch(() => {})
  const sweep = setInterval(tidy, sweepEvery)
  const done = (async () => {
    if (alone) await releaseAllLeases(ctx).catch(() => {})
    await tidy()
    while (!stopping) {
      await engine.fill().catch((error: Error) => {
        ctx.log.warn({ error: error.message }, 'deliveries could not be taken up; trying again')
      })
      await wakeSignal.sleep(pollEvery)
      if (!stopping) await setTimeout(gatherFor)
    }
  })()
  return {
    async stop() {
      stopping = true
      clearInterval(sweep)
      unsubscribe()
      engine.stop()
      wakeSignal.wake()
      await withTimeout(
        stopTime,
        done.then(() => engine.done()),
      )
    },
  }
}
