// Carries out the import of an archive: every post is written, or the reason why not, before it is counted. What is
// left after a kill is done by the next run.
import { createWriteStream } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { createEventPace } from '#db/pace-events.ts'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { abandonFiles } from '#domain/content/media/files.ts'
import { inWorkspace } from '#domain/content/media/workspace.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { isAppError, sentence, unprocessable } from '#lib/errors.ts'
import { keepReason } from '#lib/messages/keep-reason.ts'
import type { Reason } from '#lib/messages/describe-error.ts'
import type { Archive } from './archive-entries.ts'
import { openArchive } from './archive-files.ts'
import { archiveLimits } from './archive-import.ts'
import { importItem, type Importer } from './archive-item.ts'
import { itemBytes, outlineOutbox, parseItem, writePlan, type PlannedRow } from './archive-plan.ts'
import type { AccountId, BulkImportId, BulkImportRowId } from '#lib/id.ts'

interface Running {
  id: BulkImportId
  account_id: AccountId
  upload_key: string | null
}

export interface ArchiveProgress {
  processed: number
  total: number
}

const batch = 50

/** Runs an import of an uploaded archive to its end. Again goes on where it stopped. */
export async function runArchiveImport(ctx: Ctx, importId: BulkImportId): Promise<void> {
  const running = await findRunning(ctx, importId)
  if (!running) return
  const { upload_key: key } = running
  await inWorkspace(ctx, async (folder) => {
    const file = path.join(folder, 'upload')
    const stored = key === null ? null : await ctx.storage.open(key)
    if (!stored) return finish(ctx, importId, sentence('upload_gone'))
    await pipeline(Readable.fromWeb(stored.stream), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    await importFile(ctx, running, { file, folder })
  })
}

/** Imports an archive that lies on this machine. How it went is told by the import's row. */
export async function runLocalArchive(
  ctx: Ctx,
  importId: BulkImportId,
  file: string,
  onProgress: (progress: ArchiveProgress) => void,
): Promise<void> {
  const running = await findRunning(ctx, importId)
  if (!running) return
  try {
    await inWorkspace(ctx, (folder) => importFile(ctx, running, { file, folder, onProgress }))
  } catch (error) {
    // No job comes back to it.
    await finish(ctx, importId, sentence('import_interrupted'))
    throw error
  }
}

async function findRunning(ctx: Ctx, importId: BulkImportId): Promise<Running | null> {
  const { rows } = await sql<Running>`
    select id, account_id, upload_key from bulk_imports
    where id = ${importId} and state in ('scheduled', 'in_progress') and type = 'archive'`.execute(ctx.db)
  return rows[0] ?? null
}

interface Source {
  file: string
  folder: string
  onProgress?: (progress: ArchiveProgress) => void
}

async function importFile(ctx: Ctx, running: Running, source: Source): Promise<void> {
  const viewer = await findViewer(ctx, running.account_id)
  if (!viewer || viewer.refusal !== null) return finish(ctx, running.id, sentence('import_account_inactive'))
  try {
    await importPosts(ctx, { running, viewer }, source)
    await finish(ctx, running.id, null)
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error
    await finish(ctx, running.id, error.reason)
  }
}

async function importPosts(
  ctx: Ctx,
  { running, viewer }: { running: Running; viewer: Viewer },
  { file, folder, onProgress }: Source,
): Promise<void> {
  const unpacked = path.join(folder, 'unpacked')
  await mkdir(unpacked)
  const archive = await openArchive(file, unpacked, archiveLimits(ctx))
  try {
    const outbox = path.join(folder, 'outbox.json')
    await archive.extractOutbox(outbox)
    const outline = await outlineOutbox(outbox, ctx.config.baseUrl)
    await writePlan(ctx, running.id, outline)
    await archive.locate(outline.files)
    const handle = await open(outbox, 'r')
    try {
      const importer = await createImporter(ctx, { running, viewer, archive, folder, actor: outline.actor })
      await importRows(importer, handle, onProgress)
    } finally {
      await handle.close()
    }
  } finally {
    await archive.close()
  }
}

async function createImporter(
  ctx: Ctx,
  work: { running: Running; viewer: Viewer; archive: Archive; folder: string; actor: string | null },
): Promise<Importer> {
  const { markdown_statuses: markdown } = await getSettings(ctx)
  const domains = [ctx.config.localDomain, ctx.config.webDomain].map(
    (domain) => normaliseDomain(domain) ?? domain,
  )
  const { running, viewer, archive, folder, actor } = work
  return {
    ctx,
    importId: running.id,
    viewer,
    archive,
    folder,
    actor,
    texts: { markdown, ownDomains: domains },
  }
}

async function importRows(
  importer: Importer,
  outbox: FileHandle,
  onProgress: Source['onProgress'],
): Promise<void> {
  const { ctx, importId } = importer
  const pace = createEventPace(ctx)
  for (;;) {
    const { rows } = await sql<{ id: BulkImportRowId; data: PlannedRow }>`
      select id, data from bulk_import_rows where bulk_import_id = ${importId} and error is null
      order by id limit ${batch}`.execute(ctx.db)
    for (const { id, data } of rows) {
      const item = await readPlanned(outbox, data)
      await importItem(importer, { rowId: id, wantedId: data.id, item })
      if (onProgress) onProgress(await readProgress(ctx, importId))
    }
    if (rows.length < batch) return
    await pace()
  }
}

async function readPlanned(outbox: FileHandle, { offset, length }: PlannedRow) {
  if (length > itemBytes) return { kind: 'broken', uri: null, reason: sentence('item_too_long') } as const
  const { buffer, bytesRead } = await outbox.read(Buffer.alloc(length), 0, length, offset)
  if (bytesRead !== length) throw unprocessable('outbox_breaks_off')
  return parseItem(buffer)
}

async function readProgress(ctx: Ctx, id: BulkImportId): Promise<ArchiveProgress> {
  const { rows } = await sql<ArchiveProgress>`
    select processed_items as processed, total_items as total from bulk_imports where id = ${id}`.execute(
    ctx.db,
  )
  return rows[0] ?? { processed: 0, total: 0 }
}

/** Ends the import; its file is of no more use. `reason`: why the archive as a whole could not be imported. */
async function finish(ctx: Ctx, id: BulkImportId, reason: Reason | null): Promise<void> {
  const error = reason && keepReason(reason)
  await ctx.transaction(async (tx: Tx) => {
    const { rows } = await sql<{ upload_key: string | null }>`
      with before as (select id, upload_key from bulk_imports where id = ${id} for update)
      update bulk_imports i set state = ${error === null ? 'finished' : 'failed'}, error = ${error}, upload_key = null,
        finished_at = ${new Date(tx.clock.now())}
      from before where i.id = before.id and i.state in ('scheduled', 'in_progress')
      returning before.upload_key`.execute(tx.db)
    await sql`delete from bulk_import_rows where bulk_import_id = ${id} and error is null`.execute(tx.db)
    await abandonFiles(
      tx,
      rows.map((row) => row.upload_key),
    )
  })
}
