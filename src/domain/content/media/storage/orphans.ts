// Files in the store that no row names: left behind by a process that was killed, or by a database that was put back.
import type { Ctx } from '#ports/ctx.ts'
import { inParallel } from '#lib/concurrency/semaphore.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { sortFiles } from './named-files.ts'

/** Deletions at a time. */
const concurrency = 8

export interface OrphanOptions {
  /** Only files whose keys begin so. */
  prefix?: string
  dryRun?: boolean
  /** Called with how many files were looked at. */
  onDone?: (count: number) => void
  /** Called with each key that goes. */
  onOrphan?: (key: string) => void
}

export interface Orphans {
  files: number
  bytes: number
  looked: number
  /** In folders of which this server knows nothing: they stay. */
  strange: number
}

/**
 * Lists the store, and removes files older than a day that no row names. What is in folders that this server does not
 * know stays. Memory is bounded however many files there are. Rejects with `unavailable` when the store does.
 */
export async function removeOrphans(ctx: Ctx, staff: Staff, options: OrphanOptions = {}): Promise<Orphans> {
  const { prefix = '', dryRun = false, onDone = () => {}, onOrphan = () => {} } = options
  const total: Orphans = { files: 0, bytes: 0, looked: 0, strange: 0 }
  try {
    for await (const { unnamed, strange, looked } of sortFiles(ctx, ctx.storage.list(prefix))) {
      total.looked += looked
      total.strange += strange
      await inParallel(unnamed, concurrency, async ({ key, size }) => {
        if (!dryRun) await ctx.storage.delete(key)
        onOrphan(key)
        total.files += 1
        total.bytes += size
      })
      onDone(looked)
    }
  } finally {
    if (!dryRun && total.files > 0) await record(ctx, staff, total)
  }
  return total
}

async function record(ctx: Ctx, staff: Staff, { files, bytes }: Orphans): Promise<void> {
  await ctx.transaction((tx) =>
    recordAction(tx, staff, { action: 'remove_orphans', targetType: 'media', details: { files, bytes } }),
  )
}
