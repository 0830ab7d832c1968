// People of a server whose domain changes, as the server under the new name needs them.
import { buffer } from 'node:stream/consumers'
import { sql, type Selectable } from 'kysely'
import type { AccountsTable, UsersTable } from '#db/schema/accounts.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { AccountId } from '#lib/id.ts'
import { actorUri } from '#domain/server/instance/urls.ts'
import { exportCsv } from '../portability/export-csv.ts'
import { headers, portableLists, type PortableList } from '../portability/csv-formats.ts'

/** The first line of the file. */
export interface Head {
  format: 'stonechat-people-1'
  /** The domain in their handles. */
  domain: string
}

/** A line for each person. As secret as the server: it has the hash of the password. */
export interface PortablePerson {
  username: string
  /** The address of the account that moves. */
  uri: string
  email: string
  passwordHash: string
  locale: string
  role: string | null
  displayName: string
  note: string
  fields: { name: string; value: string }[]
  locked: boolean
  bot: boolean
  discoverable: boolean
  indexable: boolean
  /** Base64. */
  avatar: string | null
  header: string | null
  /** CSV by kind, with this server's domain in the handles of its own people. */
  lists: Partial<Record<PortableList, string>>
}

const batch = 100

type Row = Pick<
  Selectable<AccountsTable>,
  | 'id'
  | 'username'
  | 'display_name'
  | 'note'
  | 'locked'
  | 'indexable'
  | 'discoverable'
  | 'actor_type'
  | 'avatar_key'
  | 'header_key'
> &
  Pick<Selectable<UsersTable>, 'email' | 'password_hash' | 'locale'> & {
    fields: { name: string; value: string }[]
    role: string | null
  }

/** Who can sign in and has not moved: the lines of the file, each with its line break. */
export async function* exportPeople(ctx: Ctx): AsyncGenerator<string, void> {
  const head: Head = { format: 'stonechat-people-1', domain: ctx.config.localDomain }
  yield `${JSON.stringify(head)}\n`
  for (let after: AccountId | null = null; ;) {
    const rows: Row[] = await nextRows(ctx, after)
    for (const row of rows) yield `${JSON.stringify(await toPerson(ctx, row))}\n`
    if (rows.length < batch) return
    after = rows.at(-1)?.id ?? null
  }
}

async function nextRows(ctx: Ctx, after: AccountId | null): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select a.id, a.username, a.display_name, a.note, a.fields, a.locked, a.indexable, a.discoverable, a.actor_type,
      a.avatar_key, a.header_key, u.email, u.password_hash, u.locale, r.name as role
    from users u join accounts a on a.id = u.account_id left join roles r on r.id = u.role_id
    where u.confirmed_at is not null and u.approved and not u.disabled and a.suspended_at is null
      and a.deleted_at is null and a.moved_to_account_id is null and not a.memorial
      and (${after}::bigint is null or a.id > ${after})
    order by a.id limit ${batch}`.execute(ctx.db)
  return rows
}

async function toPerson(ctx: Ctx, row: Row): Promise<PortablePerson> {
  return {
    username: row.username,
    uri: actorUri(ctx.config, row.username),
    email: row.email,
    passwordHash: row.password_hash,
    locale: row.locale,
    role: row.role,
    displayName: row.display_name,
    note: row.note,
    fields: row.fields.map(({ name, value }) => ({ name, value })),
    locked: row.locked,
    bot: row.actor_type === 'Service',
    discoverable: row.discoverable ?? false,
    indexable: row.indexable,
    avatar: await readPicture(ctx, row.avatar_key),
    header: await readPicture(ctx, row.header_key),
    lists: await readLists(ctx, row.id),
  }
}

async function readPicture(ctx: Ctx, key: string | null): Promise<string | null> {
  const file = key === null ? null : await ctx.storage.open(key)
  return file && (await buffer(file.stream)).toString('base64')
}

async function readLists(ctx: Ctx, accountId: AccountId): Promise<PortablePerson['lists']> {
  const lists: PortablePerson['lists'] = {}
  for (const type of portableLists) {
    let text = ''
    let pieces = 0
    for await (const piece of exportCsv(ctx, accountId, type)) {
      text += piece
      pieces += 1
    }
    // A header alone is no list.
    if (pieces > (headers[type] === null ? 0 : 1)) lists[type] = text
  }
  return lists
}
