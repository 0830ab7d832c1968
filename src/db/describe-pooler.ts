// What stands between this program and the database: connections of a pooler are shared between transactions, and what
// listens or locks wants one of its own.
import type pg from 'pg'

/** How often each of two connections is asked which one of the database's it has. */
const rounds = 3

/**
 * Returns whether connections of `pool` share those of the database, as behind a pooler in transaction mode. Holds two
 * of them meanwhile.
 */
export async function sharesConnections(pool: pg.Pool): Promise<boolean> {
  const clients = [await pool.connect(), await pool.connect()]
  try {
    const seen = clients.map(() => new Set<number>())
    for (let round = 0; round < rounds; round++)
      for (const [index, client] of clients.entries()) seen[index]?.add(await findBackend(client))
    const all = seen.flatMap((pids) => [...pids])
    return all.length > clients.length || new Set(all).size < clients.length
  } finally {
    for (const client of clients) client.release()
  }
}

async function findBackend(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/** Whether a pooler would not connect with the settings that the database is given with the connection. */
export const isRefusedByPooler = (error: Error): boolean =>
  /unsupported startup parameter/i.test(error.message)

/** What to do where `DATABASE_URL` leads to a pooler, and nothing around it. */
export const wayAroundPooler =
  'set DATABASE_DIRECT_URL to the database itself, and keep the pooler in DATABASE_URL'
