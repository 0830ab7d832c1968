import { z } from 'zod'
import { entity, text, type Json, type Schema } from '../entity.ts'

export const columnKind = z.enum([
  'home',
  'notifications',
  'local',
  'everything',
  'remote',
  'bookmarks',
  'favourites',
  'conversations',
  'list',
  'tag',
  'account',
  'search',
])

const column = z.strictObject({
  kind: columnKind,
  /** The id of a list, the name of a tag, the handle of an account, or what is looked for. */
  about: text.optional(),
})

/** What somebody reads beside each other, in order: an extension. Null: they have never chosen. */
const columns = entity('Columns', { columns: z.array(column).nullable() })
export interface Columns extends Json<typeof columns> {}
export const Columns: Schema<Columns> = columns
