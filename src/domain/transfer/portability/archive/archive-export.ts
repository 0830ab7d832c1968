// Archives of all that an account has written and marked, which people ask for and download.
import { sql, type Selectable } from 'kysely'
import type { BackupsTable } from '#db/schema/people-and-reach.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { LocalUser } from '#domain/identity/accounts/local-user.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { abandonFiles } from '#domain/content/media/files.ts'
import { tooMany } from '#lib/errors.ts'
import type { AccountId, BackupId } from '#lib/id.ts'

export type BackupState = 'scheduled' | 'in_progress' | 'finished' | 'failed'

export interface BackupRow extends Pick<
  Selectable<BackupsTable>,
  'id' | 'account_id' | 'processed_items' | 'total_items' | 'expires_at' | 'created_at' | 'finished_at'
> {
  state: BackupState
  /** Null before it is finished, and when it has expired. */
  file_key: string | null
  /** bigint, as text. */
  bytes: string
}

const columns = sql`id, account_id, state, file_key, bytes, processed_items, total_items, expires_at, created_at,
  finished_at`
const day = 86_400_000
/** Between one archive and the next, in milliseconds. */
const pause = 7 * day
/** How long archives are told of, in milliseconds. */
const told = 30 * day
const maxShown = 10

/**
 * Has an archive made. Returns its id. Throws `too_many` when there was one within the last week, unless it failed.
 */
export async function requestArchive(ctx: Ctx, viewer: Viewer): Promise<BackupId> {
  return ctx.transaction(async (tx) => {
    // Two requests at once must not both find none.
    await sql`select 1 from accounts where id = ${viewer.accountId} for no key update`.execute(tx.db)
    if ((await findHindrance(tx, viewer.accountId)) !== null) {
      throw tooMany('archive_once_a_week')
    }
    return insertArchive(tx, viewer.accountId)
  })
}

/** Has an archive made for somebody, however lately there was one. They are written to when it is there. */
export async function requestArchiveByStaff(ctx: Ctx, staff: Staff, user: LocalUser): Promise<BackupId> {
  const { accountId, username } = user
  return ctx.transaction(async (tx) => {
    await recordAction(tx, staff, {
      action: 'request_archive',
      targetType: 'account',
      targetId: accountId,
      label: username,
    })
    return insertArchive(tx, accountId)
  })
}

async function insertArchive(tx: Tx, accountId: AccountId): Promise<BackupId> {
  const id = tx.newId<BackupId>()
  await sql`
    insert into backups (id, account_id, created_at)
    values (${id}, ${accountId}, ${new Date(tx.clock.now())})`.execute(tx.db)
  await tx.emit({ type: 'archive-export.requested', backupId: id })
  return id
}

/** When the account may ask for the next archive; null: now. */
export async function findHindrance(reader: Reader, accountId: AccountId): Promise<Date | null> {
  const since = new Date(reader.clock.now() - pause)
  const { rows } = await sql<{ created_at: Date }>`
    select created_at from backups
    where account_id = ${accountId} and state <> 'failed' and created_at > ${since}
    order by id desc limit 1`.execute(reader.db)
  return rows[0] ? new Date(rows[0].created_at.getTime() + pause) : null
}

/** The person's latest archives, newest first. */
export async function listArchives(reader: Reader, accountId: AccountId): Promise<BackupRow[]> {
  const { rows } = await sql<BackupRow>`
    select ${columns} from backups where account_id = ${accountId} order by id desc limit ${maxShown}`.execute(
    reader.db,
  )
  return rows
}

/** One's own archive, however far it is; null for others. */
export async function findArchive(
  reader: Reader,
  accountId: AccountId,
  id: BackupId,
): Promise<BackupRow | null> {
  const { rows } = await sql<BackupRow>`
    select ${columns} from backups where id = ${id} and account_id = ${accountId}`.execute(reader.db)
  return rows[0] ?? null
}

/** One's own archive as long as it can be downloaded; null for others, unfinished and expired ones. */
export async function findDownload(
  reader: Reader,
  viewer: Viewer,
  id: BackupId,
): Promise<(BackupRow & { file_key: string }) | null> {
  const { rows } = await sql<BackupRow & { file_key: string }>`
    select ${columns} from backups
    where id = ${id} and account_id = ${viewer.accountId} and file_key is not null
      and (expires_at is null or expires_at > ${new Date(reader.clock.now())})`.execute(reader.db)
  return rows[0] ?? null
}

/** Whether there is still a finished archive to write to its owner about. */
export async function hasDownload(reader: Reader, id: BackupId): Promise<boolean> {
  const { rows } = await sql`select 1 from backups where id = ${id} and file_key is not null`.execute(
    reader.db,
  )
  return rows.length > 0
}

const batch = 100

/** Deletes the files of expired archives, and forgets archives of which nobody needs to be told any more. Returns how many expired. */
export async function purgeArchives(ctx: Ctx): Promise<number> {
  let gone = 0
  for (let count = batch; count === batch; gone += count) count = await ctx.transaction(expire)
  await sql`
    delete from backups where created_at < ${new Date(ctx.clock.now() - told)} and file_key is null
      and state in ('finished', 'failed')`.execute(ctx.db)
  return gone
}

async function expire(tx: Tx): Promise<number> {
  const { rows } = await sql<{ file_key: string }>`
    with due as (
      select id, file_key from backups where file_key is not null and expires_at <= ${new Date(tx.clock.now())}
      order by expires_at limit ${batch} for update)
    update backups b set file_key = null from due where b.id = due.id returning due.file_key`.execute(tx.db)
  await abandonFiles(
    tx,
    rows.map((row) => row.file_key),
  )
  return rows.length
}
