// Leaving for another account: with the followers, or with a sign on the door alone
// (https://docs.joinmastodon.org/user/moving/).
import { sql, type Selectable } from 'kysely'
import type { AccountMigrationsTable } from '#db/schema/federation.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import { formatAcct } from '#lib/acct.ts'
import { assertPassword } from '#domain/identity/accounts/registration/reset-password.ts'
import { invalid, unprocessable } from '#lib/errors.ts'
import type { LocalUser } from '#domain/identity/accounts/local-user.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { actorUri } from '#domain/server/instance/urls.ts'
import { findEndpoint, type Endpoint } from './aliases.ts'
import type { AccountId } from '#lib/id.ts'

/** Between two moves of one account, in milliseconds. */
const moveCooldown = 30 * 86_400_000

export type MigrationRow = Pick<
  Selectable<AccountMigrationsTable>,
  'id' | 'acct' | 'followers_count' | 'created_at'
>

export interface MoveInput {
  /** The handle of the account to move to. */
  acct: string
  password: string
}

export async function listMigrations(reader: Reader, accountId: AccountId): Promise<MigrationRow[]> {
  const { rows } = await sql<MigrationRow>`
    select id, acct, followers_count, created_at from account_migrations
    where account_id = ${accountId} order by id desc limit 20`.execute(reader.db)
  return rows
}

/**
 * Moves the viewer's account: its followers are asked to follow the other one, which must name this one as an alias.
 * Throws `invalid` for a wrong password, an account that is not found or does not agree, and within 30 days of the
 * last move.
 */
export async function moveAccount(ctx: Ctx, viewer: Viewer, input: MoveInput): Promise<void> {
  const target = await findTarget(ctx, viewer, input)
  assertConsent(ctx, viewer, target)
  await ctx.transaction(async (tx) => {
    await assertRested(tx, viewer.accountId)
    await move(tx, viewer.accountId, target)
  })
}

/** `moveAccount` by staff, for whoever has the account. `force`: also within 30 days of the last move. */
export async function moveAccountByStaff(
  ctx: Ctx,
  staff: Staff,
  user: LocalUser,
  { acct, force }: { acct: string; force: boolean },
): Promise<void> {
  const target = await findOther(ctx, user.accountId, acct)
  assertConsent(ctx, user, target)
  await ctx.transaction(async (tx) => {
    if (!force) await assertRested(tx, user.accountId)
    await move(tx, user.accountId, target)
    await recordAction(tx, staff, {
      action: 'migrate',
      targetType: 'account',
      targetId: user.accountId,
      label: user.username,
      details: { to: target.acct },
    })
  })
}

/**
 * Tells everybody once more that an account moved, where some did not hear of it. Returns where to. Throws `invalid`
 * when it has not moved, or points elsewhere by now.
 */
export async function repeatMove(ctx: Ctx, staff: Staff, user: LocalUser): Promise<string> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<{ acct: string; target_account_id: AccountId }>`
      select m.acct, m.target_account_id from account_migrations m join accounts a on a.id = m.account_id
      where m.account_id = ${user.accountId} and m.target_account_id = a.moved_to_account_id
      order by m.id desc limit 1`.execute(tx.db)
    const last = rows[0]
    if (!last) throw unprocessable('not_moved', { handle: user.username })
    const { accountId, username } = user
    await tx.emit({ type: 'account.moved', accountId, targetAccountId: last.target_account_id })
    await recordAction(tx, staff, {
      action: 'replay_migration',
      targetType: 'account',
      targetId: accountId,
      label: username,
      details: { to: last.acct },
    })
    return last.acct
  })
}

function assertConsent(ctx: Ctx, { username }: { username: string }, target: Endpoint): void {
  if (!target.aliases.includes(actorUri(ctx.config, username))) throw invalid('base', 'alias_missing')
}

async function move(tx: Tx, accountId: AccountId, target: Endpoint): Promise<void> {
  await sql`
    insert into account_migrations (id, account_id, acct, target_account_id, followers_count, created_at)
    select ${tx.newId()}, ${accountId}, ${target.acct}, ${target.id}, coalesce(max(followers_count), 0),
      ${new Date(tx.clock.now())}
    from account_stats where account_id = ${accountId}`.execute(tx.db)
  await pointTo(tx, accountId, target.id)
  await tx.emit({ type: 'account.moved', accountId, targetAccountId: target.id })
}

/** Shows where the viewer is to be found now; followers stay. Throws as `moveAccount`, but asks no consent. */
export async function redirectAccount(ctx: Ctx, viewer: Viewer, input: MoveInput): Promise<void> {
  const target = await findTarget(ctx, viewer, input)
  await ctx.transaction((tx) => pointTo(tx, viewer.accountId, target.id))
}

/** Takes the sign down: the account can be used again. */
export async function cancelRedirect(ctx: Ctx, viewer: Viewer): Promise<void> {
  await ctx.transaction((tx) => pointTo(tx, viewer.accountId, null))
}

async function findTarget(ctx: Ctx, viewer: Viewer, input: MoveInput): Promise<Endpoint> {
  await assertPassword(ctx, viewer.userId, input.password)
  return findOther(ctx, viewer.accountId, input.acct)
}

async function findOther(ctx: Ctx, accountId: AccountId, acct: string): Promise<Endpoint> {
  const target = await findEndpoint(ctx, accountId, acct)
  if (!target || target.suspended || target.id === accountId) throw invalid('base', 'account_not_found')
  if (target.moved) throw invalid('base', 'target_has_moved')
  return target
}

/** The account's row is locked: of two moves at once one comes too soon. */
async function assertRested(tx: Tx, accountId: AccountId): Promise<void> {
  await sql`select 1 from accounts where id = ${accountId} for no key update`.execute(tx.db)
  const since = new Date(tx.clock.now() - moveCooldown)
  const { rows } = await sql`
    select 1 from account_migrations where account_id = ${accountId} and created_at > ${since} limit 1`.execute(
    tx.db,
  )
  if (rows.length > 0) throw invalid('base', 'moved_recently')
}

async function pointTo(tx: Tx, accountId: AccountId, targetId: AccountId | null): Promise<void> {
  await sql`
    update accounts set moved_to_account_id = ${targetId}, version = version + 1,
      updated_at = ${new Date(tx.clock.now())}
    where id = ${accountId}`.execute(tx.db)
  await tx.emit({ type: 'account.updated', accountId })
}

/** The handle of the account to which this one points, or null. */
export async function findRedirect(reader: Reader, accountId: AccountId): Promise<string | null> {
  const { rows } = await sql<{ username: string; domain: string | null }>`
    select m.username, m.domain from accounts a join accounts m on m.id = a.moved_to_account_id
    where a.id = ${accountId}`.execute(reader.db)
  return rows[0] ? formatAcct(rows[0].username, rows[0].domain) : null
}
