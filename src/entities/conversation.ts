import { z } from 'zod'
import { Account } from './account.ts'
import { entity, flag, id, type Json, type Schema } from './entity.ts'
import { Status } from './status.ts'

/** https://docs.joinmastodon.org/entities/Conversation/ */
const conversation = entity('Conversation', {
  id,
  unread: flag,
  accounts: z.array(Account),
  last_status: Status.nullable(),
})
export interface Conversation extends Json<typeof conversation> {}
export const Conversation: Schema<Conversation> = conversation
