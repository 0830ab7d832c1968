import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { fanOutByTags, fanOutHome } from './home-feed.ts'
import { fanOutLists } from './list-feed.ts'

/**
 * Puts a new status into the home feeds of those who follow its author or its tags, and into the lists that have the
 * author: one statement for each kind. Safe to run again.
 */
export async function fanOutStatus(ctx: Ctx, statusId: Id): Promise<void> {
  const audience = await findAudience(ctx, statusId)
  if (audience?.followed) await fanOutHome(ctx, statusId)
  if (audience?.listed) await fanOutLists(ctx, statusId)
  if (audience?.tagged) await fanOutByTags(ctx, statusId)
}

interface Audience {
  followed: boolean
  listed: boolean
  tagged: boolean
}

/** To plan the statements of fan-out takes the database longer than to find that one of them has nothing to do. */
async function findAudience(reader: Reader, statusId: Id): Promise<Audience | undefined> {
  const { rows } = await sql<Audience>`
    select
      exists (select 1 from follows f join home_feeds hf on hf.account_id = f.account_id
        where f.target_account_id = s.account_id offset 0) as followed,
      exists (select 1 from list_accounts la join list_feeds lf on lf.list_id = la.list_id
        where la.account_id = s.account_id offset 0) as listed,
      exists (select 1 from status_tags st join tag_follows tf on tf.tag_id = st.tag_id
        where st.status_id = s.id offset 0) as tagged
    from statuses s where s.id = ${statusId}`.execute(reader.db)
  return rows[0]
}
