// Makes a film or a sound ready that was uploaded. Runs in the worker, and again after the worker was killed.
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { type AppError, conflict, isAppError, unprocessable } from '#lib/errors.ts'
import { keepReason } from '#lib/messages/keep-reason.ts'
import { abandonFiles, storeFiles } from './files.ts'
import { filesOf, nameMedia, setOriginal, setPreview } from './processed.ts'
import { inWorkspace } from './workspace.ts'
import type { MediaId } from '#lib/id.ts'

/** A file that was begun this often and never came to an end has ended the process each time. */
const maxAttempts = 3

interface Claim {
  id: MediaId
  upload_key: string
  attempts: number
}

/**
 * Converts what was uploaded and stores it. What cannot be converted becomes `failed`, with a text that may be shown.
 * Rejects, and may be tried again, when something else than the file is to blame.
 */
export async function processMedia(ctx: Ctx, id: MediaId): Promise<void> {
  const claim = await claimUpload(ctx, id)
  if (!claim) return
  if (claim.attempts > maxAttempts) {
    ctx.log.error({ media: id }, 'the process ended each time this upload was converted; it is given up')
    return fail(ctx, claim, null)
  }
  try {
    await inWorkspace(ctx, (folder) => convert(ctx, claim, folder))
  } catch (error) {
    if (isAppError(error, 'conflict')) return
    if (isAppError(error, 'invalid')) return fail(ctx, claim, error)
    await sql`update media_attachments set attempts = 0 where id = ${id}`.execute(ctx.db)
    throw error
  }
}

/** Counts the attempt before it is made: a process that ends cannot count. */
async function claimUpload(ctx: Ctx, id: MediaId): Promise<Claim | null> {
  const { rows } = await sql<Claim>`
    update media_attachments set state = 'in_progress', attempts = attempts + 1
    where id = ${id} and state in ('queued', 'in_progress') and upload_key is not null
    returning id, upload_key, attempts`.execute(ctx.db)
  return rows[0] ?? null
}

async function convert(ctx: Ctx, claim: Claim, directory: string): Promise<void> {
  const source = path.join(directory, 'upload')
  const upload = await ctx.storage.open(claim.upload_key)
  if (!upload) throw unprocessable('upload_gone')
  await pipeline(Readable.fromWeb(upload.stream), createWriteStream(source, { flags: 'wx', mode: 0o600 }))
  const named = nameMedia(claim.id, await ctx.media.process(source, { directory }), 'media_attachments')
  await storeFiles(ctx, filesOf(named), async (tx) => {
    const { rows } = await sql<{ preview_key: string | null }>`
      update media_attachments
      set state = 'complete', error = null, attempts = 0, upload_key = null, ${setOriginal(named)}
      where id = ${claim.id} and upload_key = ${claim.upload_key}
      returning preview_key`.execute(tx.db)
    const row = rows[0]
    // Deleted meanwhile, or converted by somebody else.
    if (!row) throw conflict()
    const own = named.preview
    // A preview that its owner chose stays.
    if (own && row.preview_key === null) {
      await sql`update media_attachments set ${setPreview(own)} where id = ${claim.id}`.execute(tx.db)
    }
    await abandonFiles(tx, [claim.upload_key, row.preview_key === null ? null : (own?.file.key ?? null)])
  })
}

async function fail(ctx: Ctx, claim: Claim, error: AppError | null): Promise<void> {
  const reason = error && keepReason(error.reason)
  if (error)
    ctx.log.info({ media: claim.id, cause: String(error.cause ?? error.message) }, 'an upload was refused')
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update media_attachments set state = 'failed', error = ${reason}, upload_key = null
      where id = ${claim.id} and upload_key = ${claim.upload_key} returning id`.execute(tx.db)
    if (rows.length > 0) await abandonFiles(tx, [claim.upload_key])
  })
}
