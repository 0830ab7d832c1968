// Brings the rows of a dump into an empty database, in one transaction: they are all there, or none is.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import { migrateTo } from '../migrate.ts'
import { addIncomingJobs, createIncomingJobs } from './jobs.ts'
import { columnList, jobsName, listTables, plainSession, quoted, type DumpedTable } from './tables.ts'

export interface Load {
  /** Adds rows. `rows` is text as COPY writes it, whole rows only. Returns how many they were. */
  copyIn(table: DumpedTable, rows: Buffer): Promise<number>
  /** Sets sequences, makes indexes and constraints, which checks that the rows fit together, and commits. */
  finish(sequences: Readonly<Record<string, string>>, onStep: () => void): Promise<void>
  /** Undoes everything. */
  abandon(): Promise<void>
}

/**
 * Makes the schema of migration `schema` in the transaction that `client` is in from now on. Throws an Error when it
 * has not exactly these tables.
 */
export async function beginLoad(
  client: pg.Client,
  dump: { schema: number; tables: readonly DumpedTable[] },
): Promise<Load> {
  await client.query(plainSession)
  await client.query("begin; set local maintenance_work_mem = '256MB'; set local synchronous_commit = on")
  try {
    await migrateTo(kyselyOn(client), dump.schema)
    const tables = dump.tables.filter((table) => table.name !== jobsName)
    assertSame(await listTables(client), tables)
    const rebuild = await takeDown(client)
    // What migrations put in comes with the rows.
    await client.query(`truncate ${tables.map((table) => quoted(table.name)).join(', ')}`)
    const incomingJobs = await createIncomingJobs(client)
    return {
      copyIn: (table, rows) =>
        copyIn(client, table.name === jobsName ? { ...table, name: incomingJobs } : table, rows),
      async finish(sequences, onStep) {
        for (const statement of rebuild) {
          // Not described: the database itself has written it, as the definition of what was taken down.
          await client.query(statement)
          onStep()
        }
        for (const [name, value] of Object.entries(sequences)) {
          await client.query('select setval($1::regclass, $2)', [quoted(name), value])
        }
        await addIncomingJobs(client)
        await client.query('commit')
      },
      abandon: () => rollBack(client),
    }
  } catch (error) {
    await rollBack(client)
    throw error
  }
}

/** The connection itself may be what failed. */
async function rollBack(client: pg.Client): Promise<void> {
  await client.query('rollback').catch(() => {})
}

async function copyIn(client: pg.Client, table: DumpedTable, rows: Buffer): Promise<number> {
  const target = client.query(from(`copy ${quoted(table.name)} (${columnList(table)}) from stdin`))
  await pipeline(Readable.from([rows]), target)
  return target.rowCount
}

/** Migrations want Kysely; all they do has to happen in the transaction of this one connection. */
function kyselyOn(client: pg.Client): Kysely<unknown> {
  // Not described: statements of migrations, which run against a database in every test.
  const lent = {
    query: (text: string, values?: readonly unknown[]) => client.query(text, values as unknown[]),
    release: () => {},
  } as unknown as PostgresPoolClient
  return new Kysely({
    dialect: new PostgresDialect({ pool: { connect: async () => lent, end: async () => {}, options: {} } }),
  })
}

function assertSame(mine: readonly DumpedTable[], theirs: readonly DumpedTable[]): void {
  const describe = (tables: readonly DumpedTable[]) =>
    new Set(tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column}`)))
  const [here, there] = [describe(mine), describe(theirs)]
  const difference = here.symmetricDifference(there)
  if (difference.size === 0) return
  throw new Error(
    `The backup does not have the columns of its schema: ${[...difference].toSorted().slice(0, 5).join(', ')}`,
  )
}

/**
 * Takes away what slows down or disturbs a load: indexes, keys, triggers (what they would write is among the rows).
 * Returns the statements that bring it all back, in their order.
 */
async function takeDown(client: pg.Client): Promise<string[]> {
  const { rows: constraints } = await client.query<{ name: string; table: string; definition: string }>(
    `select o.conname::text as name, o.conrelid::regclass::text as table, pg_get_constraintdef(o.oid) as definition
     from pg_constraint o join pg_class c on c.oid = o.conrelid
     where c.relnamespace = current_schema()::regnamespace
       and (o.contype = 'f' or (c.relpersistence = 'p' and o.contype in ('p', 'u', 'x')))
     order by o.contype = 'f', o.oid`,
  )
  const { rows: triggers } = await client.query<{ table: string }>(
    `select distinct o.tgrelid::regclass::text as table from pg_trigger o join pg_class c on c.oid = o.tgrelid
     where c.relnamespace = current_schema()::regnamespace and not o.tgisinternal`,
  )
  // Foreign keys first: others lean on what they point at.
  for (const { table, name } of constraints.toReversed()) {
    await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  }
  // What is left now belongs to no constraint.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by i.indexrelid`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (const { table } of triggers) await client.query(`alter table ${table} disable trigger user`)
  const add = ({ table, name, definition }: (typeof constraints)[number]) =>
    `alter table ${table} add constraint ${quoted(name)} ${definition}`
  const isForeign = ({ definition }: { definition: string }) => definition.startsWith('FOREIGN KEY')
  return [
    ...constraints.filter((constraint) => !isForeign(constraint)).map(add),
    ...indexes.map((index) => index.definition),
    ...constraints.filter(isForeign).map(add),
    ...triggers.map(({ table }) => `alter table ${table} enable trigger user`),
  ]
}
