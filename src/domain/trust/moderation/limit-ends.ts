// Limits that end by themselves (an extension): when.
import { sql } from 'kysely'
import type { Reader, Tx } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'

/** When a limit of a locked account ends; null: not by itself. */
export async function setLimitEnd(
  tx: Tx,
  accountId: AccountId,
  kind: string,
  endsAt: Date | null,
): Promise<void> {
  if (endsAt === null) {
    await sql`
      delete from account_limit_ends where account_id = ${accountId} and limit_kind = ${kind}`.execute(tx.db)
    return
  }
  await sql`
    insert into account_limit_ends (account_id, limit_kind, ends_at) values (${accountId}, ${kind}, ${endsAt})
    on conflict (account_id, limit_kind) do update set ends_at = excluded.ends_at`.execute(tx.db)
}

/** Which limits of an account end by themselves, and when. */
export async function listLimitEnds(
  reader: Reader,
  accountId: AccountId,
): Promise<{ limitKind: string; endsAt: Date }[]> {
  const { rows } = await sql<{ limitKind: string; endsAt: Date }>`
    select limit_kind as "limitKind", ends_at as "endsAt" from account_limit_ends
    where account_id = ${accountId}`.execute(reader.db)
  return rows
}
