// Archives of other servers, brought along for their posts: kept privately until their owner says yes.
import { sql } from 'kysely'
import type { ArchiveContents } from '#db/schema/people-and-reach.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { storeFiles } from '#domain/content/media/files.ts'
import { conflict } from '#lib/errors.ts'
import { toStoredJson } from '#lib/json/stored-json.ts'
import { newSecret } from '#lib/secrets.ts'
import type { ArchiveLimits } from './archive-entries.ts'
import { lookAtArchive } from './archive-look.ts'
import type { AccountId, BulkImportId } from '#lib/id.ts'

const gibibyte = 1024 ** 3

/** Bytes of an archive that is uploaded. */
export const maxArchiveBytes = 4 * gibibyte

/** What of an archive is read at most. */
export function archiveLimits({ config }: Pick<Reader, 'config'>): ArchiveLimits {
  return {
    entries: 250_000,
    outboxBytes: 4 * gibibyte,
    fileBytes: Math.max(config.limits.imageBytes, config.limits.videoBytes),
    totalBytes: 16 * gibibyte,
  }
}

/** Whether an uploaded archive of this account is waiting to be imported, or being imported. */
export async function isImportingArchive(reader: Reader, accountId: AccountId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from bulk_imports
    where account_id = ${accountId} and type = 'archive' and state in ('scheduled', 'in_progress')
      and upload_key is not null`.execute(reader.db)
  return rows.length > 0
}

const busy = () => conflict('archive_import_busy')

/**
 * Keeps an archive until its owner confirms (`confirmImport`); an earlier one that waits for that is thrown away.
 * Returns the id. Throws `invalid` for what is no archive of posts, and `conflict` while another one is imported.
 */
export async function prepareArchive(
  ctx: Ctx,
  viewer: Viewer,
  input: { path: string; filename: string },
): Promise<BulkImportId> {
  if (await isImportingArchive(ctx, viewer.accountId)) throw busy()
  const contents = await lookAtArchive(ctx, input.path, archiveLimits(ctx))
  const key = `uploads/${newSecret()}.bin`
  const file = { key, path: input.path, contentType: 'application/octet-stream' }
  return storeFiles(ctx, [file], async (tx) => {
    await lockOwner(tx, viewer.accountId)
    await sql`
      delete from bulk_imports where account_id = ${viewer.accountId} and type = 'archive' and state = 'unconfirmed'`.execute(
      tx.db,
    )
    return insertArchive(tx, { accountId: viewer.accountId, filename: input.filename, key, contents })
  })
}

/** The row of an archive that lies on this machine and is imported at once. Throws `conflict` as `prepareArchive`. */
export async function beginLocalArchive(
  ctx: Ctx,
  accountId: AccountId,
  filename: string,
): Promise<BulkImportId> {
  return ctx.transaction(async (tx) => {
    await lockOwner(tx, accountId)
    await endInterrupted(tx, accountId)
    const id = await insertArchive(tx, { accountId, filename, key: null, contents: null })
    await sql`update bulk_imports set state = 'scheduled' where id = ${id}`.execute(tx.db)
    return id
  })
}

/** Two requests at once must not both find that nothing is being imported. */
async function lockOwner(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
  if (await isImportingArchive(tx, accountId)) throw busy()
}

/** What an earlier command line began and did not end: nobody goes on with it. */
async function endInterrupted(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`
    update bulk_imports set state = 'failed', error = 'Interrupted', finished_at = ${new Date(tx.clock.now())}
    where account_id = ${accountId} and type = 'archive' and state in ('scheduled', 'in_progress')
      and upload_key is null`.execute(tx.db)
}

interface NewArchive {
  accountId: AccountId
  filename: string
  /** Null: it lies on this machine. */
  key: string | null
  contents: ArchiveContents | null
}

async function insertArchive(
  tx: Tx,
  { accountId, filename, key, contents }: NewArchive,
): Promise<BulkImportId> {
  const id = tx.newId<BulkImportId>()
  await tx.db
    .insertInto('bulk_imports')
    .values({
      id,
      account_id: accountId,
      type: 'archive',
      original_filename: filename.slice(0, 255),
      upload_key: key,
      contents: contents && toStoredJson(contents),
      created_at: new Date(tx.clock.now()),
    })
    .execute()
  return id
}
