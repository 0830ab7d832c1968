import { stringify } from 'csv-stringify/sync'
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { statusUri } from '#domain/server/instance/urls.ts'
import { muteHoldsSql } from '#domain/social/relationships/mute-policy.ts'
import { formatAcct } from '#lib/acct.ts'
import { headers, toCells, type PortableList, type PortableRow } from './csv-formats.ts'
import { noId, type AccountId, type IdCursor, type StatusId } from '#lib/id.ts'

/** Rows read at a time: so much is in memory, however long the list is. */
const batch = 1000

interface Row {
  cursor: IdCursor
  username: string | null
  domain: string | null
  show_reblogs?: boolean
  notify?: boolean
  languages?: string[] | null
  hide_notifications?: boolean
  title?: string
  uri?: string | null
  status_id?: StatusId
}

/** One of the person's lists as CSV, piece by piece. */
export async function* exportCsv(
  reader: Reader,
  accountId: AccountId,
  type: PortableList,
): AsyncGenerator<string, void> {
  const header = headers[type]
  if (header) yield stringify([header])
  for (let after = '0'; ;) {
    const { rows } = await sql<Row>`
      ${sources[type](accountId, after, new Date(reader.clock.now()))} order by cursor limit ${batch}`.execute(
      reader.db,
    )
    const last = rows.at(-1)
    if (!last) return
    yield stringify(rows.map((row) => toCells(type, toRow(reader, type, row), reader.config.localDomain)))
    if (rows.length < batch) return
    after = last.cursor
  }
}

function toRow({ config }: Reader, type: PortableList, row: Row): PortableRow {
  if (type === 'domain_blocking') return { domain: row.domain ?? '' }
  const username = row.username ?? ''
  if (type === 'bookmarks') return { uri: row.uri ?? statusUri(config, username, row.status_id ?? noId()) }
  return {
    acct: formatAcct(username, row.domain),
    showReblogs: row.show_reblogs ?? true,
    notify: row.notify ?? false,
    languages: row.languages ?? [],
    hideNotifications: row.hide_notifications ?? true,
    listTitle: row.title ?? '',
  }
}

/** Everything after a cursor, by ids of the join records. */
const sources: Readonly<
  Record<PortableList, (accountId: AccountId, after: IdCursor, now: Date) => RawBuilder<unknown>>
> = {
  following: (id, after) => sql`
    select f.id as cursor, a.username, a.domain, f.show_reblogs, f.notify, f.languages
    from follows f join accounts a on a.id = f.target_account_id
    where f.account_id = ${id} and f.id > ${after}::bigint`,
  muting: (id, after, now) => sql`
    select m.id as cursor, a.username, a.domain, m.hide_notifications
    from mutes m join accounts a on a.id = m.target_account_id
    where m.account_id = ${id} and m.id > ${after}::bigint and ${muteHoldsSql('m', now)}`,
  blocking: (id, after) => sql`
    select b.id as cursor, a.username, a.domain
    from blocks b join accounts a on a.id = b.target_account_id
    where b.account_id = ${id} and b.id > ${after}::bigint`,
  domain_blocking: (id, after) => sql`
    select d.id as cursor, d.domain, null as username from account_domain_blocks d
    where d.account_id = ${id} and d.id > ${after}::bigint`,
  lists: (id, after) => sql`
    select m.id as cursor, a.username, a.domain, l.title
    from lists l join list_accounts m on m.list_id = l.id join accounts a on a.id = m.account_id
    where l.account_id = ${id} and m.id > ${after}::bigint`,
  bookmarks: (id, after) => sql`
    select k.id as cursor, a.username, a.domain, s.uri, s.id as status_id
    from bookmarks k join statuses s on s.id = k.status_id join accounts a on a.id = s.account_id
    where k.account_id = ${id} and s.deleted_at is null and k.id > ${after}::bigint`,
}

/** How many rows each file has. */
export async function countPortable(
  reader: Reader,
  accountId: AccountId,
): Promise<Record<PortableList, number>> {
  const { rows } = await sql<Record<PortableList, number>>`
    select (select count(*)::int from follows where account_id = ${accountId}) as following,
      (select count(*)::int from mutes m
        where m.account_id = ${accountId} and ${muteHoldsSql('m', new Date(reader.clock.now()))}) as muting,
      (select count(*)::int from blocks where account_id = ${accountId}) as blocking,
      (select count(*)::int from account_domain_blocks where account_id = ${accountId}) as domain_blocking,
      (select count(*)::int from lists l join list_accounts m on m.list_id = l.id
        where l.account_id = ${accountId}) as lists,
      (select count(*)::int from bookmarks where account_id = ${accountId}) as bookmarks`.execute(reader.db)
  return rows[0] as Record<PortableList, number>
}
