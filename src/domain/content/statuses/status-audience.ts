// What may follow from a new status: to find that there is nothing to do costs less than doing it in vain.
import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'
import { keyBy } from '#lib/collections.ts'
import type { StatusId } from '#lib/id.ts'

/** False: there is nothing of the kind. True: there may be. */
export interface StatusAudience {
  id: StatusId
  /** It was written here, and other servers may have to hear of it. */
  local: boolean
  /** It boosts another one. */
  boost: boolean
  /** It may belong into conversations. */
  direct: boolean
  /** It may enter home feeds by a follow of its author, feeds of lists, and home feeds by a follow of its hashtags. */
  followed: boolean
  listed: boolean
  tagged: boolean
  /** Somebody here may have to be notified of it. */
  concerns: boolean
  /** It quotes another one, with consent or without. */
  quotes: boolean
  /** It has a card, or may have a link to make one of. */
  links: boolean
}

/** The audiences of statuses, deleted ones too as long as their rows are there, in one query. */
export async function loadStatusAudiences(
  reader: Reader,
  ids: readonly StatusId[],
): Promise<Map<StatusId, StatusAudience>> {
  const { rows } = await sql<StatusAudience>`
    select s.id, s.local, s.reblog_of_id is not null as boost, s.visibility = 'direct' as direct,
      exists (select 1 from follows f join home_feeds hf on hf.account_id = f.account_id
        where f.target_account_id = s.account_id offset 0) as followed,
      exists (select 1 from list_accounts la join list_feeds lf on lf.list_id = la.list_id
        where la.account_id = s.account_id offset 0) as listed,
      exists (select 1 from status_tags st join tag_follows tf on tf.tag_id = st.tag_id
        where st.status_id = s.id offset 0) as tagged,
      s.reblog_of_id is not null
        or exists (select 1 from mentions m join accounts a on a.id = m.account_id
          where m.status_id = s.id and not m.silent and a.domain is null offset 0)
        or exists (select 1 from quotes q where q.status_id = s.id and q.state = 'accepted' offset 0)
        or exists (select 1 from follows f where f.target_account_id = s.account_id and f.notify offset 0) as concerns,
      exists (select 1 from quotes q where q.status_id = s.id offset 0) as quotes,
      s.card_id is not null
        or case when s.local then s.text like '%://%' else s.content ilike '%<a%' end as links
    from statuses s where s.id = any(${ids}::bigint[])`.execute(reader.db)
  return keyBy(rows, (row) => row.id)
}
