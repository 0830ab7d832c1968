// What other servers posted long ago, as rows: for tests of what is forgotten.
import { sql } from 'kysely'
import type { Ctx } from '#ports/ctx.ts'
import { timeToId } from '#lib/ids.ts'
import { days } from '#test/app/clock.ts'
import type { AccountId } from '#lib/id.ts'

export interface OldStatus {
  /** How long ago, in days; 100 unless told. */
  age?: number
  /** When it came here, in days ago; `age` unless told. */
  fetched?: number
  inReplyTo?: string
  reblogOf?: string
  quotes?: string
  visibility?: string
  local?: boolean
}

let made = 0

/** One status of an account; later ones have higher ids within the same day. */
export async function oldStatus(ctx: Ctx, accountId: AccountId, old: OldStatus = {}): Promise<string> {
  const { age = 100, fetched = age, visibility = 'public', local = false } = old
  const now = ctx.clock.now()
  const id = timeToId(now - days(age) + ++made)
  const uri = `https://away.example/statuses/${id}`
  await sql`
    with thread as (insert into conversations (id, uri) values (${id}, ${`${uri}#thread`})),
    counted as (insert into status_stats (status_id) values (${id})),
    parent as (
      insert into status_stats (status_id, replies_count) select ${old.inReplyTo ?? null}::bigint, 1
      where ${old.inReplyTo !== undefined}
      on conflict (status_id) do update set replies_count = status_stats.replies_count + 1),
    quote as (
      insert into quotes (status_id, account_id, quoted_status_id, state)
      select ${id}, ${accountId}, ${old.quotes ?? null}, 'accepted' where ${old.quotes !== undefined})
    insert into statuses (id, account_id, visibility, local, content, uri, reply, in_reply_to_id, reblog_of_id,
      conversation_id, fetched_at, created_at)
    values (${id}, ${accountId}, ${visibility}, ${local}, '<p>old</p>', ${uri}, ${old.inReplyTo !== undefined},
      ${old.inReplyTo ?? null}, ${old.reblogOf ?? null}, ${id}, ${new Date(now - days(fetched))},
      ${new Date(now - days(age))})`.execute(ctx.db)
  return id
}
