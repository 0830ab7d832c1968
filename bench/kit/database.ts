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

const waiting = `
  select (select count(*) from outbox where failed_at is null)
    + (select count(*) from graphile_worker.jobs where attempts < max_attempts and run_at <= now())
    + (select count(*) from incoming_activities where failed_at is null)
    + (select count(*) from deliveries where due_at <= now()) as n`

/** Waits until nothing is left in the outbox, in the queue of jobs, or to be taken in or delivered now. */
export async function settled(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ n: string }>(waiting)
      if (rows[0]?.n === '0') return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })
}
