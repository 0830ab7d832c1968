// Has the database say how it understands a statement, by a function that is never called.
import pg from 'pg'
import { parseTree } from './node-tree.ts'
import { findNullable, type Catalogue, type Nullability } from './nullability.ts'

/** The first version that says which outer joins a column comes through. */
const firstVersion = 160_000

/** Returns what the database knows of columns and functions; null for one that is too old to say what is asked of it. */
export async function readCatalogue(client: pg.Client): Promise<Catalogue | null> {
  const { rows: version } = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::int as number`,
  )
  if ((version[0]?.number ?? 0) < firstVersion) return null
  const { rows: columns } = await client.query<{ name: string }>(
    `select attrelid::oid || '.' || attnum as name from pg_attribute where attnotnull`,
  )
  const { rows: functions } = await client.query<{ oid: number; name: string; strict: boolean }>(
    'select oid, proname as name, proisstrict as strict from pg_proc',
  )
  return {
    notNull: new Set(columns.map((column) => column.name)),
    functions: new Map(functions.map(({ oid, name, strict }) => [oid, { name, strict }])),
  }
}

/** Returns, for each column of a statement, whether it may be null; an empty list where the database does not say. */
export async function readNullability(
  client: pg.Client,
  catalogue: Catalogue,
  statement: { text: string; types: readonly string[] },
): Promise<Nullability[]> {
  const { text, types } = statement
  try {
    await client.query('begin')
    await client.query(
      `create function pg_temp.described(${types.join(', ')}) returns void begin atomic ${text}; end`,
    )
    const { rows } = await client.query<{ body: string }>(
      `select prosqlbody::text as body from pg_proc where oid = 'pg_temp.described'::regproc`,
    )
    return findNullable(parseTree(rows[0]?.body ?? '()'), catalogue)
  } catch (error) {
    if (error instanceof pg.DatabaseError) return []
    throw error
  } finally {
    await client.query('rollback')
  }
}
