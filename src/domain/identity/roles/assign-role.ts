import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { assertOutranks, type ActingStaff } from '#domain/identity/accounts/staff.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { getRole } from './queries.ts'
import { assertMayGive, isEveryone } from './rules.ts'
import type { AccountId, RoleId, UserId } from '#lib/id.ts'

/**
 * Gives a person of this server a role, or takes theirs (null). Staff do so to those below them, never to themselves,
 * and only with roles below their own that allow nothing that they may not. What is shown of the account changes with
 * it. Throws `not_found`, `forbidden` and `invalid`.
 */
export async function assignRole(
  ctx: Ctx,
  staff: ActingStaff,
  accountId: AccountId,
  roleId: RoleId | null,
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ user_id: UserId; username: string }>`
      select u.id as user_id, a.username from users u join accounts a on a.id = u.account_id
      where a.id = ${accountId} and a.deleted_at is null for update of u`.execute(tx.db)
    const person = rows[0]
    if (!person) throw notFound()
    await assertOutranks(tx, staff, accountId)
    const role = roleId === null ? null : await getRole(tx, roleId, true)
    if (role && isEveryone(role)) throw invalid('base', 'role_of_everyone')
    if (role) assertMayGive(staff, role)
    await sql`update users set role_id = ${roleId}::bigint where id = ${person.user_id}`.execute(tx.db)
    await sql`
      update accounts set version = version + 1, updated_at = ${new Date(tx.clock.now())}
      where id = ${accountId}`.execute(tx.db)
    await recordAction(tx, staff, {
      action: 'change_role',
      targetType: 'user',
      targetId: person.user_id,
      label: person.username,
      details: { role: role?.name ?? null },
    })
    await tx.emit({ type: 'account.limits-changed', accountId })
  })
}
