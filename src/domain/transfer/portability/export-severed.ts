// Names of those with whom follows were severed, as files that another server reads.
import { stringify } from 'csv-stringify/sync'
import { sql, type Selectable } from 'kysely'
import type { AccountsTable } from '#db/schema/accounts.ts'
import type { SeveredFollowsTable } from '#db/schema/people-and-reach.ts'
import type { Reader } from '#ports/ctx.ts'
import { formatAcct } from '#lib/acct.ts'
import { notFound } from '#lib/errors.ts'
import type { AccountId, AccountSeveranceId } from '#lib/id.ts'
import { headers, toCells, type PortableRow } from './csv-formats.ts'

interface Severance {
  id: AccountSeveranceId
  accountId: AccountId
  direction: 'follower' | 'following'
}

type Row = Pick<Selectable<AccountsTable>, 'username' | 'domain'> &
  Pick<Selectable<SeveredFollowsTable>, 'account_id' | 'show_reblogs' | 'notify' | 'languages'>

/** Rows read at a time. */
const batch = 1000

/**
 * Those whom an account followed, or who followed it, until an event severed that; as CSV, piece by piece, in the columns
 * of the list of who is followed. Throws `not_found` for an event that is not the account's.
 */
export async function exportSevered(
  reader: Reader,
  severance: Severance,
): Promise<AsyncGenerator<string, void>> {
  const { rows } = await sql`
    select 1 from account_severances where id = ${severance.id} and account_id = ${severance.accountId}`.execute(
    reader.db,
  )
  if (rows.length === 0) throw notFound()
  return writeSevered(reader, severance)
}

async function* writeSevered(reader: Reader, { id, direction }: Severance): AsyncGenerator<string, void> {
  const columns = headers.following ?? []
  // Of followers there is nothing to say but who they were.
  const width = direction === 'following' ? columns.length : 1
  yield stringify([columns.slice(0, width)])
  for (let after = '0'; ;) {
    const { rows } = await sql<Row>`
      select f.account_id, a.username, a.domain, f.show_reblogs, f.notify, f.languages
      from severed_follows f join accounts a on a.id = f.account_id
      where f.severance_id = ${id} and f.direction = ${direction} and f.account_id > ${after}::bigint
      order by f.account_id limit ${batch}`.execute(reader.db)
    if (rows.length > 0)
      yield stringify(
        rows.map((row) => toCells('following', toRow(row), reader.config.localDomain).slice(0, width)),
      )
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = last.account_id
  }
}

const toRow = ({ username, domain, show_reblogs: showReblogs, notify, languages }: Row): PortableRow => ({
  acct: formatAcct(username, domain),
  showReblogs,
  notify,
  languages: languages ?? [],
})
