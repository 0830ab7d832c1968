import { count, entity, id, time, type Json } from './entity.ts'

/** https://docs.joinmastodon.org/entities/Marker/: one timeline. */
export const Marker = entity('Marker', { last_read_id: id, version: count, updated_at: time })
export interface Marker extends Json<typeof Marker> {}

/** Those that are there. */
export const Markers = entity('Markers', { home: Marker.optional(), notifications: Marker.optional() })
export interface Markers extends Json<typeof Markers> {}
