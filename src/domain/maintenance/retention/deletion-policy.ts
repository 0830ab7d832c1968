// When somebody's own posts go by themselves.
import { sql, type Selectable } from 'kysely'
import type { StatusDeletionPoliciesTable } from '#db/schema/moderation.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { problem, invalidForm } from '#lib/errors.ts'
import type { Problem } from '#lib/messages/describe-error.ts'
import type { AccountId } from '#lib/id.ts'

const week = 604_800
/** Mean lengths, as other software counts them. */
const month = 2_629_746
const year = 12 * month

/** After how many seconds posts may go, as people choose: Mastodon's. */
export const statusAges = [week, 2 * week, month, 2 * month, 3 * month, 6 * month, year, 2 * year] as const

export interface DeletionPolicy extends Pick<
  Selectable<StatusDeletionPoliciesTable>,
  | 'enabled'
  | 'keep_direct'
  | 'keep_pinned'
  | 'keep_polls'
  | 'keep_media'
  | 'keep_self_favourite'
  | 'keep_self_bookmark'
  | 'min_reblogs'
> {
  /** Seconds: one of `statusAges`. */
  min_status_age: number
  /** Those with at least so many favourites, and boosts, stay. Null: none stays for that. */
  min_favourites: number | null
}

/** What somebody gets who has chosen nothing yet. */
export const usualPolicy: Readonly<DeletionPolicy> = {
  enabled: false,
  min_status_age: 2 * week,
  keep_direct: true,
  keep_pinned: true,
  keep_polls: false,
  keep_media: false,
  keep_self_favourite: true,
  keep_self_bookmark: true,
  min_favourites: null,
  min_reblogs: null,
}

const maxCount = 1_000_000_000

/** What an account has chosen; `usualPolicy` where it never did. */
export async function findDeletionPolicy(reader: Reader, accountId: AccountId): Promise<DeletionPolicy> {
  const { rows } = await sql<DeletionPolicy>`
    select enabled, min_status_age, keep_direct, keep_pinned, keep_polls, keep_media, keep_self_favourite,
      keep_self_bookmark, min_favourites, min_reblogs
    from status_deletion_policies where account_id = ${accountId}`.execute(reader.db)
  return rows[0] ?? usualPolicy
}

/**
 * Changes what is given of one's own policy; all posts are then looked at anew. Throws `invalid` with what is wrong.
 * Returns the whole of it.
 */
export async function setDeletionPolicy(
  ctx: Ctx,
  viewer: Viewer,
  changes: Partial<DeletionPolicy>,
): Promise<DeletionPolicy> {
  const policy = { ...(await findDeletionPolicy(ctx, viewer.accountId)), ...changes }
  const wrong = findProblem(policy)
  if (wrong) throw invalidForm([wrong])
  const now = new Date(ctx.clock.now())
  const row = { ...policy, examined_up_to: null, examined_at: null, updated_at: now }
  await ctx.db
    .insertInto('status_deletion_policies')
    .values({ account_id: viewer.accountId, created_at: now, ...row })
    .onConflict((on) => on.column('account_id').doUpdateSet(row))
    .execute()
  return policy
}

/** Forgets one's own policy: nothing goes by itself any more. */
export async function deleteDeletionPolicy(ctx: Ctx, viewer: Viewer): Promise<void> {
  await sql`delete from status_deletion_policies where account_id = ${viewer.accountId}`.execute(ctx.db)
}

function findProblem({ min_status_age: age, min_favourites, min_reblogs }: DeletionPolicy): Problem | null {
  if (!statusAges.some((known) => known === age)) return problem('min_status_age', 'not_included')
  const isCount = (count: number | null) =>
    count === null || (Number.isInteger(count) && count >= 1 && count <= maxCount)
  if (!isCount(min_favourites)) return problem('min_favs', 'too_small', { min: 1 })
  if (!isCount(min_reblogs)) return problem('min_reblogs', 'too_small', { min: 1 })
  return null
}
