import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { RepliesPolicy } from './rules.ts'
import type { AccountId, IdCursor, ListId } from '#lib/id.ts'

export interface ListFacts {
  id: ListId
  title: string
  replies_policy: RepliesPolicy
  exclusive: boolean
}

const columns = sql`l.id, l.title, l.replies_policy, l.exclusive`

/** The account's own list. Throws `not_found`, also for those of others. */
export async function getList(reader: Reader, accountId: AccountId, id: ListId): Promise<ListFacts> {
  const { rows } = await sql<ListFacts>`
    select ${columns} from lists l where l.id = ${id} and l.account_id = ${accountId}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}

/** All lists of an account, the oldest first. */
export async function listLists(reader: Reader, accountId: AccountId): Promise<ListFacts[]> {
  const { rows } = await sql<ListFacts>`
    select ${columns} from lists l where l.account_id = ${accountId} order by l.id`.execute(reader.db)
  return rows
}

/** The account's lists that have `memberId`, the oldest first. */
export async function listListsWith(
  reader: Reader,
  accountId: AccountId,
  memberId: AccountId,
): Promise<ListFacts[]> {
  const { rows } = await sql<ListFacts>`
    select ${columns} from list_accounts la join lists l on l.id = la.list_id
    where la.account_id = ${memberId} and la.owner_id = ${accountId} order by l.id`.execute(reader.db)
  return rows
}

/**
 * Members of a list of the account's, those added last first; without a page all of them. Suspended ones are left
 * out. The cursors are ids of the join record. Throws `not_found`.
 */
export async function listMembers(
  reader: Reader,
  owner: { accountId: AccountId; listId: ListId },
  page: PageRequest | null,
): Promise<Page<AccountId>> {
  await getList(reader, owner.accountId, owner.listId)
  const part =
    page === null
      ? sql`true order by la.id desc`
      : sql`${inPage('la.id', page)} ${orderAndLimit('la.id', page)}`
  const { rows } = await sql<{ cursor: IdCursor; id: AccountId }>`
    select la.id as cursor, a.id from list_accounts la join accounts a on a.id = la.account_id
    where la.list_id = ${owner.listId} and a.suspended_at is null and a.deleted_at is null and ${part}`.execute(
    reader.db,
  )
  if (page === null) return { items: rows.map((row) => row.id), newest: null, oldest: null, full: false }
  const found = toPage(rows, page, (row) => row.cursor)
  return { ...found, items: found.items.map((row) => row.id) }
}
