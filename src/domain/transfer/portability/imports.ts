// Files that people bring along: looked at first, imported once they say so.
import { sql, type Selectable } from 'kysely'
import type { BulkImportsTable } from '#db/schema/people-and-reach.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { chunk } from '#lib/collections.ts'
import { invalid, notFound, sentence } from '#lib/errors.ts'
import { toStoredJson } from '#lib/json/stored-json.ts'
import { keepReason } from '#lib/messages/keep-reason.ts'
import type { PortableList, PortableRow } from './csv-formats.ts'
import { readImport, type ReadRow } from './read-import.ts'
import type { AccountId, BulkImportId } from '#lib/id.ts'

/** Whose imports they are. */
type Owner = Pick<Viewer, 'accountId'>

export type ImportState = 'unconfirmed' | 'scheduled' | 'in_progress' | 'finished' | 'failed'

export interface ImportRow extends Pick<
  Selectable<BulkImportsTable>,
  | 'id'
  | 'account_id'
  | 'overwrite'
  | 'original_filename'
  | 'total_items'
  | 'processed_items'
  | 'imported_items'
  | 'contents'
  | 'error'
  | 'created_at'
  | 'finished_at'
> {
  type: PortableList | 'archive'
  state: ImportState
  /** Of an archive: what was left out on purpose, and how often. */
  skipped: Record<string, number>
  /** Some lines could not be imported, or not wholly. */
  has_failures: boolean
}

const columns = sql`id, account_id, type, overwrite, state, original_filename, total_items, processed_items,
  imported_items, skipped, contents, error, created_at, finished_at, exists (
    select 1 from bulk_import_rows r where r.bulk_import_id = bulk_imports.id and r.error is not null) as has_failures`

export interface NewImport {
  type: PortableList
  /** What is not in the file is taken away. */
  overwrite: boolean
  path: string
  filename: string
}

/** Rows of one statement. */
const batch = 1000
/** Imports that are shown. */
const maxShown = 10

/** Reads a file and keeps its rows until the person confirms. Returns the id. Throws `invalid` as `readImport`. */
export async function prepareImport(ctx: Ctx, viewer: Owner, input: NewImport): Promise<BulkImportId> {
  const rows = await readImport(input.path, { type: input.type, config: ctx.config })
  return ctx.transaction(async (tx) => {
    const id = tx.newId<BulkImportId>()
    await sql`delete from bulk_imports where account_id = ${viewer.accountId} and state = 'unconfirmed'`.execute(
      tx.db,
    )
    await tx.db
      .insertInto('bulk_imports')
      .values({
        id,
        account_id: viewer.accountId,
        type: input.type,
        overwrite: input.overwrite,
        original_filename: input.filename.slice(0, 255),
        total_items: rows.length,
        processed_items: rows.filter((one) => one.isUnreadable).length,
        created_at: new Date(tx.clock.now()),
      })
      .execute()
    for (const part of chunk(rows, batch)) {
      await sql`
        insert into bulk_import_rows (id, bulk_import_id, line, data, error)
        select unnest(${part.map(() => tx.newId())}::bigint[]), ${id}, unnest(${part.map((one) => one.line)}::int[]),
          unnest(${part.map((one) => toStoredJson(one.row))}::jsonb[]), unnest(${part.map(unreadable)}::text[])`.execute(
        tx.db,
      )
    }
    return id
  })
}

/** What is kept of a line that cannot be read, as why it was not imported. */
const unreadable = ({ line, isUnreadable }: ReadRow) =>
  isUnreadable ? keepReason(invalid('base', 'line_malformed', { line }).reason) : null

/** Has a prepared import run. Idempotent. Throws `not_found` for those of others. */
export async function confirmImport(ctx: Ctx, viewer: Owner, id: BulkImportId): Promise<void> {
  await getImport(ctx, viewer, id)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      update bulk_imports set state = 'scheduled' where id = ${id} and state = 'unconfirmed' returning id`.execute(
      tx.db,
    )
    if (rows.length > 0) await tx.emit({ type: 'import.confirmed', importId: id })
  })
}

/** Throws away what has not begun. Throws `not_found`. */
export async function discardImport(ctx: Ctx, viewer: Owner, id: BulkImportId): Promise<void> {
  const { rows } = await sql`
    delete from bulk_imports where id = ${id} and account_id = ${viewer.accountId} and state = 'unconfirmed'
    returning id`.execute(ctx.db)
  if (rows.length === 0) throw notFound()
}

/** One's own import. Throws `not_found`. */
export async function getImport(reader: Reader, viewer: Owner, id: BulkImportId): Promise<ImportRow> {
  const { rows } = await sql<ImportRow>`
    select ${columns} from bulk_imports where id = ${id} and account_id = ${viewer.accountId}`.execute(
    reader.db,
  )
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** The person's latest imports, newest first. */
export async function listImports(reader: Reader, accountId: AccountId): Promise<ImportRow[]> {
  const { rows } = await sql<ImportRow>`
    select ${columns} from bulk_imports where account_id = ${accountId} order by id desc limit ${maxShown}`.execute(
    reader.db,
  )
  return rows
}

/** Failures of one import that are told. A CSV file has no more lines; an archive may. */
const maxFailures = 20_000

/** The lines that could not be imported, with the reason. */
export async function listFailures(
  reader: Reader,
  importId: BulkImportId,
): Promise<{ line: number; data: PortableRow; error: string }[]> {
  const { rows } = await sql<{ line: number; data: PortableRow; error: string }>`
    select line, data, error from bulk_import_rows
    where bulk_import_id = ${importId} and error is not null order by line limit ${maxFailures}`.execute(
    reader.db,
  )
  return rows
}

/** An import, whoever's it is, and what could not be imported: for whoever runs the server. Throws `not_found`. */
export async function getImportState(
  reader: Reader,
  id: BulkImportId,
): Promise<{ row: ImportRow; failures: Awaited<ReturnType<typeof listFailures>> }> {
  const { rows } = await sql<ImportRow>`select ${columns} from bulk_imports where id = ${id}`.execute(
    reader.db,
  )
  if (!rows[0]) throw notFound()
  return { row: rows[0], failures: await listFailures(reader, id) }
}

/** How long a finished import is told of, in milliseconds. */
const kept = 30 * 86_400_000
/** None takes longer than this, tries after failures included, in milliseconds. */
const maxAge = 7 * 86_400_000

/**
 * Forgets imports that ended a month ago, and those that nobody confirmed for a day. Those that nobody goes on with
 * any more have failed. Returns how many were forgotten.
 */
export async function purgeImports(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now()
  await sql`
    update bulk_imports set state = 'failed', error = ${keepReason(sentence('import_interrupted'))}, finished_at = ${new Date(now)}
    where state in ('scheduled', 'in_progress') and created_at < ${new Date(now - maxAge)}`.execute(ctx.db)
  const { rows } = await sql`
    delete from bulk_imports where finished_at < ${new Date(now - kept)}
      or (state = 'unconfirmed' and created_at < ${new Date(now - 86_400_000)})
    returning id`.execute(ctx.db)
  return rows.length
}
