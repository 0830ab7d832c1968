import { entity } from './entity.ts'

/** What operations answer that have nothing to tell. */
export const Empty = entity('Empty', {})
