// Rows that hang on statuses, for tests that are about how they are shown.
import type { Ctx } from '#ports/ctx.ts'
import type { MediaFacts } from '#lib/media.ts'
import type { Person } from './people.ts'
import { asId, type MediaId, type PreviewCardId, type StatusId } from '#lib/id.ts'

export interface MediaOptions {
  type?: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  description?: string
  facts?: MediaFacts
  focus?: [number, number]
  bytes?: number
  /** Without one, only a remote address is known. */
  ending?: string | null
  /** False: no still picture. */
  preview?: boolean
  remoteUrl?: string
}

/** An attachment as processing leaves it, without its files. */
export async function insertMedia(ctx: Ctx, owner: Person, options: MediaOptions = {}): Promise<MediaId> {
  const { ending = 'png', preview = true } = options
  const id = ctx.newId<MediaId>()
  await ctx.db
    .insertInto('media_attachments')
    .values({
      id,
      account_id: owner.accountId,
      type: options.type ?? 'image',
      state: 'complete',
      description: options.description ?? '',
      facts: JSON.stringify(options.facts ?? { width: 400, height: 300 }),
      focus_x: options.focus?.[0] ?? null,
      focus_y: options.focus?.[1] ?? null,
      original_key: ending === null ? null : `media_attachments/${id}/original.${ending}`,
      original_bytes: String(options.bytes ?? 0),
      preview_key: preview && ending !== null ? `media_attachments/${id}/small.webp` : null,
      preview_width: preview ? 200 : null,
      preview_height: preview ? 150 : null,
      remote_url: options.remoteUrl ?? null,
    })
    .execute()
  return id
}

/** Gives a status the preview of a link. */
export async function insertCard(
  ctx: Ctx,
  statusId: string,
  card: Record<string, string | number | null>,
): Promise<void> {
  const id = ctx.newId<PreviewCardId>()
  const url = String(card['url'] ?? 'https://news.example/story')
  await ctx.db
    .insertInto('preview_cards')
    .values({ id, url_hash: Buffer.from(`${url}#${id}`), ...card, url })
    .execute()
  await changeStatus(ctx, statusId, { card_id: id })
}

/** Writes to the row of a status, so that it is rendered anew. */
export async function changeStatus(
  ctx: Ctx,
  statusId: string,
  values: Record<string, string | boolean | Date | null>,
): Promise<void> {
  await ctx.db
    .updateTable('statuses')
    .set((eb) => ({ ...values, version: eb('version', '+', 1) }))
    .where('id', '=', asId<StatusId>(statusId))
    .execute()
}
