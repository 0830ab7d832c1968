// Notifications of one kind about one thing share a key for some hours, by which apps show them as one.
import { sql, type RawBuilder } from 'kysely'
import { isId } from '#lib/ids.ts'
import { asId, type NotificationId } from '#lib/id.ts'

/** The kinds that come in groups. */
const groupedKinds: readonly string[] = ['favourite', 'reblog', 'follow', 'admin.sign_up']

/** A group goes on for this many hours after its first notification. */
const groupHours = 12

/** The newest key of the group that a candidate would join, or null. */
export function previousGroupKey(candidate: string): RawBuilder<string | null> {
  const c = sql.id(candidate)
  return sql`case
  when ${c}.type in ('favourite', 'reblog') then (
    select p.group_key from notifications p
    where p.status_id = ${c}.status_id and p.type = ${c}.type and not p.filtered order by p.id desc limit 1)
  when ${c}.type in ('follow', 'admin.sign_up') then (
    select p.group_key from notifications p
    where p.account_id = ${c}.account_id and p.type = ${c}.type and not p.filtered order by p.id desc limit 1)
  end`
}

/** Those that are written by one statement begin their group with the first of them. */
function bucket(row: string): RawBuilder<unknown> {
  const n = sql.id(row)
  const hour = sql`floor(extract(epoch from ${n}.at) / 3600)::bigint`
  const previousHour = sql`coalesce(substring(${n}.previous_key from '[0-9]+$')::bigint,
    min(${hour}) over (partition by ${n}.account_id, ${n}.type, ${n}.status_id))`
  return sql`case when ${hour} < ${previousHour} + ${sql.lit(groupHours)} then ${previousHour} else ${hour} end`
}

/**
 * The key of a row (id, account_id, type, status_id, at, previous_key): `favourite-STATUS-HOUR`, `reblog-STATUS-HOUR`,
 * `follow-HOUR` or `admin.sign_up-HOUR` with the hour in which the group began, counted from 1970, else `ungrouped-ID`.
 */
export function groupKey(row: string): RawBuilder<string> {
  const n = sql.id(row)
  return sql`case
  when ${n}.type in ('favourite', 'reblog') then ${n}.type || '-' || ${n}.status_id || '-' || ${bucket(row)}
  when ${n}.type in ('follow', 'admin.sign_up') then ${n}.type || '-' || ${bucket(row)}
  else 'ungrouped-' || ${n}.id end`
}

/** The key of a notification for an app that shows these kinds in groups; by default all that can be. */
export function keyFor(
  notification: string,
  groupedTypes: readonly string[] | undefined,
): RawBuilder<string> {
  const n = sql.id(notification)
  const kinds = groupedKinds.filter((kind) => groupedTypes?.includes(kind) ?? true)
  return sql`case when ${n}.type = any(${kinds}::text[]) then ${n}.group_key else 'ungrouped-' || ${n}.id end`
}

/** Whether a key is that of a group of one. */
export const isUngrouped = (key: string): boolean => key.startsWith('ungrouped-')

/** The condition on a notification that it belongs to a real group, in the terms of its index. */
export function inGroup(notification: string, key: string | RawBuilder<string>): RawBuilder<boolean> {
  const n = sql.id(notification)
  return sql`(${n}.group_key = ${key} and ${n}.group_key not like 'ungrouped-%')`
}

/** The id in the key of a group of one, null for other keys. */
export function idInKey(key: string): NotificationId | null {
  const id = /^ungrouped-(\d+)$/.exec(key)?.[1]
  return id !== undefined && isId(id) ? asId<NotificationId>(id) : null
}

/** The condition on a notification that it belongs to the group of this key, which may be one by itself. */
export function belongsTo(notification: string, key: string): RawBuilder<boolean> {
  const id = idInKey(key)
  return id === null ? inGroup(notification, key) : sql`(${sql.id(notification)}.id = ${id})`
}
