// Servers that no list may block, neither they nor those below them, nor all of those above them.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { notFound } from '#lib/errors.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { requireDomain } from '#domain/social/relationships/domain-blocks.ts'
import { reconcileLists } from './reconcile.ts'

export interface Exclusion {
  domain: string
  comment: string
  created_at: Date
}

/** All of them, by name. */
export async function listExclusions(reader: Reader): Promise<Exclusion[]> {
  const { rows } = await sql<Exclusion>`
    select domain, comment, created_at from block_list_exclusions order by domain`.execute(reader.db)
  return rows
}

/** Keeps a server from being blocked by lists, and lifts what they made. Again changes the comment. Throws `invalid`. */
export async function excludeHost(
  ctx: Ctx,
  staff: Staff,
  text: string | undefined,
  comment: string,
): Promise<Exclusion> {
  const domain = requireDomain(text)
  const made = await ctx.transaction(async (tx) => {
    const { rows } = await sql<Exclusion>`
      insert into block_list_exclusions (domain, comment, created_at)
      values (${domain}, ${comment.slice(0, 500)}, ${new Date(tx.clock.now())})
      on conflict (domain) do update set comment = excluded.comment
      returning domain, comment, created_at`.execute(tx.db)
    await recordAction(tx, staff, { action: 'create', targetType: 'block_list_exclusion', label: domain })
    return rows[0] as Exclusion
  })
  await reconcileLists(ctx)
  return made
}

/** Lets lists block a server again. Throws `not_found`. */
export async function includeHost(ctx: Ctx, staff: Staff, text: string): Promise<void> {
  const domain = requireDomain(text)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql`
      delete from block_list_exclusions where domain = ${domain} returning domain`.execute(tx.db)
    if (rows.length === 0) throw notFound()
    await recordAction(tx, staff, { action: 'destroy', targetType: 'block_list_exclusion', label: domain })
  })
  await reconcileLists(ctx)
}
