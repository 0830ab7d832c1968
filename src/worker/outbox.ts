// Takes events out of the outbox and runs their effects (docs/adr/0003-outbox.md).
import {
  claimEvents,
  countAttempt,
  listEarlierEvents,
  postponeEvents,
  releaseAllClaims,
  removeEvents,
  returnEvents,
  setEventsAside,
  type OutboxRow,
} from '#db/outbox.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Event } from '#ports/events.ts'
import { effectsOf, isKnown, runEffect, type Effect } from './effects/index.ts'
import { renameEvent } from './effects/former-names.ts'
import { compareIds } from '#lib/ids.ts'
import type { OutboxEntryId } from '#lib/id.ts'

type Row = OutboxRow<Event>

/** Events that one run takes. */
export const maxTaken = 50
/** Events at work at the same time: they share the pool of connections with requests. */
const concurrency = 16
const leaseMs = 120_000
/** After this long what was not begun is given back, so that no lease runs out while its event waits in line. */
const batchMs = leaseMs / 4
/** What has to wait for another one is looked at again after so long. */
const postponedMs = 200
/** A row that was run alone this often and never finished has ended its process each time. */
const maxAttempts = 5

export interface Drain {
  /**
   * Runs waiting events once. Returns how many were taken and not postponed. An effect that fails becomes a job of its own;
   * the event itself is then done. Rejects when the database is away: what was taken then is given back by the next run.
   */
  run(): Promise<number>
  /** Makes `run` begin no further events. */
  stop(): void
}

/** Events that were taken together. */
interface Batch {
  rows: readonly Row[]
  /** Ids of those that are neither done nor given back. */
  held: Set<OutboxEntryId>
  mayBegin(): boolean
}

/** One taker of events. It runs one batch at a time. `alone`: nobody else takes any. */
export function createDrain(ctx: Ctx, { alone = false } = {}): Drain {
  const held = new Set<OutboxEntryId>()
  let until = 0
  let stopping = false

  async function giveBack(): Promise<void> {
    if (held.size === 0) return
    await returnEvents(ctx.db, [...held], until)
    held.clear()
  }

  async function take(): Promise<Row[]> {
    const now = ctx.clock.now()
    until = now + leaseMs
    const rows = await claimEvents<Event>(ctx.db, { now, until, limit: maxTaken })
    const renamed = rows.map((row) => ({ ...row, event: renameEvent(row.event) }))
    // Of a newer version, while processes are replaced one by one: when the lease is over, it is for one that knows it.
    const taken = renamed.filter(({ event }) => isKnown(event))
    for (const row of taken) held.add(row.id)
    return postpone(await setDeadAside(ctx, taken), now)
  }

  /** Gives back what must not overtake an event that is not done, and returns the rest. */
  async function postpone(rows: readonly Row[], now: number): Promise<Row[]> {
    const overtaking = await findOvertaking(ctx, rows, alone)
    if (overtaking.size === 0) return [...rows]
    const ids = [...overtaking].map(({ id }) => id)
    const fresh = [...overtaking].filter(({ attempts }) => attempts === 0).map(({ id }) => id)
    await postponeEvents(ctx.db, ids, { fresh, until, after: now + postponedMs })
    for (const id of ids) held.delete(id)
    return rows.filter((row) => !overtaking.has(row))
  }

  return {
    stop() {
      stopping = true
    },
    async run() {
      await giveBack()
      const rows = await take()
      const deadline = performance.now() + batchMs
      const batch = { rows, held, mayBegin: () => !stopping && performance.now() < deadline }
      await runFresh(ctx, batch)
      await runSuspects(ctx, batch)
      await giveBack()
      return rows.length
    },
  }
}

async function runFresh(ctx: Ctx, { rows, held, mayBegin }: Batch): Promise<void> {
  const fresh = rows.filter((row) => row.attempts === 0)
  const done: OutboxEntryId[] = []
  const failures: unknown[] = []
  for (let i = 0; i < fresh.length && failures.length === 0 && mayBegin(); i += concurrency) {
    const group = fresh.slice(i, i + concurrency)
    // All of them are waited for: what is given back must not be at work still.
    const results = await runTogether(ctx, group)
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') done.push((group[index] as Row).id)
      else failures.push(result.reason)
    }
  }
  await finish(ctx, done, held)
  if (failures.length > 0) throw failures[0]
}

/** At the same time, but for those of one `orderOf`: they come in their order, one after the other. */
async function runTogether(ctx: Ctx, group: readonly Row[]): Promise<PromiseSettledResult<void>[]> {
  const lastOf = new Map<string, Promise<void>>()
  const runs = group.map((row) => {
    const subject = orderOf(row.event)
    if (subject === null) return runEvent(ctx, row)
    const run = (lastOf.get(subject) ?? Promise.resolve()).catch(() => {}).then(() => runEvent(ctx, row))
    lastOf.set(subject, run)
    return run
  })
  return Promise.allSettled(runs)
}

