// What waits for the server is kept in tables that are mostly empty: when they were last counted, nothing waited.
import { sql, type RawBuilder } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Tx } from '#ports/ctx.ts'
import { claimEvents } from '#db/outbox.ts'
import { settleDeliveries } from '#domain/federation/queue/deliveries.ts'
import { claimIncoming, removeIncoming } from '#domain/federation/queue/incoming.ts'
import { useApp } from '#test/app/app.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { asId, type AccountId, type DeliveryId, type IncomingActivityId } from '#lib/id.ts'

const app = useApp()
const waiting = 3_000
const limit = 50
let signer: AccountId

beforeAll(async () => {
  signer = (await remoteAccount(app.ctx)).accountId
})

interface Queue {
  table: string
  /** Adds as many as wait, with ids from 1 on where the queue gives them. */
  fill: () => RawBuilder<unknown>
  /** Takes `limit` of them, or is done with those from `first` on. Returns how many. */
  work: (tx: Tx, first: number) => Promise<number>
}

const now = () => app.clock.now()
const upTo = sql`generate_series(1, ${waiting}::int) i`
const some = <Id extends DeliveryId | IncomingActivityId>(first: number) =>
  Array.from({ length: limit }, (_, i) => asId<Id>(String(first + i)))

const outgoing = sql`made as (
  insert into outgoing_activities (id, account_id, digest, body)
  select i, ${sql.ref('signer')}, sha256(i::text::bytea), '{}' from ${upTo}, given returning id)`

const deliveries = () => sql`
  with given (signer) as (values (${signer}::bigint)), ${outgoing}
  insert into deliveries (id, activity_id, host, inbox_url, due_at)
  select id, id, 'h' || id || '.example', 'https://h' || id || '.example/inbox', ${new Date(now())} from made`

const queues: Record<string, Queue> = {
  events: {
    table: 'outbox',
    fill: () => sql`insert into outbox (event) select '{"type":"files.abandoned"}' from ${upTo}`,
    work: async ({ db }) => (await claimEvents(db, { now: now(), until: now() + 60_000, limit })).length,
  },
  'what other servers sent': {
    table: 'incoming_activities',
    fill: () => sql`
      insert into incoming_activities (id, signer_id, host, digest, body, due_at)
      select i, ${signer}, 'other.example', sha256(i::text::bytea), '{}', ${new Date(now() - 1_000)} from ${upTo}`,
    work: async (tx) => {
      const claim = { now: now(), until: now() + 60_000, limit, busy: [], fullHosts: [] }
      return (await claimIncoming(tx, claim)).length
    },
  },
  'what other servers sent and is dealt with': {
    table: 'incoming_activities',
    fill: () => queues['what other servers sent']!.fill(),
    work: (tx, first) => removeIncoming(tx, some(first)).then(() => limit),
  },
  'deliveries that are over': {
    table: 'deliveries',
    fill: deliveries,
    work: (tx, first) =>
      settleDeliveries(
        tx,
        some<DeliveryId>(first).map((id) => ({ id, retry: null })),
      ).then(() => limit),
  },
  'deliveries that are tried again': {
    table: 'deliveries',
    fill: deliveries,
    work: (tx, first) => {
      const retry = { attempts: 1, dueAt: now() + 60_000, error: null }
      return settleDeliveries(
        tx,
        some<DeliveryId>(first).map((id) => ({ id, retry })),
      ).then(() => limit)
    },
  },
}

/** Rows that this transaction has fetched of a table, by whatever way. */
async function fetched({ db }: Tx, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (idx_tup_fetch + seq_tup_read)::int as count from pg_stat_xact_user_tables where relname = ${table}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

describe('a queue that was empty when it was last counted', () => {
  test.each(Object.entries(queues))('is worked off at the same cost per piece: %s', async (_, queue) => {
    await app.settle()
    await sql`vacuum analyze ${sql.table(queue.table)}`.execute(app.ctx.db)
    await sql`vacuum analyze outgoing_activities`.execute(app.ctx.db)
    const undo = new Error('as it was')
    const used = app.ctx.transaction(async (tx) => {
      // What is prepared is planned now.
      await queue.work(tx, waiting + 1)
      await queue.fill().execute(tx.db)
      const before = await fetched(tx, queue.table)
      expect(await queue.work(tx, 1)).toBe(limit)
      expect((await fetched(tx, queue.table)) - before).toBeLessThan(10 * limit)
      throw undo
    })
    await expect(used).rejects.toBe(undo)
  })
})
