// Second factors, passkeys, links in mails and what else is sealed or signed hang on one key: another one is noticed.
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'

const name = 'secret_key_base'

/** What tells one key from another, and nothing else of it. */
const fingerprintOf = ({ secrets }: Ctx) =>
  createHmac('sha256', secrets.secretKeyBase).update('fingerprint').digest('base64url')

/** Whether the server was last started with another key than this process has. */
export async function hasOtherKey(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql`
    select 1 from secrets where name = ${name} and value <> ${fingerprintOf(ctx)}`.execute(ctx.db)
  return rows.length > 0
}

/** Writes down with which key the server starts, and returns whether it was another one before. */
export async function claimKey(ctx: Ctx): Promise<boolean> {
  const isOther = await hasOtherKey(ctx)
  await sql`
    insert into secrets (name, value) values (${name}, ${fingerprintOf(ctx)})
    on conflict (name) do update set value = excluded.value where secrets.value <> excluded.value`.execute(
    ctx.db,
  )
  return isOther
}
