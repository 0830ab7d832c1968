import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import type { RoleId } from '#lib/id.ts'

export interface RoleRow {
  id: RoleId
  name: string
  /** `#rrggbb`, or nothing. */
  color: string
  /** Bits, in decimal. */
  permissions: string
  /** Higher ones act on lower ones. */
  position: number
  /** Shown with the accounts that have it. */
  highlighted: boolean
  /** Those who have it must use a second factor. */
  require_2fa: boolean
  /** How many collections of accounts its people may have. */
  collection_limit: number
  created_at: Date
  updated_at: Date
}

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

/** The role of this name, in any case. Throws `not_found`. */
export async function getRoleByName(reader: Reader, name: string): Promise<RoleRow> {
  const { rows } = await sql<RoleRow>`
    select ${columns} from roles where lower(name) = lower(${name}) and name <> ''
    order by position desc, id limit 1`.execute(reader.db)
  if (!rows[0]) throw notFound('no_role', { name })
  return rows[0]
}
