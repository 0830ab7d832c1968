// What an operator wants to know of a replica, asked once.
import type pg from 'pg'
import type { ReplicaState } from '#ports/metrics.ts'
import { openPrimary } from './primary-position.ts'
import { nameOf, openReplica } from './replica.ts'
import { openLine } from './question-line.ts'

export interface ReplicaDescription {
  /** Host and port. */
  name: string
  state: ReplicaState
  /** Of the log, that it has not been through. */
  bytes: number
  /** Whether the database keeps what statements of the replica read: if not, they may be cancelled there. */
  feedback: boolean
}

/** Looks at the replicas of the database at `of`. */
export async function describeReplicas(urls: readonly string[], of: string): Promise<ReplicaDescription[]> {
  const primary = openPrimary({ connectionString: of, application_name: 'stonechat' })
  try {
    return await Promise.all(
      urls.map(async (connectionString) => {
        const connection: pg.PoolConfig = { connectionString, application_name: 'stonechat' }
        const replica = openReplica({ name: nameOf(connectionString), connection })
        const settings = openLine({ connection })
        try {
          await replica.look(primary)
          const found = await settings.ask<{ feedback: boolean }>(
            'feedback',
            `select current_setting('hot_standby_feedback')::bool as feedback`,
          )
          const { bytes } = replica.lag()
          return { name: replica.name, state: replica.state(), bytes, feedback: found?.feedback ?? true }
        } finally {
          await Promise.all([replica.close(), settings.close()])
        }
      }),
    )
  } finally {
    await primary.close()
  }
}
