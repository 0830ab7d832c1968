// Files of other servers as their statuses name them. They are fetched when somebody looks (fetch-remote.ts).
import { sql } from 'kysely'
import type { Tx } from '#ports/ctx.ts'
import type { MediaFacts, MediaKind } from '#lib/media.ts'
import type { AccountId, MediaId, StatusId } from '#lib/id.ts'

export interface RemoteMedia {
  type: MediaKind | 'unknown'
  url: string
  previewUrl: string | null
  description: string
  blurhash: string | null
  focus: { x: number; y: number } | null
  /** What its server says of its size. */
  facts: MediaFacts
}

/** The rows of files that a status has. Returns their ids in order. */
export async function insertRemoteMedia(
  tx: Tx,
  status: { id: StatusId; accountId: AccountId },
  media: readonly RemoteMedia[],
  ids: readonly MediaId[] = media.map(() => tx.newId()),
): Promise<readonly MediaId[]> {
  if (media.length === 0) return []
  const createdAt = new Date(tx.clock.now())
  await tx.db
    .insertInto('media_attachments')
    .values(
      media.map((row, index) => ({
        id: ids[index] ?? tx.newId<MediaId>(),
        account_id: status.accountId,
        status_id: status.id,
        type: row.type,
        state: 'complete',
        description: row.description,
        focus_x: row.focus?.x ?? null,
        focus_y: row.focus?.y ?? null,
        blurhash: row.blurhash,
        facts: JSON.stringify(row.facts),
        remote_url: row.url,
        remote_preview_url: row.previewUrl,
        free_since: createdAt,
        created_at: createdAt,
      })),
    )
    .execute()
  return ids
}

interface Stored {
  id: MediaId
  remote_url: string
}

/**
 * What an edit makes of a status's files: those it has under the same address stay, described anew, and the others
 * come to be. Returns the ids it then has, in order.
 */
export async function changeRemoteMedia(
  tx: Tx,
  status: { id: StatusId; accountId: AccountId },
  media: readonly RemoteMedia[],
): Promise<MediaId[]> {
  const { rows } = await sql<Stored>`
    select id, remote_url from media_attachments
    where status_id = ${status.id} and remote_url is not null order by id desc`.execute(tx.db)
  const idOf = new Map(rows.map((row) => [row.remote_url, row.id]))
  for (const one of media) {
    const id = idOf.get(one.url)
    if (id !== undefined) await describe(tx, id, one)
  }
  const fresh = media.filter((one) => !idOf.has(one.url))
  const freshIds = await insertRemoteMedia(tx, status, fresh)
  for (const [index, one] of fresh.entries()) {
    const id = freshIds[index]
    if (id !== undefined) idOf.set(one.url, id)
  }
  return [...new Set(media.flatMap((one) => idOf.get(one.url) ?? []))]
}

async function describe(tx: Tx, id: MediaId, { description, focus }: RemoteMedia): Promise<void> {
  await sql`
    update media_attachments set description = ${description}, focus_x = ${focus?.x ?? null},
      focus_y = ${focus?.y ?? null}
    where id = ${id}`.execute(tx.db)
}
