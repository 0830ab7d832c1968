import { sql, type Kysely } from 'kysely'

/**
 * Notifications get ids that a double holds exactly: they stand as numbers in push messages, which browsers read so.
 * Those that are there are numbered anew in their order, with the requests, which have the id of a notification, and
 * with all that names one. The check refuses what a process of the version before still writes: its effect is run again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [numbering, ...references, waitingJobs, ...fromNowOn]) {
    await sql.raw(statement).execute(db)
  }
}

const largest = String(Number.MAX_SAFE_INTEGER)

const numbering = `
create temporary table renumbered (old_id, new_id) on commit drop as
select i.id, row_number() over (order by i.id)
from (select id from notifications union select id from notification_requests) i`

/** The number of the newest notification up to this id; 0 before all of them. */
const upTo = (id: string) =>
  `coalesce((select r.new_id from renumbered r where r.old_id <= ${id} order by r.old_id desc limit 1), 0)`

const references = [
  'alter table renumbered add primary key (old_id)',
  'analyze renumbered',
  `update notifications n set id = r.new_id,
     group_key = case when n.group_key = 'ungrouped-' || n.id then 'ungrouped-' || r.new_id else n.group_key end
   from renumbered r where r.old_id = n.id`,
  'update notification_requests q set id = r.new_id from renumbered r where r.old_id = q.id',
  `update markers m set last_read_id = ${upTo('m.last_read_id')} where m.timeline = 'notifications'`,
  `update outbox o set event = jsonb_set(o.event, '{notificationId}', to_jsonb(r.new_id::text))
   from renumbered r where r.old_id = (o.event ->> 'notificationId')::bigint`,
  `update outbox o set event = jsonb_set(o.event, '{upTo}', to_jsonb(${upTo("(o.event ->> 'upTo')::bigint")}::text))
   where o.event ->> 'type' = 'notification-request.dismissed'`,
]

/** On a new server the queue's tables come later. */
const waitingJobs = `
do $$ begin
  if to_regclass('graphile_worker._private_jobs') is null then return; end if;
  update graphile_worker._private_jobs j
    set payload = jsonb_set(j.payload::jsonb, '{notificationId}', to_jsonb(r.new_id::text))::json
    from renumbered r where r.old_id = (j.payload ->> 'notificationId')::bigint;
  update graphile_worker._private_jobs j
    set payload = jsonb_set(j.payload::jsonb, '{event,notificationId}', to_jsonb(r.new_id::text))::json
    from renumbered r where r.old_id = (j.payload -> 'event' ->> 'notificationId')::bigint;
  update graphile_worker._private_jobs j
    set payload = jsonb_set(j.payload::jsonb, '{event,upTo}',
      to_jsonb(${upTo("(j.payload -> 'event' ->> 'upTo')::bigint")}::text))::json
    where j.payload -> 'event' ->> 'type' = 'notification-request.dismissed';
end $$`

const fromNowOn = [
  `alter sequence notification_ids maxvalue ${largest} owned by notifications.id`,
  "select setval('notification_ids', greatest(count(*), 1), count(*) > 0) from renumbered",
  "alter table notifications alter column id set default nextval('notification_ids')",
  `alter table notifications add constraint notifications_exact_id check (id between 1 and ${largest})`,
]
