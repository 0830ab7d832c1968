import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { ActingStaff } from '#domain/identity/accounts/staff.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { invalid } from '#lib/errors.ts'
import { getRole, type RoleRow } from './queries.ts'
import {
  assertBelow,
  assertEveryone,
  assertMayGrant,
  assertOwnRole,
  highestPosition,
  isEveryone,
  namePermissions,
  newRole,
  readRole,
  type RoleInput,
  type RoleValues,
} from './rules.ts'
import type { IdCursor, RoleId } from '#lib/id.ts'

/** Users whose role is taken in one transaction. */
const batch = 500

/** Makes a role below that of the staff, which allows nothing that they may not. Throws `invalid`. */
export async function createRole(ctx: Ctx, staff: ActingStaff, input: RoleInput): Promise<RoleId> {
  const values = readRole(input, newRole)
  assertOwnRole(values)
  assertMayGrant(staff, newRole, values)
  return ctx.transaction(async (tx) => {
    const id = tx.newId<RoleId>()
    const now = new Date(tx.clock.now())
    await sql`
      insert into roles (id, name, color, permissions, position, highlighted, require_2fa, collection_limit, created_at,
        updated_at)
      values (${id}, ${values.name}, ${values.color}, ${String(values.permissions)}, ${values.position},
        ${values.highlighted}, ${values.require_2fa}, ${values.collection_limit}, ${now}, ${now})`.execute(
      tx.db,
    )
    await recordRole(tx, staff, 'create', { ...values, id })
    return id
  })
}

/**
 * Changes a role below that of the staff. Nobody gives or takes permissions that they lack. Accounts that show it are
 * shown anew by event. Throws `not_found`, `forbidden` and `invalid`.
 */
export async function updateRole(ctx: Ctx, staff: ActingStaff, id: RoleId, input: RoleInput): Promise<void> {
  await ctx.transaction(async (tx) => {
    const role = await getRole(tx, id, true)
    assertBelow(staff, role)
    const before = toValues(role)
    const after = readRole(input, before)
    assertAllowed(role, before, after)
    assertMayGrant(staff, before, after)
    await sql`
      update roles set name = ${after.name}, color = ${after.color}, permissions = ${String(after.permissions)},
        position = ${after.position}, highlighted = ${after.highlighted}, require_2fa = ${after.require_2fa},
        collection_limit = ${after.collection_limit}, updated_at = ${new Date(tx.clock.now())}
      where id = ${id}`.execute(tx.db)
    await recordRole(tx, staff, 'update', { ...after, id })
    if (isShownOtherwise(before, after)) await tx.emit({ type: 'role.updated', roleId: id })
  })
}

const toValues = (role: RoleRow): RoleValues => ({ ...role, permissions: BigInt(role.permissions) })

function assertAllowed(role: RoleRow, before: RoleValues, after: RoleValues): void {
  if (isEveryone(role)) return assertEveryone(before, after)
  if (role.position <= highestPosition) return assertOwnRole(after)
  if (after.position !== before.position || after.permissions !== before.permissions)
    throw invalid('base', 'role_fixed')
}

const isShownOtherwise = (before: RoleValues, after: RoleValues) =>
  (before.highlighted || after.highlighted) &&
  (['name', 'color', 'highlighted'] as const).some((key) => before[key] !== after[key])

/**
 * Deletes a role below that of the staff; whoever had it has none. What it allows ends at once; those who have it lose
 * it in batches, so that it can be deleted again where that broke off. Throws `not_found`, `forbidden` and `invalid`.
 */
export async function deleteRole(ctx: Ctx, staff: ActingStaff, id: RoleId): Promise<void> {
  await ctx.transaction(async (tx) => {
    const role = await getRole(tx, id, true)
    assertBelow(staff, role)
    if (isEveryone(role) || role.position > highestPosition) throw invalid('base', 'role_undeletable')
    await sql`update roles set permissions = 0 where id = ${id}`.execute(tx.db)
    await recordRole(tx, staff, 'destroy', { ...toValues(role), id })
  })
  while ((await takeFromSome(ctx, id)) === batch);
  await ctx.transaction(async (tx) => {
    // Nobody is given it from here on.
    await sql`select 1 from roles where id = ${id} for update`.execute(tx.db)
    await takeRole(tx, id)
    await sql`delete from roles where id = ${id}`.execute(tx.db)
  })
}

const takeFromSome = (ctx: Ctx, id: RoleId) => ctx.transaction((tx) => takeRole(tx, id))

async function takeRole(tx: Tx, id: RoleId): Promise<number> {
  const { rows } = await sql`
    with taken as (
      update users set role_id = null where id in (select id from users where role_id = ${id} limit ${batch})
      returning account_id)
    update accounts set version = version + 1, updated_at = ${new Date(tx.clock.now())}
    where id in (select account_id from taken) returning id`.execute(tx.db)
  return rows.length
}

/** Has the accounts that show a role be shown anew, some at a time. */
export async function invalidateHolders(ctx: Ctx, roleId: RoleId): Promise<void> {
  for (let after: IdCursor | null = '0'; after !== null; after = await forgetSome(ctx, roleId, after));
}

/** Returns the last user whose account was one, or null when there are no more. */
async function forgetSome(ctx: Ctx, roleId: RoleId, after: IdCursor): Promise<IdCursor | null> {
  const { rows } = await sql<{ last: IdCursor | null; count: number }>`
    with holders as materialized (
      select id, account_id from users where role_id = ${roleId} and id > ${after} order by id limit ${batch}),
    changed as (
      update accounts set version = version + 1, updated_at = ${new Date(ctx.clock.now())}
      where id in (select account_id from holders))
    select max(id) as last, count(*)::int as count from holders`.execute(ctx.db)
  return rows[0]?.count === batch ? rows[0].last : null
}

function recordRole(tx: Tx, staff: ActingStaff, action: string, role: RoleValues & { id: RoleId }) {
  const { id, name, permissions, position, highlighted, require_2fa } = role
  const details = { permissions: namePermissions(permissions), position, highlighted, require_2fa }
  return recordAction(tx, staff, { action, targetType: 'user_role', targetId: id, label: name, details })
}
