import pg from 'pg'

/** Runs `work` with a connection of its own, which is closed afterwards, whatever happened. */
export async function withClient<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** Asked again and again while something is measured, so it looks for one of each and counts none. */
const waiting = `
  select exists (select 1 from outbox where failed_at is null)
    or exists (select 1 from graphile_worker.jobs where attempts < max_attempts and run_at <= now())
    or exists (select 1 from incoming_activities where failed_at is null)
    or exists (select 1 from deliveries where due_at <= now()) as waits`

/** Waits until nothing is left in the outbox, in the queue of jobs, or to be taken in or delivered now. */
export async function settled(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ waits: boolean }>(waiting)
      if (rows[0]?.waits === false) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
}

/** How many rows there are of a table, or of what follows `from`. */
export const countOf = async (client: pg.Client, rows: string): Promise<number> =>
  Number((await client.query<{ n: string }>(`select count(*) as n from ${rows}`)).rows[0]?.n)

/** Looks again and again, `every` milliseconds, over a connection of its own, until it is stopped. */
export function keepLooking(
  url: string,
  every: number,
  look: (client: pg.Client) => Promise<void>,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const looking = withClient(url, async (client) => {
    while (!stopping.signal.aborted) {
      await look(client)
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  })
  return {
    stop() {
      stopping.abort()
      return looking
    },
  }
}
