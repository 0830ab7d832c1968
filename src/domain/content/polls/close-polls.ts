import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { PollId } from '#lib/id.ts'

const batch = 100

/**
 * Closes the polls whose time is over, each once, whoever else does so at the same time or died in the middle of it.
 * Returns how many.
 */
export async function closePolls(ctx: Ctx): Promise<number> {
  for (let closed = 0; ;) {
    const count = await closeBatch(ctx)
    closed += count
    if (count < batch) return closed
  }
}

async function closeBatch(ctx: Ctx): Promise<number> {
  return ctx.transaction(async (tx) => {
    const now = new Date(tx.clock.now())
    const { rows } = await sql<{ id: PollId }>`
      with due as (
        select id from polls where closed_at is null and expires_at <= ${now}
        order by expires_at limit ${batch} for no key update skip locked)
      update polls set closed_at = ${now} where id in (select id from due) returning id`.execute(tx.db)
    for (const row of rows) await tx.emit({ type: 'poll.ended', pollId: row.id })
    return rows.length
  })
}
