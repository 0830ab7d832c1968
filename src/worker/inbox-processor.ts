// Takes up activities that other servers sent: those with one ordering key in their order, those with several at the same
// time.
import {
  claimIncoming,
  countSuspicion,
  postponeIncoming,
  removeIncoming,
  returnIncoming,
  setIncomingAside,
  type IncomingRow,
} from '#domain/federation/queue/incoming.ts'
import { processActivity } from '#federation/inbox/process.ts'
import type { Ctx } from '#ports/ctx.ts'
import { groupBy, unique } from '#lib/collections.ts'
import type { IncomingActivityId } from '#lib/id.ts'

const batchSize = 50
/** Queues at work at the same time: they share the pool of connections with requests. */
const concurrency = 8
/** One whose activity takes longer than this, in milliseconds, waits for other servers and holds nobody up... */
const slowAfter = 1_000
/** ...unless there are so many, in all or of one host. */
const maxQueues = 40
const maxOfHost = 8
/** How often others are looked for while those of some hosts wait in line, in milliseconds: a flood is not all there is. */
const othersEvery = 250
/** Looking for what may be taken, when there was nothing, is at most one part in so many of the time. */
const restPerLook = 10
const leaseMs = 300_000
/** After this long what was not begun is given back, so that no lease runs out while its activity waits in line. */
const batchMs = 60_000
/** A row that was run alone this often and never finished has ended its process each time. */
const maxSuspicion = 5
const minute = 60_000
/** When what could not be had is asked for again; then it is given up. */
const retryDelays = [1, 5, 15, 60, 120, 240].map((minutes) => minutes * minute)

export interface InboxProcessor {
  /**
   * Deals with all that is due. Returns how much that was. Rejects when the database is away: another run goes on with
   * what this one had taken.
   */
  run(): Promise<number>
  /** There is something new to look at. */
  stir(): void
  /** Makes `run` begin nothing further. */
  stop(): void
}

/** What has one ordering key, taken together. */
interface Queue {
  orderingKey: string
  host: string
  rows: readonly IncomingRow[]
  /** When their lease ends, in milliseconds since the epoch. */
  until: number
  /** Until when any of them is begun, as `performance.now` has it. */
  deadline: number
  slow: boolean
}

interface State {
  readonly ctx: Ctx
  readonly running: Set<Queue>
  waiting: Queue[]
  finished: IncomingActivityId[]
  returned: { row: IncomingRow; until: number }[]
  /** When others than those who wait in line were last looked for, as `performance.now` has it. */
  othersAt: number
  /** As `performance.now` has it: there was nothing to take, so all that waits is at work here or in other processes. */
  restsUntil: number
  stopping: boolean
  changed: PromiseWithResolvers<void>
}

/** One taker of activities. It has one run at a time. */
export function createInboxProcessor(ctx: Ctx): InboxProcessor {
  const state: State = {
    ctx,
    running: new Set(),
    waiting: [],
    finished: [],
    returned: [],
    othersAt: 0,
    restsUntil: 0,
    stopping: false,
    changed: Promise.withResolvers(),
  }
  return {
    stir: () => stir(state),
    stop() {
      state.stopping = true
      for (const queue of state.waiting) giveBack(state, queue.rows, queue.until)
      state.waiting = []
      stir(state)
    },
    run: () => run(state),
  }
}

function stir(state: State): void {
  state.changed.resolve()
  state.changed = Promise.withResolvers()
}

async function run(state: State): Promise<number> {
  let taken = 0
  for (;;) {
    // Before anything is looked at: what comes meanwhile is not missed.
    const changed = state.changed.promise
    const looks = mayTake(state)
    const now = looks ? await take(state) : 0
    taken += now
    begin(state)
    const atWork = state.running.size > 0 || state.waiting.length > 0
    if (now === 0 && !atWork && (looks || state.stopping)) break
    // Where none is at work, what was taken ran alone and is done: there may be more.
    if (now < batchSize && (atWork || !looks)) await changedOrRested(state, changed)
  }
  await flush(state)
  return taken
}

async function changedOrRested(state: State, changed: Promise<void>): Promise<void> {
  const left = state.restsUntil - performance.now()
  const timer = left > 0 ? setTimeout(stir, left, state) : undefined
  await changed
  clearTimeout(timer)
}

/** Where some wait in line, only what others sent is taken, and not all the time. */
function mayTake(state: State): boolean {
  if (state.stopping || performance.now() < state.restsUntil) return false
  if (state.waiting.length === 0) return isRoom(state)
  return performance.now() - state.othersAt >= othersEvery
}

/** Takes what is due of those who are not at work and of hosts of which none wait in line. Returns how much. */
async function take(state: State): Promise<number> {
  await flush(state)
  if (state.waiting.length > 0) state.othersAt = performance.now()
  const until = state.ctx.clock.now() + leaseMs
  const queues = [...state.running]
  const ofHost = groupBy(queues, (queue) => queue.host)
  const full = [...ofHost].filter(([, some]) => some.length >= maxOfHost).map(([host]) => host)
  const claim = {
    now: state.ctx.clock.now(),
    until,
    limit: batchSize,
    busy: queues.map((queue) => queue.orderingKey),
    fullHosts: unique([...full, ...state.waiting.map((queue) => queue.host)]),
  }
  const began = performance.now()
  const rows = await state.ctx.transaction((tx) => claimIncoming(tx, claim))
  const ended = performance.now()
  if (rows.length === 0) state.restsUntil = ended + (ended - began) * restPerLook
  const deadline = performance.now() + batchMs
  const fresh = rows.filter((row) => row.suspected === 0)
  for (const [orderingKey, some] of groupBy(fresh, (row) => row.orderingKey)) {
    state.waiting.push({ orderingKey, host: some[0]?.host ?? '', rows: some, until, deadline, slow: false })
  }
  const suspects = rows.filter((row) => row.suspected > 0)
  await runSuspects(state, suspects, { until, deadline })
  return rows.length
}

