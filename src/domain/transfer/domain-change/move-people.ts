// The moves of all people of this server to accounts of the same names on another one.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { isAppError } from '#lib/errors.ts'
import type { AccountId } from '#lib/id.ts'
import type { LocalUser } from '#domain/identity/accounts/local-user.ts'
import type { Staff } from '#domain/server/audit/record.ts'
import { moveAccountByStaff } from '#domain/federation/moves/move-account.ts'

export interface MovedPeople {
  moved: number
  /** Why some stay, by name. */
  refused: { username: string; reason: string }[]
}

const batch = 100

/** Moves everybody who has not moved yet, with their followers. Idempotent. `onDone` is called for each. */
export async function movePeople(
  ctx: Ctx,
  staff: Staff,
  domain: string,
  onDone: () => void = () => {},
): Promise<MovedPeople> {
  const result: MovedPeople = { moved: 0, refused: [] }
  for (let after: AccountId | null = null; ;) {
    const users: LocalUser[] = await nextUsers(ctx, after)
    for (const user of users) {
      const reason = await movePerson(ctx, staff, user, domain)
      if (reason === null) result.moved += 1
      else result.refused.push({ username: user.username, reason })
      onDone()
    }
    if (users.length < batch) return result
    after = users.at(-1)?.accountId ?? null
  }
}

async function nextUsers(ctx: Ctx, after: AccountId | null): Promise<LocalUser[]> {
  const { rows } = await sql<LocalUser>`
    select u.id as "userId", a.id as "accountId", a.username
    from users u join accounts a on a.id = u.account_id
    where u.confirmed_at is not null and u.approved and a.suspended_at is null and a.deleted_at is null
      and a.moved_to_account_id is null and (${after}::bigint is null or a.id > ${after})
    order by a.id limit ${batch}`.execute(ctx.db)
  return rows
}

/** Returns why not, or null. */
async function movePerson(ctx: Ctx, staff: Staff, user: LocalUser, domain: string): Promise<string | null> {
  try {
    await moveAccountByStaff(ctx, staff, user, { acct: `${user.username}@${domain}`, force: false })
    return null
  } catch (error) {
    if (isAppError(error)) return error.message
    throw error
  }
}
