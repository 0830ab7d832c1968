// Accounts of other servers that nothing here has to do with: met once, and never heard of again.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { timeToId } from '#lib/ids.ts'
import { automatedTypes } from '#domain/identity/accounts/profile/automated.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { abandonFiles } from '#domain/content/media/files.ts'
import type { AccountFiles } from '#domain/identity/accounts/profile/account-files.ts'
import type { AccountId, IdCursor } from '#lib/id.ts'

const batch = 200
/** Whoever was met within this time may be about to be followed: milliseconds. */
const recent = 86_400_000

/** What every account has, or has by itself: it is no reason to keep one. All other rows that name an account are. */
export const ownParts: readonly string[] = [
  'account_stats.account_id',
  'featured_tags.account_id',
  'popular_accounts.account_id',
  'remote_keys.account_id',
]

export interface PruneOptions {
  dryRun?: boolean
  /** Called with how many accounts were looked at. */
  onDone?: (count: number) => void
}

/**
 * Removes accounts of other servers of which no status, follow, favourite, mention, block, report or anything else is
 * here. Bots, those under moderation and those met within a day stay. They leave no trace. Returns how many went.
 */
export async function pruneAccounts(ctx: Ctx, staff: Staff, options: PruneOptions = {}): Promise<number> {
  const { dryRun = false, onDone = () => {} } = options
  const unused = await unusedBy(ctx)
  let pruned = 0
  try {
    for await (const ids of listCandidates(ctx)) {
      pruned += dryRun ? (await filterUnused(ctx, ids, unused)).length : await remove(ctx, ids, unused)
      onDone(ids.length)
    }
  } finally {
    if (!dryRun && pruned > 0) await record(ctx, staff, pruned)
  }
  return pruned
}

async function record(ctx: Ctx, staff: Staff, removed: number): Promise<void> {
  await ctx.transaction((tx) =>
    recordAction(tx, staff, { action: 'prune', targetType: 'account', details: { removed } }),
  )
}

/** No row that refers to `accounts a` by a foreign key: of whatever tables there are, so that none is forgotten. */
async function unusedBy(reader: Reader): Promise<RawBuilder<boolean>> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.conrelid::regclass::text as table, k.attname as column
    from pg_constraint c join pg_attribute k on k.attrelid = c.conrelid and k.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass order by 1, 2`.execute(reader.db)
  const reasons = rows.filter(({ table, column }) => !ownParts.includes(`${table}.${column}`))
  const conditions = reasons.map(
    ({ table, column }) =>
      sql`not exists (select 1 from ${sql.table(table)} t where t.${sql.ref(column)} = a.id offset 0)`,
  )
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** How many accounts `pruneAccounts` would look at. */
export async function countPrunable(reader: Reader): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from accounts a where ${isCandidate(reader)}`.execute(reader.db)
  return rows[0]?.count ?? 0
}

const isCandidate = (reader: Reader) => sql<boolean>`
  a.domain is not null and a.deleted_at is null and a.silenced_at is null and a.suspended_at is null
  and a.sensitized_at is null and a.actor_type <> all(${automatedTypes}::text[])
  and a.id < ${timeToId(reader.clock.now() - recent)}`

async function* listCandidates(ctx: Ctx): AsyncGenerator<AccountId[]> {
  for (let after: IdCursor = '0'; ;) {
    const { rows } = await sql<{ id: AccountId }>`
      select a.id from accounts a where a.id > ${after} and ${isCandidate(ctx)}
      order by a.id limit ${batch}`.execute(ctx.db)
    if (rows.length > 0) yield rows.map((row) => row.id)
    if (rows.length < batch) return
    after = rows.at(-1)?.id ?? after
  }
}

async function filterUnused(
  reader: Reader,
  ids: readonly AccountId[],
  unused: RawBuilder<boolean>,
): Promise<AccountId[]> {
  const { rows } = await sql<{ id: AccountId }>`
    select a.id from accounts a where a.id = any(${ids}::bigint[]) and ${unused}`.execute(reader.db)
  return rows.map((row) => row.id)
}

/** Rows are locked by a statement of their own: who begins to refer to one of them meanwhile has to wait, or is seen. */
function remove(ctx: Ctx, ids: readonly AccountId[], unused: RawBuilder<boolean>): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ id: AccountId }>`
      select a.id from accounts a where a.id = any(${ids}::bigint[]) and ${unused}
      order by a.id for update skip locked`.execute(tx.db)
    const locked = rows.map((row) => row.id)
    return deleteRows(tx, await filterUnused(tx, locked, unused))
  })
}

async function deleteRows(tx: Tx, ids: readonly AccountId[]): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await sql<AccountFiles>`
    delete from accounts where id = any(${ids}::bigint[]) and domain is not null
    returning avatar_key, avatar_static_key, header_key, header_static_key`.execute(tx.db)
  await abandonFiles(
    tx,
    rows.flatMap((row) => Object.values(row)),
  )
  return rows.length
}
