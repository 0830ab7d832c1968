// A store that gives files to people by itself has to be told when an account is suspended, and when it no longer is.
import { sql, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { MediaAttachmentsTable } from '#db/schema/media.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId, MediaId } from '#lib/id.ts'
import { inParallel } from '#lib/concurrency/semaphore.ts'
import { inWorkspace } from '../workspace.ts'
import { copyFile } from './copy-file.ts'

/** Attachments at a time. */
const batch = 100
/** Files at a time. */
const concurrency = 2

/**
 * Has the store give the files of a suspended account to nobody, and those of others to everybody. Idempotent. They are
 * put again over themselves: stores differ in what they make of a changed access list, and all know how to put.
 */
export async function applySuspensionToFiles(ctx: Ctx, accountId: AccountId): Promise<void> {
  if (!ctx.storage.givesAccess) return
  await inWorkspace(ctx, async (folder) => {
    for await (const { keys, isHidden } of filesOf(ctx, accountId))
      await inParallel(
        keys,
        concurrency,
        async (key) => void (await copyFile(ctx.storage, key, { storage: ctx.storage, folder, isHidden })),
      )
  })
}

interface Files {
  keys: string[]
  /** As it is now: it may change while many files are put again. */
  isHidden: boolean
}

async function* filesOf(ctx: Ctx, accountId: AccountId): AsyncGenerator<Files> {
  const isHidden = await isSuspended(ctx, accountId)
  if (isHidden === null) return
  yield { keys: await picturesOf(ctx, accountId), isHidden }
  for (let after: MediaId | null = null; ;) {
    const { rows }: { rows: AttachmentRow[] } = await sql<AttachmentRow>`
      select id, original_key, preview_key from media_attachments
      where account_id = ${accountId} and (${after}::bigint is null or id > ${after}) order by id limit ${batch}`.execute(
      ctx.db,
    )
    const keys = rows.flatMap((row) => [row.original_key, row.preview_key])
    const stillHidden = await isSuspended(ctx, accountId)
    if (stillHidden === null) return
    yield { keys: keys.filter((key) => key !== null), isHidden: stillHidden }
    after = rows.at(-1)?.id ?? null
    if (rows.length < batch) return
  }
}

type AttachmentRow = Pick<Selectable<MediaAttachmentsTable>, 'id' | 'original_key' | 'preview_key'>

/** Null when there is no such account any more. */
async function isSuspended(ctx: Ctx, accountId: AccountId): Promise<boolean | null> {
  const { rows } = await sql<{ suspended: boolean }>`
    select suspended_at is not null as suspended from accounts where id = ${accountId}`.execute(ctx.db)
  return rows[0]?.suspended ?? null
}

async function picturesOf(ctx: Ctx, accountId: AccountId): Promise<string[]> {
  const { rows } = await sql<PictureRow>`
    select avatar_key, avatar_static_key, header_key, header_static_key from accounts where id = ${accountId}`.execute(
    ctx.db,
  )
  // A picture that stands still is its own still copy.
  return [...new Set(rows.flatMap((row) => Object.values(row)).filter((key) => key !== null))]
}

type PictureRow = Pick<
  Selectable<AccountsTable>,
  'avatar_key' | 'avatar_static_key' | 'header_key' | 'header_static_key'
>
