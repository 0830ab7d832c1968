import type { Generated } from 'kysely'
import type { DefaultTime, Id, Json, Time } from './types.ts'

export interface OutboxTable {
  id: Generated<Id>
  event: Json
  attempts: Generated<number>
  claimed_until: Time | null
  error: string | null
  failed_at: Time | null
  created_at: DefaultTime
  traceparent: string | null
}
