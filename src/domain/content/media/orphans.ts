// Files in the store that no row names: left behind by a process that was killed, or by a database that was put back.
import { sql, type RawBuilder } from 'kysely'
import { keyColumns } from '#db/dump/media-keys.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { ListedFile } from '#ports/storage.ts'
import { inParallel } from '#lib/concurrency/semaphore.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'

const batch = 500
/** Deletions at a time. */
const concurrency = 8
/** A file may be there before the row that names it: for so long it is left alone, in milliseconds. */
const grace = 86_400_000

/**
 * Which tables name the files of a folder: `byId` by the number that comes next in the key, or anywhere. Files in other
 * folders are somebody else's.
 */
export const folders: Readonly<Record<string, { byId?: string; anywhere?: readonly string[] }>> = {
  avatars: { byId: 'accounts' },
  headers: { byId: 'accounts' },
  media_attachments: { byId: 'media_attachments' },
  'cache/media_attachments': { byId: 'media_attachments' },
  emojis: { byId: 'custom_emojis' },
  preview_cards: { byId: 'preview_cards' },
  site_uploads: { anywhere: ['site_uploads'] },
  uploads: { anywhere: ['media_attachments', 'bulk_imports'] },
  backups: { anywhere: ['backups'] },
  doctor: {},
}

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
    for await (const files of inBatches(ctx.storage.list(prefix))) {
      const known = files.flatMap((file) => locate(file) ?? [])
      total.looked += files.length
      total.strange += files.length - known.length
      const old = known.filter(({ modified }) => modified.getTime() < ctx.clock.now() - grace)
      const named = await findNamed(ctx, old)
      await inParallel(old, concurrency, async ({ key, size }) => {
        if (named.has(key)) return
        if (!dryRun) await ctx.storage.delete(key)
        onOrphan(key)
        total.files += 1
        total.bytes += size
      })
      onDone(files.length)
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

async function* inBatches(files: AsyncIterable<ListedFile>): AsyncGenerator<ListedFile[]> {
  let some: ListedFile[] = []
  for await (const file of files) {
    some.push(file)
    if (some.length < batch) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

interface Located extends ListedFile {
  folder: string
  id: string | null
}

/** Null for what is in no folder of ours. */
function locate(file: ListedFile): Located | null {
  const [, folder = '', id] = /^((?:cache\/)?[^/]+)\/(?:(\d{1,19})\/)?[^/]+$/.exec(file.key) ?? []
  const place = Object.hasOwn(folders, folder) ? folders[folder] : undefined
  if (!place || (place.byId !== undefined) !== (id !== undefined)) return null
  return { ...file, folder, id: id ?? null }
}

/** The keys among these that a row names, or that are written down to be deleted or named soon. */
async function findNamed(reader: Reader, files: readonly Located[]): Promise<Set<string>> {
  if (files.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select w.key from unnest(${files.map((file) => file.key)}::text[], ${files.map((file) => file.folder)}::text[],
      ${files.map((file) => file.id)}::bigint[]) w (key, folder, id)
    where exists (select 1 from abandoned_files f where f.key = w.key offset 0)
      or case w.folder ${sql.join(Object.keys(folders).map(namedIn), sql` `)} else true end`.execute(
    reader.db,
  )
  return new Set(rows.map((row) => row.key))
}

function namedIn(folder: string): RawBuilder<unknown> {
  const { byId, anywhere = [] } = folders[folder] ?? {}
  const named = [...(byId === undefined ? [] : [namedById(byId)]), ...anywhere.map(namedAnywhere)]
  return sql`when ${folder} then ${sql.join([sql`false`, ...named], sql` or `)}`
}

const columnsOf = (table: string) =>
  keyColumns.filter((one) => one.table === table).map((one) => sql.ref(`t.${one.column}`))

function namedById(table: string): RawBuilder<unknown> {
  return sql`exists (
    select 1 from ${sql.table(table)} t where t.id = w.id and w.key in (${sql.join(columnsOf(table))}) offset 0)`
}

/** Read once for a whole batch, and only when there is a file of such a folder. */
function namedAnywhere(table: string): RawBuilder<unknown> {
  const columns = columnsOf(table).map(
    (column) =>
      sql`w.key = any(array(select ${column} from ${sql.table(table)} t where ${column} is not null))`,
  )
  const versions = sql`w.key = any(array(select v.value from site_uploads t, jsonb_each_text(t.versions) v))`
  return sql.join(table === 'site_uploads' ? [...columns, versions] : columns, sql` or `)
}
