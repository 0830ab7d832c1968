// What moderators decide about what trends. `true` approves, `false` keeps out, `null` leaves it to the setting.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { notFound } from '#lib/errors.ts'

/** Approves or rejects a hashtag. Throws `not_found`. */
export async function reviewTag(ctx: Ctx, id: Id, trendable: boolean): Promise<void> {
  const { rows } = await sql`
    update tags set trendable = ${trendable}, reviewed_at = ${new Date(ctx.clock.now())}
    where id = ${id} returning id`.execute(ctx.db)
  if (rows.length === 0) throw notFound()
}

/** Approves or rejects a page, by the card that stands for it. Throws `not_found`. */
export async function reviewLink(ctx: Ctx, id: Id, trendable: boolean): Promise<void> {
  await decide(ctx, 'preview_cards', id, trendable)
}

/** Approves or rejects one status, whatever was decided about its author. Throws `not_found`. */
export async function reviewStatus(ctx: Ctx, id: Id, trendable: boolean): Promise<void> {
  await decide(ctx, 'statuses', id, trendable)
}

/** Approves or rejects what an account writes, but for statuses that were decided about. Throws `not_found`. */
export async function reviewAuthor(ctx: Ctx, id: Id, trendable: boolean | null): Promise<void> {
  await decide(ctx, 'accounts', id, trendable)
}

async function decide(
  ctx: Ctx,
  table: 'preview_cards' | 'statuses' | 'accounts',
  id: Id,
  trendable: boolean | null,
): Promise<void> {
  const { rows } = await sql`
    update ${sql.table(table)} set trendable = ${trendable} where id = ${id} returning id`.execute(ctx.db)
  if (rows.length === 0) throw notFound()
}
