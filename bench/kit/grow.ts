// More of what was seeded: all posts again, with what belongs to them, each time as many days earlier.
import type pg from 'pg'
import { statuses } from './seed.ts'

/** Of a minute for each of the seeded posts, and a day between two copies, in the ids' terms. */
const span = (BigInt(statuses) * 60_000n + 86_400_000n) << 16n
/** Far above the ids of favourites that the seed writes. */
const favouriteIds = 10_000_000

/** Columns that differ in the copy number `place` of a table, as SQL of the copied row `t`. */
type Changes = Record<string, string>

/** One favourite and one notification of four are copied: they would be most of the work. */
const copied = (place: number): [table: string, changes: Changes, which?: string][] => {
  const back = (column: string) => `t.${column} - ${span * BigInt(place)}`
  return [
    ['conversations', { id: back('id') }],
    [
      'statuses',
      {
        id: back('id'),
        conversation_id: back('conversation_id'),
        in_reply_to_id: back('in_reply_to_id'),
        reblog_of_id: back('reblog_of_id'),
        media_ids: `array(select m - ${span * BigInt(place)} from unnest(t.media_ids) m)`,
        poll_id: 'null',
        created_at: `to_timestamp((${back('id')} >> 16) / 1000.0)`,
      },
    ],
    ['status_stats', { status_id: back('status_id') }],
    ['status_tags', { status_id: back('status_id') }],
    ['mentions', { status_id: back('status_id') }],
    [
      'media_attachments',
      { id: back('id'), status_id: back('status_id') },
      "t.status_id is not null and t.type <> 'unknown'",
    ],
    ['quotes', { status_id: back('status_id'), quoted_status_id: back('quoted_status_id') }],
    [
      'favourites',
      { id: `t.id + ${place * favouriteIds}`, status_id: back('status_id') },
      `t.id % 4 = 0 and t.id < ${favouriteIds}`,
    ],
    [
      'notifications',
      {
        id: "nextval('notification_ids')",
        status_id: back('status_id'),
        group_key: `t.group_key || '-${place}'`,
      },
      't.id % 4 = 0 and t.status_id is not null',
    ],
  ]
}

/** Copies the seeded posts `copies` times, the first as number `from`. */
export async function grow(
  client: pg.Client,
  { from, copies }: { from: number; copies: number },
): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select min(id) as id from statuses where id > $1', [
    // Those of the seed are the newest.
    ((BigInt(Date.now()) << 16n) - span).toString(),
  ])
  const first = rows[0]?.id ?? '0'
  // Nothing is to be checked of what is made here, and much of it at once.
  await client.query('set session_replication_role = replica; set synchronous_commit = off')
  for (let place = from; place < from + copies; place++) {
    for (const [table, changes, which = 'true'] of copied(place)) {
      await copy(client, { table, changes, where: `${which} and ${newest(table, first)}` })
    }
  }
  await client.query('set session_replication_role = origin; set synchronous_commit = on')
  await client.query('vacuum analyze')
}

/** The rows that the seed made. */
function newest(table: string, first: string): string {
  return `t.${table === 'statuses' || table === 'conversations' ? 'id' : 'status_id'} >= ${first}`
}

async function copy(
  client: pg.Client,
  { table, changes, where }: { table: string; changes: Changes; where: string },
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  await client.query(`
    insert into ${table} (${names.join(', ')})
    select ${names.map((name) => changes[name] ?? `t.${name}`).join(', ')} from ${table} t where ${where}
    on conflict do nothing`)
}
