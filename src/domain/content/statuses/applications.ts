// What posts show of the application that they were made by, when that changes.
import { sql, type RawBuilder } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import type { ApplicationId, IdCursor, StatusId } from '#lib/id.ts'

const batch = 5_000

/** Has all posts that were made by an application be rendered anew. In small steps that block nobody. */
export async function invalidateApplication(ctx: Ctx, applicationId: ApplicationId): Promise<void> {
  await inSteps(ctx, applicationId, sql`version = version + 1`)
}

/** Parts posts from an application that nobody has access to any more, and deletes it. Safe to run again. */
export async function eraseApplication(ctx: Ctx, applicationId: ApplicationId): Promise<void> {
  await inSteps(ctx, applicationId, sql`version = version + 1, application_id = null`)
  await sql`delete from applications where id = ${applicationId}`.execute(ctx.db)
}

async function inSteps(ctx: Ctx, applicationId: ApplicationId, change: RawBuilder<unknown>): Promise<void> {
  for (let after: IdCursor | null = '0'; after !== null;) {
    const { rows } = await sql<{ last: StatusId | null; count: number }>`
      with made as materialized (
        select id from statuses where application_id = ${applicationId} and id > ${after}::bigint
        order by id limit ${batch}),
      changed as (update statuses set ${change} where id in (select id from made))
      select max(id) as last, count(*)::int as count from made`.execute(ctx.db)
    after = rows[0]?.count === batch ? rows[0].last : null
  }
}
