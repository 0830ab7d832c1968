// A handle of another server that WebFinger gives to another actor now. Who had it keeps what was theirs, without it.
import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import { formatAcct } from '#lib/acct.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import type { AccountId } from '#lib/id.ts'

export interface Holder {
  id: AccountId
  username: string
  domain: string
}

/**
 * Takes the handle from who has it: the name gets the account's id behind it, which nobody else has, and the page is no
 * longer theirs. The row is locked. Emits `account.renamed`.
 */
export async function releaseHandle(tx: Tx, { id, username }: Holder): Promise<void> {
  await sql`
    update accounts set username = ${`${username}.${id}`}, url = uri, version = version + 1,
      updated_at = ${new Date(tx.clock.now())}
    where id = ${id}`.execute(tx.db)
  await tx.emit({ type: 'account.renamed', accountId: id })
}

interface Inherited {
  suspended: boolean
  silenced: boolean
  sensitized: boolean
}

/**
 * What staff decided about the account that had a handle holds for the one that has it now: a new id is no way out of a
 * suspension. What its own server decided does not. Emits `account.handle-passed`, and what a suspension emits.
 */
export async function passHandle(tx: Tx, from: Holder, to: AccountId): Promise<void> {
  const limits = await copyLimits(tx, from.id, to)
  await tx.emit({ type: 'account.handle-passed', accountId: from.id, targetAccountId: to })
  if (!limits) return
  await recordAction(tx, 'server', {
    action: 'inherit_limits',
    targetType: 'account',
    targetId: to,
    label: formatAcct(from.username, from.domain),
    details: { from: from.id, ...limits },
  })
  await tx.emit({ type: limits.suspended ? 'account.suspended' : 'account.limits-changed', accountId: to })
}

/** What carries the time of a block of a server is of that block, and ends with it. */
const isStaffs = (column: string) =>
  sql`not exists (select 1 from domain_blocks d where d.created_at = accounts.${sql.ref(column)} offset 0)`

/** Null: there are none. A deleted account was suspended before its end only where staff had done so. */
async function copyLimits(tx: Tx, from: AccountId, to: AccountId): Promise<Inherited | null> {
  const { rows } = await sql<Inherited>`
    with before as (
      select sensitized_at, case when ${isStaffs('silenced_at')} then silenced_at end as silenced_at,
        case when ${isStaffs('suspended_at')} and not suspended_by_origin
          and (deleted_at is null or suspended_at < deleted_at) then suspended_at end as suspended_at
      from accounts where id = ${from})
    update accounts a set
      suspended_at = coalesce(b.suspended_at, a.suspended_at),
      suspended_by_origin = a.suspended_by_origin and b.suspended_at is null,
      silenced_at = coalesce(a.silenced_at, b.silenced_at),
      sensitized_at = coalesce(a.sensitized_at, b.sensitized_at),
      version = a.version + 1, updated_at = ${new Date(tx.clock.now())}
    from before b
    where a.id = ${to} and (b.suspended_at is not null or b.silenced_at is not null or b.sensitized_at is not null)
    returning b.suspended_at is not null as suspended, b.silenced_at is not null as silenced,
      b.sensitized_at is not null as sensitized`.execute(tx.db)
  if (!rows[0]) return null
  await sql`
    insert into account_limit_ends (account_id, limit_kind, ends_at)
    select ${to}, limit_kind, ends_at from account_limit_ends where account_id = ${from}
    on conflict (account_id, limit_kind) do nothing`.execute(tx.db)
  return rows[0]
}