const isRoom = ({ running }: State) =>
  running.size < maxQueues && [...running].filter((queue) => !queue.slow).length < concurrency

/** Begins with those who wait in line as far as there is room. */
function begin(state: State): void {
  while (isRoom(state)) {
    const queue = next(state)
    if (!queue) return
    state.waiting = state.waiting.filter((other) => other !== queue)
    if (performance.now() < queue.deadline) void runQueue(state, queue)
    else giveBack(state, queue.rows, queue.until)
  }
}

/** The first of those of whose host the fewest are at work. */
function next({ waiting, running }: State): Queue | undefined {
  const atWork = groupBy(running, (queue) => queue.host)
  const of = (queue: Queue) => atWork.get(queue.host)?.length ?? 0
  const fewest = Math.min(...waiting.map(of))
  return waiting.find((queue) => of(queue) === fewest)
}

async function runQueue(state: State, queue: Queue): Promise<void> {
  state.running.add(queue)
  const timer = setTimeout(() => {
    queue.slow = true
    stir(state)
  }, slowAfter)
  let done = 0
  try {
    for (const row of queue.rows) {
      if (state.stopping || performance.now() > queue.deadline) break
      await runRow(state, row)
      done += 1
    }
  } catch (error) {
    const { message } = error as Error
    state.ctx.log.warn({ error: message }, 'an activity could not be put aside for later; it is given back')
  }
  clearTimeout(timer)
  giveBack(state, queue.rows.slice(done), queue.until)
  state.running.delete(queue)
  // There may be more with its key.
  state.restsUntil = 0
  stir(state)
}

/**
 * The process ended while it had these, and one of them may be why: each runs alone. Those run least come first, so
 * that none is blamed again and again for being the first in line when the process is ended from outside.
 */
async function runSuspects(
  state: State,
  suspects: readonly IncomingRow[],
  { until, deadline }: Pick<Queue, 'until' | 'deadline'>,
): Promise<void> {
  if (suspects.length === 0) return
  while (state.running.size > 0) await state.changed.promise
  const { ctx } = state
  const dead = suspects.filter((row) => row.suspected > maxSuspicion)
  await setIncomingAside(
    ctx,
    dead.map((row) => row.id),
  )
  for (const row of dead) {
    const facts = { incomingId: row.id, signer: row.signer.uri }
    ctx.log.error(facts, 'an activity was set aside: the process ended each time it was taken up')
  }
  const others = suspects.filter((row) => row.suspected <= maxSuspicion)
  const queue = others.toSorted((a, b) => a.suspected - b.suspected)
  for (let row = queue.shift(); row; row = queue.shift()) {
    if (state.stopping || performance.now() > deadline) return giveBack(state, [row, ...queue], until)
    await countSuspicion(ctx, row.id)
    await runRow(state, row)
    await flush(state)
  }
}

async function runRow(state: State, row: IncomingRow): Promise<void> {
  const delay = await processRow(state.ctx, row)
  if (delay === null) state.finished.push(row.id)
  else await postponeIncoming(state.ctx, row.id, state.ctx.clock.now() + delay)
}

/** Deals with one. Returns in how many milliseconds it has to be tried again; null: it is dealt with, or given up. */
async function processRow(ctx: Ctx, row: IncomingRow): Promise<number | null> {
  const delay = retryDelays[row.attempts] ?? null
  try {
    const what = { name: 'incoming activity', kind: 'consumer', parent: row.traceparent } as const
    return await ctx.trace.span(what, async (span) => {
      const outcome = await processActivity(ctx, row)
      span.set({ 'stonechat.host': row.host, 'stonechat.result': outcome })
      return outcome === 'later' ? delay : null
    })
  } catch (error) {
    // Something is wrong here, not with the sender.
    const facts = { incomingId: row.id, signer: row.signer.uri, error: (error as Error).message }
    if (delay === null) ctx.log.error(facts, 'an activity could not be dealt with and is dropped')
    else ctx.log.warn(facts, 'an activity could not be dealt with and will be tried again')
    return delay
  }
}

function giveBack(state: State, rows: readonly IncomingRow[], until: number): void {
  state.returned.push(...rows.map((row) => ({ row, until })))
}

/** Writes down what is done, and what is given back. */
async function flush(state: State): Promise<void> {
  const { ctx, finished, returned } = state
  const done = new Set(finished)
  await removeIncoming(ctx, [...done])
  state.finished = state.finished.filter((id) => !done.has(id))
  for (const [until, some] of groupBy(returned, (one) => one.until)) {
    await returnIncoming(
      ctx,
      some.map((one) => one.row),
      until,
    )
  }
  state.returned = state.returned.filter((one) => !returned.includes(one))
}