/**
 * What an event must not overtake others of. Of a status and its boosts, because whether a boost enters a feed depends
 * on what stands there; and of a status, and what one account does about another one, a status or a tag, because other
 * servers are told of it in this order.
 */
function orderOf(event: Event): string | null {
  if (event.type === 'status.created' || event.type === 'status.deleted')
    return `status ${event.reblogOfId ?? event.statusId}`
  if ('targetAccountId' in event)
    return `pair ${[event.accountId, event.targetAccountId].toSorted().join(' ')}`
  if ('tagId' in event) return `tag ${event.accountId} ${event.tagId}`
  if (!('statusId' in event)) return null
  return 'accountId' in event ? `deed ${event.accountId} ${event.statusId}` : `status ${event.statusId}`
}

/**
 * Those behind an event of the same order that another process has, or had when it ended, or that is not run together
 * with them.
 */
async function findOvertaking(ctx: Ctx, rows: readonly Row[], alone: boolean): Promise<Set<Row>> {
  const ordered = rows.filter(({ event }) => orderOf(event) !== null)
  const last = ordered.at(-1)
  if (!last) return new Set()
  const except = rows.map(({ id }) => id)
  const notMine = alone ? [] : await listEarlierEvents<Event>(ctx.db, { before: last.id, except })
  const suspects = ordered.filter(({ attempts }) => attempts > 0)
  if (notMine.length + suspects.length === 0) return new Set()
  const earliest = new Map<string, OutboxEntryId>()
  for (const { id, event } of [...notMine, ...suspects]) {
    const subject = orderOf(renameEvent(event))
    const known = subject === null ? undefined : earliest.get(subject)
    if (subject !== null && (known === undefined || compareIds(id, known) < 0)) earliest.set(subject, id)
  }
  const isBehind = ({ id, event }: Row) => {
    const ahead = earliest.get(orderOf(event) as string)
    return ahead !== undefined && compareIds(ahead, id) < 0
  }
  return new Set(ordered.filter(isBehind))
}

/**
 * The process ended while it had these, and one of them may be why. Those run least come first, so that none is
 * blamed again and again for being the first in line when the process is ended from outside.
 */
async function runSuspects(ctx: Ctx, { rows, held, mayBegin }: Batch): Promise<void> {
  const suspects = rows.filter((row) => row.attempts > 0).toSorted((a, b) => a.attempts - b.attempts)
  for (const row of suspects) {
    if (!mayBegin()) return
    await countAttempt(ctx.db, row.id)
    await runEvent(ctx, row)
    await finish(ctx, [row.id], held)
  }
}

async function finish(ctx: Ctx, ids: readonly OutboxEntryId[], held: Set<OutboxEntryId>): Promise<void> {
  if (ids.length === 0) return
  await removeEvents(ctx.db, ids)
  for (const id of ids) held.delete(id)
}

/** Runs waiting events once. Returns how many were taken. */
export const drainOutbox = (ctx: Ctx): Promise<number> => createDrain(ctx).run()

/** Lets go of what a process that is certainly gone had taken: only where this is the only worker. */
export const releaseClaims = (ctx: Ctx) => releaseAllClaims(ctx.db)

/** A row that was taken before is run alone, and one that was taken too often is set aside for the operator. */
async function setDeadAside(ctx: Ctx, rows: readonly Row[]): Promise<Row[]> {
  const dead = rows.filter((row) => row.attempts > maxAttempts)
  if (dead.length > 0) await setAside(ctx, dead)
  return rows.filter((row) => row.attempts <= maxAttempts)
}

async function setAside(ctx: Ctx, rows: readonly Row[]): Promise<void> {
  const ids = rows.map((row) => row.id)
  await setEventsAside(ctx.db, ids, ctx.clock.now(), 'the process ended each time this event was taken up')
  for (const row of rows) {
    ctx.log.error(
      { event: row.event.type, outboxId: row.id },
      'an event was set aside: see `stonechat jobs list`',
    )
  }
}

/** In the trace of what it follows from. */
async function runEvent(ctx: Ctx, { event, traceparent: parent }: Row): Promise<void> {
  await ctx.trace.span({ name: `event ${event.type}`, kind: 'consumer', parent }, async () => {
    for (const effect of effectsOf(event)) {
      if (effect.slow || effect.background) await queue(ctx, event, effect)
      else await runOrQueue(ctx, event, effect)
    }
  })
}

async function runOrQueue(ctx: Ctx, event: Event, effect: Effect): Promise<void> {
  try {
    await runEffect(ctx, event, effect)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    ctx.log.warn(
      { event: event.type, effect: effect.name, error: message },
      'an effect failed and will be tried again',
    )
    await queue(ctx, event, effect)
  }
}

/** Retries are the queue's: growing delays for about two days, then the job stays for the operator to see. */
async function queue(ctx: Ctx, event: Event, effect: Effect): Promise<void> {
  const queue = effect.queue?.(event as never)
  const { background = false } = effect
  const options = { maxAttempts: 16, background, ...(queue !== undefined && { queue }) }
  await ctx.jobs.add('effect', { event, effect: effect.name }, options)
}
