import { z } from 'zod'
import { entity, flag, id, text, type Json } from './entity.ts'

/** https://docs.joinmastodon.org/entities/List/ */
export const List = entity('List', {
  id,
  title: text,
  replies_policy: z.enum(['followed', 'list', 'none']),
  exclusive: flag,
})
export interface List extends Json<typeof List> {}
