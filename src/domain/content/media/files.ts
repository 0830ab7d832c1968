// Files and the rows that name them live in two places. A key is written down before its file is stored and is taken
// off the list in the transaction that names it, so whatever happens in between, no file stays that nothing names.
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { unavailable } from '#lib/errors.ts'

const day = 86_400_000
/** How long storing a file and naming it may take, in milliseconds. */
const storingTime = day
const batch = 100

export interface NewFile {
  key: string
  path: string
  contentType: string
}

/**
 * Stores files, then runs `commit` in a transaction that must name them. When anything fails they are deleted again.
 * The keys must be new. Rejects as the store and `commit` do.
 */
export async function storeFiles<T>(
  ctx: Ctx,
  files: readonly NewFile[],
  commit: (tx: Tx) => Promise<T>,
): Promise<T> {
  const keys = files.map((file) => file.key)
  await listForDeletion(ctx, keys, ctx.clock.now() + storingTime)
  try {
    for (const { key, path, contentType } of files) await ctx.storage.put(key, { path }, { contentType })
    return await ctx.transaction(async (tx) => {
      const { rows } = await sql`
        delete from abandoned_files where key = any(${keys}::text[]) returning key`.execute(tx.db)
      if (rows.length !== keys.length) throw unavailable('storing_timed_out')
      return commit(tx)
    })
  } catch (error) {
    // Without this they are deleted a day later.
    await ctx.transaction((tx) => abandonFiles(tx, keys)).catch(() => {})
    throw error
  }
}

/** Files that the change of this transaction leaves behind are deleted after it. Nulls are no files. */
export async function abandonFiles(tx: Tx, keys: readonly (string | null)[]): Promise<void> {
  // A picture that stands still is its own still copy.
  const named = [...new Set(keys.filter((key) => key !== null))]
  if (named.length === 0) return
  await listForDeletion(tx, named, tx.clock.now())
  await tx.emit({ type: 'files.abandoned' })
}

async function listForDeletion(
  { db }: Pick<Tx, 'db'>,
  keys: readonly string[],
  after: number,
): Promise<void> {
  await sql`
    insert into abandoned_files (key, delete_after) select unnest(${keys}::text[]), ${new Date(after)}::timestamptz
    on conflict (key) do update set delete_after = excluded.delete_after`.execute(db)
}

/**
 * Deletes abandoned files that are due. Again, or by two at once, is fine. Returns how many. One that cannot be
 * deleted now is tried again by the next run.
 */
export async function deleteAbandonedFiles(ctx: Ctx): Promise<number> {
  const due = new Date(ctx.clock.now())
  let deleted = 0
  for (let after = ''; ;) {
    const { rows } = await sql<{ key: string }>`
      select key from abandoned_files where delete_after <= ${due} and key > ${after}
      order by key limit ${batch}`.execute(ctx.db)
    const gone: string[] = []
    for (const { key } of rows) if (await deleteFile(ctx, key)) gone.push(key)
    await sql`delete from abandoned_files where key = any(${gone}::text[])`.execute(ctx.db)
    deleted += gone.length
    if (rows.length < batch) return deleted
    after = rows.at(-1)?.key ?? ''
  }
}

async function deleteFile(ctx: Ctx, key: string): Promise<boolean> {
  try {
    await ctx.storage.delete(key)
    return true
  } catch (error) {
    ctx.log.warn({ key, error: String(error) }, 'a file could not be deleted')
    return false
  }
}
