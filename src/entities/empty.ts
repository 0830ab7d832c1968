import { entity, type Json, type Schema } from './entity.ts'

/** What operations answer that have nothing to tell. */
const empty = entity('Empty', {})
export interface Empty extends Json<typeof empty> {}
export const Empty: Schema<Empty> = empty
