import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'

/** What mails say of a user. */
export interface MailFacts {
  username: string
  locale: string
  email: string
  confirmed: boolean
  approved: boolean
  reason: string | null
}

/** Null when the user is gone. */
export async function findMailFacts(reader: Reader, userId: Id): Promise<MailFacts | null> {
  const { rows } = await sql<MailFacts>`
    select a.username, u.locale, u.email, u.confirmed_at is not null as confirmed, u.approved,
      u.sign_up_reason as reason
    from users u join accounts a on a.id = u.account_id where u.id = ${userId}`.execute(reader.db)
  return rows[0] ?? null
}
