import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import type { Day } from '#db/schema/types.ts'
import { firstIdOf, plusDays } from './days.ts'
import { saveCounts } from './save-counts.ts'

/** Public posts of one day by hashtag: how many, by how many accounts, from how many other servers. */
export async function countTags(reader: Reader, day: Day): Promise<void> {
  const [from, until] = [firstIdOf(day), firstIdOf(plusDays(day, 1))]
  const counted = sql`
    select t.tag_id, n.name, n.count from (
      select st.tag_id, count(*) as uses, count(distinct s.account_id) as accounts, count(distinct a.domain) as servers
      from status_tags st join statuses s on s.id = st.status_id join accounts a on a.id = s.account_id
      where st.status_id >= ${from} and st.status_id < ${until} and s.visibility = 'public' and not s.local_only
        and s.deleted_at is null and a.silenced_at is null and a.suspended_at is null and a.deleted_at is null
      group by 1) t
    cross join lateral (values ('uses', t.uses), ('accounts', t.accounts), ('servers', t.servers)) n (name, count)`
  const table = { name: 'tag_daily_counts', key: 'tag_id' } as const
  await saveCounts(reader, table, day, { counted, owned: sql<boolean>`true` })
}
