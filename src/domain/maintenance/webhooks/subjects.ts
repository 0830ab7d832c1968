// Whether something is what webhooks are told of.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { AccountId, StatusId, UserId } from '#lib/id.ts'

/** Whether a status is one of this server's and still there. */
export async function isOwnStatus(reader: Reader, id: StatusId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from statuses where id = ${id} and local and deleted_at is null`.execute(reader.db)
  return rows.length > 0
}

/** The account of a user who can use it: confirmed and let in. `created`: whether they can or not. */
export async function findUserAccount(
  reader: Reader,
  userId: UserId,
  { created }: { created: boolean },
): Promise<AccountId | null> {
  const { rows } = await sql<{ account_id: AccountId }>`
    select account_id from users
    where id = ${userId} and (${created} or (confirmed_at is not null and approved))`.execute(reader.db)
  return rows[0]?.account_id ?? null
}

/** Whether an account is one of this server's. */
export async function isOwnAccount(reader: Reader, id: AccountId): Promise<boolean> {
  const { rows } = await sql`
    select 1 from accounts where id = ${id} and domain is null and deleted_at is null`.execute(reader.db)
  return rows.length > 0
}
