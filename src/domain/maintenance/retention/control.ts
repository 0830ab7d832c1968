// What people who run the server see of upkeep, and how they stop it.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { notFound } from '#lib/errors.ts'
import { loadRuns, type RunRow } from './runs.ts'
import { workSummaries } from './tasks.ts'

/** `waiting`: it has begun, and nobody works on it at this moment. */
export type MaintenanceState = 'idle' | 'running' | 'waiting' | 'paused'

export interface Maintenance extends Omit<RunRow, 'state' | 'leased'> {
  summary: string
  state: MaintenanceState
  /** From 0 to 1; null where that is not known. */
  progress: number | null
}

/** All kinds of upkeep, also those that never ran. */
export async function listMaintenance(reader: Reader): Promise<Maintenance[]> {
  const runs = await loadRuns(reader)
  return [...workSummaries].map(([name, summary]) =>
    describe({ ...(runs.get(name) ?? neverRan), name }, summary),
  )
}

/** One of them. Throws `not_found`. */
export async function getMaintenance(reader: Reader, name: string): Promise<Maintenance> {
  const summary = workSummaries.get(name)
  if (summary === undefined) throw notFound()
  return describe({ ...((await loadRuns(reader)).get(name) ?? neverRan), name }, summary)
}

const neverRan: Omit<RunRow, 'name'> = {
  state: 'idle',
  leased: false,
  examined: 0,
  removed: 0,
  expected: null,
  error: null,
  started_at: null,
  updated_at: null,
  finished_at: null,
}

/** What was expected is about right only: before the end nothing is whole. */
const almostAll = 0.99

function describe({ leased, ...run }: RunRow, summary: string): Maintenance {
  const state = run.state === 'running' && !leased ? 'waiting' : run.state
  const part = run.expected === null ? null : Math.min(almostAll, run.examined / Math.max(run.expected, 1))
  return { ...run, state, summary, progress: run.finished_at === null ? part : 1 }
}

/**
 * Stops a work after the batch that is under way, and keeps it from being begun, until somebody lets it run again. Throws
 * `not_found`.
 */
export async function pauseMaintenance(ctx: Ctx, staff: Staff, name: string): Promise<void> {
  await change(ctx, staff, { name, action: 'pause' })
}

/** Lets a paused work go on where it was left. Throws `not_found`. */
export async function resumeMaintenance(ctx: Ctx, staff: Staff, name: string): Promise<void> {
  await change(ctx, staff, { name, action: 'resume' })
}

async function change(
  ctx: Ctx,
  staff: Staff,
  { name, action }: { name: string; action: 'pause' | 'resume' },
): Promise<void> {
  if (!workSummaries.has(name)) throw notFound()
  await ctx.transaction(async (tx) => {
    await sql`insert into upkeep_runs (name) values (${name}) on conflict do nothing`.execute(tx.db)
    const paused = action === 'pause'
    // A lease is of no use while it is paused, and there is none to wait for afterwards.
    await sql`
      update upkeep_runs set leased_until = null, state = case
          when ${paused} then 'paused' when started_at is not null and finished_at is null then 'running' else 'idle' end
      where name = ${name} and (state = 'paused') <> ${paused}`.execute(tx.db)
    await recordAction(tx, staff, { action, targetType: 'upkeep', label: name })
  })
}
