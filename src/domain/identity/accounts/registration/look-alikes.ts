// Names that people take for another one's: `a1ice`, `aIice`, `al_ice` for `alice`, `marnie` for `mamie`.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { permissions } from '../permissions.ts'

/** What makes nobody staff who has a role for it. */
const ordinary = permissions.invite_users | permissions.invite_bypass_approval | permissions.view_feeds

/**
 * What all names have in common that read alike: digits are the letters they look like, `l` is `i`, `rn` is `m`, `vv` is
 * `w`, and `_` is nothing. An index has the same expression.
 */
const skeletonOf = (name: RawBuilder<unknown>) => sql<string>`
  replace(replace(replace(translate(lower(${name}), '012345789l', 'oizeastbgi'), '_', ''), 'rn', 'm'), 'vv', 'w')`

/**
 * Whose name this one, which is nobody's, can be taken for: that of somebody of the `staff`, of some `other` person of
 * this server, or nobody's (null). Accounts that are deleted are nobody's.
 */
export async function findLookAlike(reader: Reader, username: string): Promise<'staff' | 'other' | null> {
  const { rows } = await sql<{ isStaff: boolean }>`
    select coalesce(bool_or((r.permissions & ~(${String(ordinary)}::bigint)) <> 0), false) as "isStaff"
    from accounts a left join users u on u.account_id = a.id left join roles r on r.id = u.role_id
    where a.domain is null and a.deleted_at is null and lower(a.username) <> lower(${username})
      and ${skeletonOf(sql`a.username`)} = ${skeletonOf(sql`${username}::text`)}
    having count(*) > 0`.execute(reader.db)
  if (!rows[0]) return null
  return rows[0].isStaff ? 'staff' : 'other'
}
