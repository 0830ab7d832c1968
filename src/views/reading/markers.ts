import type { Markers } from '#entities/marker.ts'
import type { MarkerRow } from '#domain/reading/notifications/markers.ts'
import { formatTime } from '#lib/time/time.ts'

/** Markers (https://docs.joinmastodon.org/entities/Marker/) by the name of their timeline. */
export function renderMarkers(rows: readonly MarkerRow[]): Markers {
  const entries = rows.map((row) => [
    row.timeline,
    { last_read_id: row.last_read_id, version: row.version, updated_at: formatTime(row.updated_at) },
  ])
  return Object.fromEntries(entries)
}
