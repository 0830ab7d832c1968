import { count, entity, id, time, type Json, type Schema } from './entity.ts'

/** https://docs.joinmastodon.org/entities/Marker/: one timeline. */
const marker = entity('Marker', { last_read_id: id, version: count, updated_at: time })
export interface Marker extends Json<typeof marker> {}
export const Marker: Schema<Marker> = marker

/** Those that are there. */
const markers = entity('Markers', { home: Marker.optional(), notifications: Marker.optional() })
export interface Markers extends Json<typeof markers> {}
export const Markers: Schema<Markers> = markers
