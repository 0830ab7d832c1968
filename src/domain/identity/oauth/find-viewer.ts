import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { toViewer, viewerColumns, type ViewerRow } from './find-caller.ts'
import type { AccountId } from '#lib/id.ts'

/**
 * The person behind a local account, for what is done on their behalf without a request of theirs. Null when there is
 * no such login any more. Whether it may act now is for the caller to look at: see `refusal`.
 */
export async function findViewer(reader: Reader, accountId: AccountId): Promise<Viewer | null> {
  const { rows } = await sql<ViewerRow>`
    select ${viewerColumns({ user: 'u', account: 'a', role: 'r' })}
    from users u
    join accounts a on a.id = u.account_id
    left join roles r on r.id = u.role_id
    where u.account_id = ${accountId} and a.deleted_at is null`.execute(reader.db)
  return rows[0] ? toViewer(rows[0]) : null
}
