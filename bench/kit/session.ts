// Somebody who is signed in in a browser.
import { hashSecret } from '#lib/secrets.ts'
import { withClient } from './database.ts'

export const sessionName = 'stonechat_session'
export const sessionSecret = 'bench-session-of-person-0'.padEnd(43, '0')
export const benchCookie = `${sessionName}=${sessionSecret}`

/** Signs in the first of the people who were seeded. */
export async function signIn(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, (client) =>
    client.query(
      `insert into sessions (id, token_hash, user_id, expires_at)
       select 1, $1, id, now() + interval '1 day' from users order by id limit 1`,
      [hashSecret(sessionSecret)],
    ),
  )
}
