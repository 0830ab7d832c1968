import { sql, type Selectable } from 'kysely'
import type { RolesTable } from '#db/schema/accounts.ts'
import type { Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { RoleId } from '#lib/id.ts'

export type RoleRow = Selectable<RolesTable>

const columns = sql`id, name, color, permissions, position, highlighted, require_2fa, collection_limit, created_at,
  updated_at`

/** All roles, highest first. They are few. */
export async function listRoles(reader: Reader): Promise<RoleRow[]> {
  const { rows } = await sql<RoleRow>`select ${columns} from roles order by position desc, id`.execute(
    reader.db,
  )
  return rows
}

/** `lock`: it stays as it is until the transaction ends. Throws `not_found`. */
export async function getRole(reader: Reader, id: RoleId, lock = false): Promise<RoleRow> {
  const { rows } = await sql<RoleRow>`
    select ${columns} from roles where id = ${id} ${lock ? sql`for update` : sql``}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}
