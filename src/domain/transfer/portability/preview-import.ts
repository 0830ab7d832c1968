// What an import will do, before it does it.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { muteHoldsSql } from '#domain/social/relationships/mute-policy.ts'
import type { PortableList, PortableRow } from './csv-formats.ts'
import type { AccountId, BulkImportId } from '#lib/id.ts'

export interface ImportPreview {
  /** Lines that can be read, and those that cannot. */
  readable: number
  unreadable: number
  /** What the lines that can be read name, each counted once, and how much of it is there already. */
  entries: number
  known: number
  /** What is there and not in the file: an import that overwrites takes it away. */
  others: number
  /** The first entries. */
  sample: PortableRow[]
}

const shown = 5

/** Returns what a prepared import of one's own, which is no archive, would do now. */
export async function previewImport(
  reader: Reader,
  { id, account_id: accountId, type }: { id: BulkImportId; account_id: AccountId; type: PortableList },
): Promise<ImportPreview> {
  const { rows } = await sql<Omit<ImportPreview, 'sample'>>`
    with mine as (${heldBy(reader, accountId, id, type)})
    select
      (select count(*) from bulk_import_rows where bulk_import_id = ${id} and error is null)::int as readable,
      (select count(*) from bulk_import_rows where bulk_import_id = ${id} and error is not null)::int as unreadable,
      (select count(distinct (data -> 'acct', data -> 'listTitle', data -> 'domain', data -> 'uri'))
        from bulk_import_rows where bulk_import_id = ${id} and error is null)::int as entries,
      (select count(*) from mine where named)::int as known,
      (select count(*) from mine where not named)::int as others`.execute(reader.db)
  const first = await sql<{ data: PortableRow }>`
    select data from bulk_import_rows where bulk_import_id = ${id} and error is null
    order by line limit ${shown}`.execute(reader.db)
  const counted = rows[0] ?? { readable: 0, unreadable: 0, entries: 0, known: 0, others: 0 }
  return { ...counted, sample: first.rows.map((row) => row.data) }
}

const relations = { following: 'follows', muting: 'mutes', blocking: 'blocks' } as const

/** A query with one row for each entry that the account has of this kind, and whether the file names it. */
function heldBy(
  { clock, config: { baseUrl } }: Reader,
  accountId: AccountId,
  id: BulkImportId,
  type: PortableList,
): RawBuilder<unknown> {
  const rows = sql`select 1 from bulk_import_rows i where i.bulk_import_id = ${id} and i.error is null`
  const acct = sql`i.data ->> 'acct' = lower(a.username || coalesce('@' || a.domain, ''))`
  if (type === 'domain_blocking') {
    return sql`
      select exists (${rows} and i.data ->> 'domain' = d.domain) as named
      from account_domain_blocks d where d.account_id = ${accountId}`
  }
  if (type === 'bookmarks') {
    return sql`
      select exists (${rows} and i.data ->> 'uri' in (
        s.uri, s.url, ${baseUrl} || '/users/' || a.username || '/statuses/' || s.id,
        ${baseUrl} || '/@' || a.username || '/' || s.id)) as named
      from bookmarks k join statuses s on s.id = k.status_id join accounts a on a.id = s.account_id
      where k.account_id = ${accountId}`
  }
  if (type === 'lists') {
    return sql`
      select exists (${rows} and i.data ->> 'listTitle' = l.title and ${acct}) as named
      from lists l join list_accounts m on m.list_id = l.id join accounts a on a.id = m.account_id
      where l.account_id = ${accountId}`
  }
  const holds = type === 'muting' ? muteHoldsSql('r', new Date(clock.now())) : sql`true`
  // Who was asked is not asked again, and stays asked by an import that overwrites.
  const asked = sql`
    union all
    select true from follow_requests r join accounts a on a.id = r.target_account_id
    where r.account_id = ${accountId} and exists (${rows} and ${acct})`
  return sql`
    select exists (${rows} and ${acct}) as named
    from ${sql.table(relations[type])} r join accounts a on a.id = r.target_account_id
    where r.account_id = ${accountId} and ${holds} ${type === 'following' ? asked : sql``}`
}
