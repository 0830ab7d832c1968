import { sql, type Selectable } from 'kysely'
import type { UsersTable } from '#db/schema/accounts.ts'
import type { Reader } from '#ports/ctx.ts'
import { hasFactor } from '#domain/identity/two-factor/factor-state.ts'
import type { AccountId, RoleId, UserId } from '#lib/id.ts'

/** How somebody of this server came, and how they sign in. */
export interface LoginFacts extends Pick<Selectable<UsersTable>, 'unconfirmed_email' | 'created_at'> {
  user_id: UserId
  role_id: RoleId | null
  last_active_at: Date | null
  /** The app by which they signed up; null: this server's own page. */
  application: string | null
  /** The name of whoever invited them. */
  inviter: string | null
  has_factor: boolean
  /** When the data of a suspended account goes. */
  deletion_due_at: Date | null
}

/** Returns null for accounts of other servers, and for those that are gone. */
export async function findLoginFacts(reader: Reader, accountId: AccountId): Promise<LoginFacts | null> {
  const { rows } = await sql<LoginFacts>`
    select u.id as user_id, u.role_id, u.unconfirmed_email, u.created_at, u.last_active_at, p.name as application,
      i.username as inviter, ${hasFactor('u')} as has_factor, a.deletion_due_at
    from users u join accounts a on a.id = u.account_id
    left join applications p on p.id = u.created_by_application_id
    left join invites v on v.id = u.invite_id left join accounts i on i.id = v.account_id
    where u.account_id = ${accountId} and a.deleted_at is null`.execute(reader.db)
  return rows[0] ?? null
}
