import { z } from 'zod'
import { entity, flag, id, text, type Json, type Schema } from './entity.ts'

/** https://docs.joinmastodon.org/entities/List/ */
const list = entity('List', {
  id,
  title: text,
  replies_policy: z.enum(['followed', 'list', 'none']),
  exclusive: flag,
})
export interface List extends Json<typeof list> {}
export const List: Schema<List> = list
