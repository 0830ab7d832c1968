// Notifications of one kind about one thing share a key for some hours, by which apps show them as one.
import { sql, type RawBuilder } from 'kysely'

/** A group goes on for this many hours after its first notification. */
const groupHours = 12

/** The newest key of the group that a candidate `c` would join, or null. */
export const previousGroupKey: RawBuilder<string | null> = sql`case
  when c.type in ('favourite', 'reblog') then (
    select p.group_key from notifications p
    where p.status_id = c.status_id and p.type = c.type and not p.filtered order by p.id desc limit 1)
  when c.type = 'follow' then (
    select p.group_key from notifications p
    where p.account_id = c.account_id and p.type = 'follow' and not p.filtered order by p.id desc limit 1)
  end`

const hour = sql`floor(extract(epoch from n.at) / 3600)::bigint`
const previousHour = sql`substring(n.previous_key from '[0-9]+$')::bigint`
const bucket = sql`case when ${hour} < ${previousHour} + ${sql.lit(groupHours)} then ${previousHour} else ${hour} end`

/**
 * The key of a row `n` (id, type, status_id, at, previous_key): `favourite-STATUS-HOUR`, `reblog-STATUS-HOUR` or
 * `follow-HOUR` with the hour in which the group began, counted from 1970, else `ungrouped-ID`.
 */
export const groupKey: RawBuilder<string> = sql`case
  when n.type in ('favourite', 'reblog') then n.type || '-' || n.status_id || '-' || ${bucket}
  when n.type = 'follow' then 'follow-' || ${bucket}
  else 'ungrouped-' || n.id end`
