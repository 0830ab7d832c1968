import { sql } from 'kysely'
import type { Db } from './schema/schema.ts'
import type { IdCursor } from '#lib/id.ts'

const nodes = 64

/** The node number of this process in its ids: a counter in the database, so that processes side by side differ. */
export async function processNode(db: Db): Promise<number> {
  const { rows } = await sql<{ n: string }>`select nextval('process_node') as n`.execute(db)
  return Number(BigInt(rows[0]?.n ?? 0) % BigInt(nodes))
}

/** The newest id there is: new ones stay above it even when the clock was set back. */
export async function idFloor(db: Db): Promise<IdCursor> {
  const { rows } = await sql<{ id: IdCursor }>`
    select greatest((select max(id) from statuses), (select max(id) from accounts), 0) as id`.execute(db)
  return rows[0]?.id ?? '0'
}
