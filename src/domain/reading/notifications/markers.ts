import { sql, type Selectable } from 'kysely'
import type { MarkersTable } from '#db/schema/feeds.ts'
import type { Ctx, Reader, Tx } from '#ports/ctx.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { conflict } from '#lib/errors.ts'
import { readLastId } from './earlier-ids.ts'
import type { AccountId, IdCursor } from '#lib/id.ts'

const markedTimelines = ['home', 'notifications'] as const
export type MarkedTimeline = (typeof markedTimelines)[number]

/** How far somebody has read. */
export type MarkerRow = Pick<Selectable<MarkersTable>, 'last_read_id' | 'version' | 'updated_at'> & {
  timeline: MarkedTimeline
}

/** The viewer's markers of these timelines; those never set are left out. */
export async function listMarkers(
  reader: Reader,
  viewerId: AccountId,
  timelines: readonly string[],
): Promise<MarkerRow[]> {
  const { rows } = await sql<MarkerRow>`
    select timeline, last_read_id, version, updated_at from markers
    where account_id = ${viewerId} and timeline = any(${timelines}::text[]) order by timeline`.execute(
    reader.db,
  )
  return rows
}

/**
 * Sets markers, all of them or none. Throws `conflict` when another device sets one at the same time: that device's
 * place is then the one that counts.
 */
export async function saveMarkers(
  ctx: Ctx,
  viewer: Viewer,
  places: Readonly<Partial<Record<MarkedTimeline, IdCursor | undefined>>>,
): Promise<MarkerRow[]> {
  const timelines = markedTimelines.filter((timeline) => places[timeline] !== undefined)
  if (timelines.length === 0) return []
  const known = await listMarkers(ctx, viewer.accountId, timelines)
  const { notifications } = places
  const found = notifications && { notifications: await readLastId(ctx, notifications) }
  const ids = { ...places, ...found }
  return ctx.transaction(async (tx) => {
    const saved: MarkerRow[] = []
    for (const timeline of timelines) {
      const version = known.find((marker) => marker.timeline === timeline)?.version ?? 0
      saved.push(
        await saveMarker(tx, viewer.accountId, { timeline, version, lastReadId: ids[timeline] as IdCursor }),
      )
      await tx.emit({ type: 'marker.updated', accountId: viewer.accountId, timeline })
    }
    return saved
  })
}

/** `version` is the one that was read. */
async function saveMarker(
  tx: Tx,
  accountId: AccountId,
  place: { timeline: MarkedTimeline; version: number; lastReadId: IdCursor },
): Promise<MarkerRow> {
  const { timeline, version, lastReadId } = place
  const { rows } = await sql<MarkerRow>`
    insert into markers (account_id, timeline, last_read_id, version, updated_at)
    values (${accountId}, ${timeline}, ${lastReadId}, 1, ${new Date(tx.clock.now())})
    on conflict (account_id, timeline) do update
    set last_read_id = excluded.last_read_id, version = markers.version + 1, updated_at = excluded.updated_at
    where markers.version = ${version}
    returning timeline, last_read_id, version, updated_at`.execute(tx.db)
  if (!rows[0]) throw conflict('update_conflict')
  return rows[0]
}
