// From where people came is known for as long as the operator wants.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { purgeSignIns } from './sign-ins.ts'

const day = 86_400_000
const batch = 500

/**
 * Forgets from which addresses people signed up and in, after the days that `ip_retention_period` says. Returns how many
 * went.
 */
export async function forgetAddresses(ctx: Ctx): Promise<number> {
  const { ip_retention_period: days } = await getSettings(ctx)
  if (days === null) return 0
  const before = new Date(ctx.clock.now() - days * day)
  return (
    (await untilNone(() => forgetSignUps(ctx, before))) +
    (await untilNone(() => forgetSessions(ctx, before))) +
    (await purgeSignIns(ctx, before))
  )
}

async function untilNone(some: () => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const count = await some()
    total += count
    if (count < batch) return total
  }
}

async function forgetSignUps(reader: Reader, before: Date): Promise<number> {
  const { rows } = await sql`
    update users set sign_up_ip = null where id in (
      select id from users where sign_up_ip is not null and created_at < ${before}
      order by created_at limit ${batch})
    returning 1 as gone`.execute(reader.db)
  return rows.length
}

/** They go on without. */
async function forgetSessions(reader: Reader, before: Date): Promise<number> {
  const { rows } = await sql`
    update sessions set ip = null where id in (
      select id from sessions where ip is not null and created_at < ${before} order by created_at limit ${batch})
    returning 1 as gone`.execute(reader.db)
  return rows.length
}
