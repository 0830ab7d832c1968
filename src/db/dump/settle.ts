// What waited when the backup was made, and was most likely done since by the server it was made of.
import type pg from 'pg'

export interface SetAside {
  /** To inboxes of other servers. */
  deliveries: number
  /** Mails, push messages, calls of webhooks, and tries to tell other servers something. */
  jobs: number
}

/** `jobs`: names of jobs that reach people and servers elsewhere. `effects`: those of effects that do, for jobs that run one. */
export interface ExternalWork {
  jobs: readonly string[]
  effects: readonly string[]
}

/** Forgets everything that waits to be sent to somebody. All of it, or nothing. Returns how much it was. */
export async function forgetOutgoing(client: pg.Client, external: ExternalWork): Promise<SetAside> {
  await client.query('begin')
  try {
    const { rows: sent } = await client.query<{ count: number }>(
      'with gone as (delete from deliveries returning 1) select count(*)::int as count from gone',
    )
    await client.query('delete from outgoing_activities')
    await client.query(
      'update hosts set deliver_at = null, leased_until = null where deliver_at is not null or leased_until is not null',
    )
    const { rows: jobs } = await client.query<{ count: number }>(
      `select count(g.id)::int as count from graphile_worker.complete_jobs(array(
         select j.id from graphile_worker._private_jobs j
         join graphile_worker._private_tasks t on t.id = j.task_id
         where t.identifier = any($1::text[])
           or (t.identifier = 'effect' and j.payload ->> 'effect' = any($2::text[])))) g`,
      [external.jobs, external.effects],
    )
    // Somebody who was told what they missed is not told again at once.
    await client.query(
      "update users set digest_sent_at = now() where last_active_at < now() - interval '7 days'",
    )
    await client.query('commit')
    return { deliveries: sent[0]?.count ?? 0, jobs: jobs[0]?.count ?? 0 }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
