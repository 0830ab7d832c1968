// Which accounts are there for others.
import { sql, type RawBuilder } from 'kysely'

/**
 * The condition on `accounts` under the name `alias`: deleted accounts, and users who are unconfirmed or wait for approval,
 * are not there for others.
 */
export function presentAccount(alias: string): RawBuilder<boolean> {
  const a = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`(${a('deleted_at')} is null and (${a('domain')} is not null or exists (
    select 1 from users pu where pu.account_id = ${a('id')} and pu.confirmed_at is not null and pu.approved offset 0)))`
}
