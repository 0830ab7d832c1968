// Copies of the avatars and headers of other servers' accounts, removed where they are old.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { abandonFiles } from './files.ts'
import type { AccountId, IdCursor } from '#lib/id.ts'

const day = 86_400_000
const batch = 200

export interface ImageChoice {
  /** Of accounts that were not read for so long, in days. */
  days: number
  /** Avatars stay. */
  onlyHeaders?: boolean
  /** Also of accounts that somebody here follows, or that follow somebody here. */
  includeFollows?: boolean
  dryRun?: boolean
  /** Called with how many accounts were looked at. */
  onDone?: (count: number) => void
}

export interface PicturesRemoved {
  accounts: number
  files: number
}

const keys = ['avatar_key', 'avatar_static_key', 'header_key', 'header_static_key'] as const

/**
 * Removes copies of the pictures of accounts of other servers. They come back when the account is next read: a day after
 * somebody meets it again.
 */
export async function removeProfileImages(ctx: Ctx, choice: ImageChoice): Promise<PicturesRemoved> {
  const total: PicturesRemoved = { accounts: 0, files: 0 }
  for (let after: IdCursor = '0'; ;) {
    const ids = await listOld(ctx, after, choice)
    const files = choice.dryRun ? await countFiles(ctx, ids, choice) : await removeFiles(ctx, ids, choice)
    total.accounts += ids.length
    total.files += files
    choice.onDone?.(ids.length)
    if (ids.length < batch) return total
    after = ids.at(-1) ?? after
  }
}

async function listOld(reader: Reader, after: IdCursor, choice: ImageChoice): Promise<AccountId[]> {
  const { days, onlyHeaders = false, includeFollows = false } = choice
  const before = new Date(reader.clock.now() - days * day)
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a
    where a.id > ${after} and a.domain is not null and a.deleted_at is null
      and (a.header_key is not null or (${!onlyHeaders} and a.avatar_key is not null))
      and (a.fetched_at is null or a.fetched_at < ${before}) and a.updated_at < ${before}
      and (${includeFollows} or not exists (select 1 from follows f where f.account_id = a.id offset 0))
      and (${includeFollows} or not exists (select 1 from follows f where f.target_account_id = a.id offset 0))
    order by a.id limit ${batch}`.execute(reader.db)
  return rows.map((row) => row.id)
}

const chosen = ({ onlyHeaders = false }: ImageChoice) => (onlyHeaders ? keys.slice(2) : keys)

async function countFiles(reader: Reader, ids: readonly AccountId[], choice: ImageChoice): Promise<number> {
  const columns = chosen(choice).map((key) => sql.ref(key))
  const { rows } = await sql<{ files: number }>`
    select count(distinct k.key)::int as files from accounts, unnest(array[${sql.join(columns)}]) k (key)
    where id = any(${ids}::bigint[])`.execute(reader.db)
  return rows[0]?.files ?? 0
}

/** What is not there is fetched when the account is read again. */
function removeFiles(ctx: Ctx, ids: readonly AccountId[], choice: ImageChoice): Promise<number> {
  const columns = chosen(choice)
  const before = columns.map((key) => sql.ref(`b.${key}`))
  const changes = columns.map((key) => sql`${sql.ref(key)} = null`)
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ files: (string | null)[] }>`
      with before as (
        select id, ${sql.join(columns.map((key) => sql.ref(key)))} from accounts
        where id = any(${ids}::bigint[]) order by id for no key update)
      update accounts a set ${sql.join(changes)}, version = a.version + 1
      from before b where a.id = b.id returning array[${sql.join(before)}] as files`.execute(tx.db)
    const files = new Set(rows.flatMap((row) => row.files).filter((key) => key !== null))
    await abandonFiles(tx, [...files])
    return files.size
  })
}
