import type { Generated } from 'kysely'
import type { DefaultTime, Json, Time } from './types.ts'
import type { OutboxEntryId } from '#lib/id.ts'

export interface OutboxTable {
  id: Generated<OutboxEntryId>
  event: Json
  attempts: Generated<number>
  claimed_until: Time | null
  error: string | null
  failed_at: Time | null
  created_at: DefaultTime
  traceparent: string | null
}
