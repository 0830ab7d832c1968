// Makes a database what the template is again, without anything by which connections would lose their plans: no table is
// truncated, vacuumed or made anew.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface Emptying {
  /** Answers false where that cannot be done. `known`: processes of connections that may remain. */
  run(known: readonly number[]): Promise<boolean>
  end(): Promise<void>
}

/** By then those who were told to end have ended, in milliseconds. */
const leaving = 500
/** Beyond so many bytes more than at first, a fresh copy takes less time than looking through what was deleted. */
const maxGrowth = 48 * 1024 * 1024

const schemas = `'public', 'graphile_worker'`

/** What tests may have changed besides rows. */
const shape = `select concat_ws(' ',
  (select count(*) from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace in (select oid from pg_namespace where nspname in (${schemas})) and not a.attisdropped),
  (select count(*) from pg_index where indisvalid), (select count(*) from pg_constraint),
  (select count(*) from pg_trigger where tgenabled = 'O'), (select count(*) from pg_proc),
  (select count(*) from pg_db_role_setting)) as shape`

/** Tables with their columns but those that are computed, and whether they have rows at first. */
const tablesOf = `select format('%I.%I', n.nspname, c.relname) as name, c.oid::int as oid, string_agg(format('%I', a.attname), ', ') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where n.nspname in (${schemas}) and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by n.nspname, c.relname, c.oid`

const sequencesOf = `select format('%I.%I', schemaname, sequencename) as name, coalesce(last_value, start_value) as value,
  last_value is not null as called from pg_sequences where schemaname in (${schemas})`

/** Over a connection of its own to a database that is like the template now. Wants a superuser. */
export async function prepareEmptying(url: string): Promise<Emptying> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  ;(client as unknown as { connection: { stream: Socket } }).connection.stream.unref()
  const ask = async (text: string) => (await client.query(text)).rows[0] as Record<string, unknown>
  // Rows go in any order.
  await client.query('set session_replication_role = replica; set plan_cache_mode = force_generic_plan')
  await client.query(await createFunction(client))
  const first = { shape: (await ask(shape))['shape'], size: await sizeNow() }

  async function sizeNow(): Promise<number> {
    return Number((await ask('select pg_database_size(current_database()) as size'))['size'])
  }

  async function isAlone(known: readonly number[]): Promise<boolean> {
    const others = `select count(*)::int as count from pg_stat_activity where datname = current_database()
      and backend_type = 'client backend' and pid <> pg_backend_pid() and pid <> all('{${known.join()}}'::int[])`
    for (const deadline = performance.now() + leaving; ; await sleep(20)) {
      if ((await ask(others))['count'] === 0) return true
      if (performance.now() > deadline) return false
    }
  }

  return {
    async run(known) {
      if (!(await isAlone(known)) || (await ask(shape))['shape'] !== first.shape) return false
      if ((await sizeNow()) > first.size + maxGrowth) return false
      await client.query('select pg_temp.start_over()')
      return true
    },
    end: () => client.end(),
  }
}

/** One function for all of it: its statements are planned once. */
async function createFunction(client: pg.Client): Promise<string> {
  const tables = (await client.query(tablesOf)).rows as { name: string; oid: number; columns: string }[]
  const sequences = (await client.query(sequencesOf)).rows as {
    name: string
    value: string
    called: boolean
  }[]
  const steps: string[] = tables.map(({ name }) => `delete from ${name};`)
  for (const { name, oid, columns } of tables) {
    const { rowCount } = await client.query(`select 1 from ${name} limit 1`)
    if (rowCount === 0) continue
    await client.query(`create temp table first_${oid} as select ${columns} from ${name}`)
    steps.push(
      `insert into ${name} (${columns}) overriding system value select ${columns} from pg_temp.first_${oid};`,
    )
  }
  for (const { name, value, called } of sequences)
    steps.push(`perform setval('${name}', ${value}, ${called});`)
  return `create function pg_temp.start_over() returns void language plpgsql as $$ begin ${steps.join('\n')} end $$`
}
