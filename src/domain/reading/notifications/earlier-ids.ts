// Ids of notifications that apps keep from a version whose ids were times (migration 12). They are above all there are
// now: whoever asks for what is newer than such a one would never hear of anything again.
import type { Reader } from '#ports/ctx.ts'
import { idToTime } from '#lib/ids.ts'
import type { PageRequest } from '#lib/page.ts'
import { findFirstIdSince } from './find-since.ts'
import type { IdCursor } from '#lib/id.ts'

/** Before there was this software: no id is of a time before that, and none from the sequence gets so far. */
const beginning = Date.UTC(2025, 0)
const isEarlier = (id: IdCursor) => idToTime(id) >= beginning

/** The newest id up to the time of an earlier one; any other id as it is. */
export async function readLastId(reader: Reader, id: IdCursor): Promise<IdCursor> {
  if (!isEarlier(id)) return id
  const next = await findFirstIdSince(reader, new Date(idToTime(id) + 1))
  return String(BigInt(next) - 1n)
}

/** The same page, by ids that there are. */
export async function readCursors(reader: Reader, page: PageRequest): Promise<PageRequest> {
  const { maxId, sinceId, minId } = page
  const isLimit = maxId !== undefined && isEarlier(maxId)
  return {
    ...page,
    ...(isLimit && { maxId: await findFirstIdSince(reader, new Date(idToTime(maxId))) }),
    ...(sinceId !== undefined && { sinceId: await readLastId(reader, sinceId) }),
    ...(minId !== undefined && { minId: await readLastId(reader, minId) }),
  }
}
