// Carries out what an import says, row by row: each row is done, or its error kept, before it is counted.
import { sql } from 'kysely'
import { createEventPace } from '#db/pace-events.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { inParallel } from '#lib/concurrency/semaphore.ts'
import { isAppError, sentence } from '#lib/errors.ts'
import { keepReason } from '#lib/messages/keep-reason.ts'
import type { Reason } from '#lib/messages/describe-error.ts'
import { applyRow } from './apply-row.ts'
import type { PortableList, PortableRow } from './csv-formats.ts'
import { takeAwayOthers } from './overwrite.ts'
import type { AccountId, BulkImportId, BulkImportRowId } from '#lib/id.ts'

interface Running {
  id: BulkImportId
  account_id: AccountId
  type: PortableList
  overwrite: boolean
  /** It has been begun before: what is not in the file is gone already. */
  begun: boolean
}

const batch = 50
/** Rows at a time: most wait for the server of whom they name. */
const concurrency = 8

/** Runs an import to its end. Again goes on where it stopped: a row may be applied twice, which changes nothing. */
export async function runImport(ctx: Ctx, importId: BulkImportId): Promise<void> {
  const running = await begin(ctx, importId)
  if (!running) return
  const viewer = await findViewer(ctx, running.account_id)
  if (!viewer || viewer.refusal !== null)
    return finish(ctx, importId, 'failed', sentence('import_account_inactive'))
  if (running.overwrite && !running.begun) await takeAwayOthers(ctx, viewer, running)
  await sql`update bulk_imports set state = 'in_progress' where id = ${importId}`.execute(ctx.db)
  const pace = createEventPace(ctx)
  for (;;) {
    const { rows } = await sql<{ id: BulkImportRowId; data: PortableRow }>`
      select id, data from bulk_import_rows where bulk_import_id = ${importId} and error is null
      order by id limit ${batch}`.execute(ctx.db)
    await inParallel(rows, concurrency, (row) => importRow(ctx, { viewer, running, row }))
    if (rows.length < batch) return finish(ctx, importId, 'finished', null)
    await pace()
  }
}

async function begin(ctx: Ctx, importId: BulkImportId): Promise<Running | null> {
  const { rows } = await sql<Running>`
    select id, account_id, type, overwrite, state = 'in_progress' as begun from bulk_imports
    where id = ${importId} and state in ('scheduled', 'in_progress') and type <> 'archive'`.execute(ctx.db)
  return rows[0] ?? null
}

async function importRow(
  ctx: Ctx,
  {
    viewer,
    running,
    row,
  }: { viewer: Viewer; running: Running; row: { id: BulkImportRowId; data: PortableRow } },
): Promise<void> {
  const reason = await attempt(() => applyRow(ctx, viewer, running.type, row.data))
  const error = reason && keepReason(reason)
  const done = error === null ? 1 : 0
  await sql`
    with gone as (delete from bulk_import_rows where id = ${row.id} and ${done === 1} returning id),
    kept as (update bulk_import_rows set error = ${error} where id = ${row.id} and ${done === 0} and error is null returning id)
    update bulk_imports set processed_items = processed_items + 1, imported_items = imported_items + ${done}
    where id = ${running.id} and exists (select 1 from gone union all select 1 from kept)`.execute(ctx.db)
}

/** The reason why it cannot be done, or null. What is nobody's fault is thrown: the job is tried again. */
async function attempt(work: () => Promise<void>): Promise<Reason | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (isAppError(error) && error.code !== 'unavailable' && error.code !== 'internal') return error.reason
    throw error
  }
}

async function finish(
  ctx: Ctx,
  id: BulkImportId,
  state: 'finished' | 'failed',
  reason: Reason | null,
): Promise<void> {
  const error = reason && keepReason(reason)
  await sql`
    update bulk_imports set state = ${state}, error = ${error}, finished_at = ${new Date(ctx.clock.now())}
    where id = ${id}`.execute(ctx.db)
}
