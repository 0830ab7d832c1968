import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { notify } from './notify.ts'
import type { PollId, StatusId } from '#lib/id.ts'

/** Tells the author of a closed poll and those who voted in it that it has ended, once each. */
export async function notifyOfPollEnd(ctx: Ctx, pollId: PollId): Promise<void> {
  await notify(
    ctx,
    sql`
    with ended as (
      select id, account_id, status_id, closed_at from polls
      where id = ${pollId} and closed_at is not null for share)
    select e.account_id, e.account_id, 'poll', e.status_id, e.closed_at from ended e
    union
    select v.account_id, e.account_id, 'poll', e.status_id, e.closed_at
    from ended e join poll_votes v on v.poll_id = e.id`,
  )
}

/** Takes back what was told of the end of a status's poll when an edit has opened, replaced or removed it. */
export async function removePollNotifications(ctx: Ctx, statusId: StatusId): Promise<void> {
  await sql`
    delete from notifications n
    where n.status_id = ${statusId} and n.type = 'poll' and not exists (
      select 1 from polls p where p.status_id = n.status_id and p.closed_at is not null)`.execute(ctx.db)
}
