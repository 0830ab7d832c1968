// Which files of a store rows name.
import { sql, type RawBuilder } from 'kysely'
import { keyColumns } from '#db/dump/media-keys.ts'
import type { Reader } from '#ports/ctx.ts'
import type { ListedFile } from '#ports/storage.ts'

const batch = 500
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

export interface SortedFiles {
  /** That a row names, or that are written down to be deleted or named soon. */
  named: ListedFile[]
  /** In folders of this server, older than a day, and named by nothing. */
  unnamed: ListedFile[]
  /** How many are in folders of which this server knows nothing. */
  strange: number
  /** How many were looked at. */
  looked: number
}

/** Sorts the files of a store, some at a time: memory is bounded however many there are. */
export async function* sortFiles(
  reader: Reader,
  listed: AsyncIterable<ListedFile>,
): AsyncGenerator<SortedFiles> {
  for await (const files of inBatches(listed)) {
    const known = files.flatMap((file) => locate(file) ?? [])
    const names = await findNamed(reader, known)
    const isOld = ({ modified }: ListedFile) => modified.getTime() < reader.clock.now() - grace
    yield {
      named: known.filter(({ key }) => names.has(key)),
      unnamed: known.filter((file) => !names.has(file.key) && isOld(file)),
      strange: files.length - known.length,
      looked: files.length,
    }
  }
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
