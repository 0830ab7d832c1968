// Media from one store to another while people use it: copied and compared first, removed from the old one later.
import type { Ctx } from '#ports/ctx.ts'
import type { ListedFile, Storage } from '#ports/storage.ts'
import { inParallel } from '#lib/concurrency/semaphore.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { copyFile, hashFile } from './copy-file.ts'
import { isHiddenFile } from '../hidden-files.ts'
import { sortFiles } from './named-files.ts'
import { inWorkspace } from '../workspace.ts'

export interface MigrateOptions {
  from: Storage
  to: Storage
  /** Files at a time. */
  concurrency: number
  /** Files that are in both are the same when their sizes are; otherwise when their content is. */
  bySize?: boolean
  dryRun?: boolean
  /** Called with how many files were looked at. */
  onDone?: (count: number) => void
}

export interface Migrated {
  /** Files that were copied, or would be. */
  files: number
  bytes: number
  /** Files that the new store has already. */
  there: number
  /** Files that nothing names: they are not copied. */
  unnamed: number
  /** Files in folders of which this server knows nothing: they are not copied. */
  strange: number
}

/**
 * Copies all files that rows name and the new store lacks. Each is read back and compared. Idempotent: what is there is
 * left, so it goes on where an earlier run ended. Rejects with `unavailable` when a store does.
 */
export async function copyMedia(ctx: Ctx, options: MigrateOptions): Promise<Migrated> {
  const total: Migrated = { files: 0, bytes: 0, there: 0, unnamed: 0, strange: 0 }
  await inWorkspace(ctx, async (folder) => {
    for await (const { named, unnamed, strange } of sortFiles(ctx, options.from.list())) {
      total.unnamed += unnamed.length
      total.strange += strange
      await inParallel(named, options.concurrency, async (file) => {
        if (await isThere(options, file)) total.there += 1
        else if (options.dryRun || (await moveOver(ctx, options, { key: file.key, folder }))) {
          total.files += 1
          total.bytes += file.size
        }
        options.onDone?.(1)
      })
      options.onDone?.(unnamed.length + strange)
    }
  })
  return total
}

async function isThere({ from, to, bySize = false }: MigrateOptions, file: ListedFile): Promise<boolean> {
  if ((await to.size(file.key)) !== file.size) return false
  if (bySize) return true
  const [old, copy] = await Promise.all([hashFile(from, file.key), hashFile(to, file.key)])
  return old === copy
}

/** Returns whether there is still such a file. */
async function moveOver(
  ctx: Ctx,
  { from, to }: MigrateOptions,
  { key, folder }: { key: string; folder: string },
): Promise<boolean> {
  const isHidden = await isHiddenFile(ctx, key)
  const copied = await copyFile(from, key, { storage: to, folder, isHidden })
  if (copied === null) return false
  if ((await hashFile(to, key)) === copied.hash) return true
  await to.delete(key)
  throw new Error(`${key} did not arrive whole in the new store: run the command again`)
}

export interface Confirmed {
  /** Files that are no longer in the old store. */
  files: number
  bytes: number
  /** Files that the new store lacks, or has otherwise: they stay in the old one. */
  missing: number
  /** Files in folders of which this server knows nothing: they stay in the old store. */
  strange: number
}

/** Removes from the old store what the new one has, and old files that nothing names. */
export async function removeMigrated(ctx: Ctx, staff: Staff, options: MigrateOptions): Promise<Confirmed> {
  const total: Confirmed = { files: 0, bytes: 0, missing: 0, strange: 0 }
  const remove = async ({ key, size }: ListedFile) => {
    if (!options.dryRun) await options.from.delete(key)
    total.files += 1
    total.bytes += size
  }
  try {
    for await (const { named, unnamed, strange } of sortFiles(ctx, options.from.list())) {
      total.strange += strange
      await inParallel(named, options.concurrency, async (file) => {
        if (await isThere(options, file)) await remove(file)
        else total.missing += 1
        options.onDone?.(1)
      })
      await inParallel(unnamed, options.concurrency, remove)
      options.onDone?.(unnamed.length + strange)
    }
  } finally {
    if (!options.dryRun && total.files > 0) await record(ctx, staff, total)
  }
  return total
}

async function record(ctx: Ctx, staff: Staff, { files, bytes }: Confirmed): Promise<void> {
  await ctx.transaction((tx) =>
    recordAction(tx, staff, { action: 'migrate', targetType: 'media', details: { files, bytes } }),
  )
}
