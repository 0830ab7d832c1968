// What waits for staff, as numbers.
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { hasPermission, type Permission } from '#domain/identity/accounts/permissions.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { lowestScore } from '#domain/reading/trends/peaks.ts'

/** More are not counted: whoever has so many before them does not ask how many more. */
export const maxWaiting = 999

export const waitingKinds = ['reports', 'appeals', 'sign_ups', 'held_posts', 'trends'] as const
export type WaitingKind = (typeof waitingKinds)[number]

/** How many of each wait, `maxWaiting + 1` for more than that. Those that the viewer may not decide are left out. */
export type Waiting = Partial<Record<WaitingKind, number>>

const rowsOf: Readonly<Record<WaitingKind, { needs: Permission; rows: RawBuilder<unknown> }>> = {
  reports: {
    needs: 'manage_reports',
    rows: sql`select from reports p where p.action_taken_at is null
      and exists (select 1 from accounts t where t.id = p.target_account_id and t.deleted_at is null offset 0)`,
  },
  appeals: {
    needs: 'manage_appeals',
    rows: sql`select from appeals o where o.approved_at is null and o.rejected_at is null`,
  },
  sign_ups: {
    needs: 'manage_users',
    rows: sql`select from users u where not u.approved and u.confirmed_at is not null`,
  },
  held_posts: {
    needs: 'manage_reports',
    rows: sql`select from held_posts h where h.released_at is null`,
  },
  trends: {
    needs: 'manage_taxonomies',
    rows: sql`select from tag_trends k join tags t on t.id = k.tag_id
      where k.score >= ${lowestScore} and t.usable and t.listable and t.reviewed_at is null`,
  },
}

/** Counts what waits for the viewer to decide, in one statement whose cost has a limit. */
export async function countWaiting(reader: Reader, viewer: Pick<Viewer, 'permissions'>): Promise<Waiting> {
  const kinds = waitingKinds.filter((kind) => hasPermission(viewer, rowsOf[kind].needs))
  if (kinds.length === 0) return {}
  const counts = kinds.map(
    (kind) =>
      sql`select ${kind}::text as kind, count(*)::int as count from (${rowsOf[kind].rows} limit ${maxWaiting + 1}) w`,
  )
  const { rows } = await sql<{
    kind: WaitingKind
    count: number
  }>`${sql.join(counts, sql` union all `)}`.execute(reader.db)
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}
