import { z } from 'zod'
import { Account } from './account.ts'
import { entity, flag, id, type Json } from './entity.ts'
import { Status } from './status.ts'

/** https://docs.joinmastodon.org/entities/Conversation/ */
export const Conversation = entity('Conversation', {
  id,
  unread: flag,
  accounts: z.array(Account),
  last_status: Status.nullable(),
})
export interface Conversation extends Json<typeof Conversation> {}
