// Registrations are not left open where nobody looks after them.
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { readSettings, type Settings } from '#domain/server/instance/settings.ts'
import { functionalUser } from '../mail-facts.ts'
import { bitsAllowing } from '../permissions.ts'
import type { UserId } from '#lib/id.ts'

const week = 7 * 86_400_000
/** Who lets people in. */
const letsPeopleIn = bitsAllowing('manage_users')
/** Who decides whether it is open. */
const decides = bitsAllowing('manage_settings')

/**
 * Has open registrations want approval when all who could look after new people were away for a week, and tells staff.
 * A server that has nobody for that is left alone: whoever runs it does so from the command line. Returns whether it did.
 */
export async function requireApprovalWithoutStaff(ctx: Ctx): Promise<boolean> {
  if (!isConcerned(await readSettings(ctx))) return false
  return ctx.transaction(async (tx) => {
    if (!(await areAllAway(tx))) return false
    const now = new Date(tx.clock.now())
    const { rows } = await sql`
      insert into settings (key, value, updated_at) values ('registrations_mode', '"approved"'::jsonb, ${now})
      on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
        where settings.value = '"open"'::jsonb
      returning key`.execute(tx.db)
    if (rows.length === 0) return false
    await recordAction(tx, 'server', {
      action: 'update',
      targetType: 'setting',
      label: 'registrations_mode',
      details: { from: 'open', to: 'approved', why: 'no staff was seen for a week' },
    })
    await notifyStaff(tx)
    return true
  })
}

function isConcerned(settings: Settings): boolean {
  return settings.registrations_need_staff && settings.registrations_mode === 'open'
}

/** Whoever is new counts as seen when they came. */
async function areAllAway(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ staff: number; seen: number }>`
    select count(*)::int as staff,
      (count(*) filter (where coalesce(u.last_active_at, u.created_at) > ${new Date(tx.clock.now() - week)}))::int as seen
    from users u join accounts a on a.id = u.account_id join roles r on r.id = u.role_id
    where r.permissions & ${letsPeopleIn} <> 0 and ${functionalUser('u', 'a')}`.execute(tx.db)
  const { staff = 0, seen = 0 } = rows[0] ?? {}
  return staff > 0 && seen === 0
}

async function notifyStaff(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: UserId; email: string }>`
    select u.id, u.email from users u join accounts a on a.id = u.account_id join roles r on r.id = u.role_id
    where r.permissions & ${letsPeopleIn | decides} <> 0 and ${functionalUser('u', 'a')}
    order by u.id limit 100`.execute(tx.db)
  for (const { id, email } of rows) {
    await tx.emit({ type: 'mail.requested', mail: { kind: 'approval-required', userId: id, to: email } })
  }
}
