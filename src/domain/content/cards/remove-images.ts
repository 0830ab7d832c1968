import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { abandonFiles } from '#domain/content/media/files.ts'
import type { IdCursor, PreviewCardId } from '#lib/id.ts'

const day = 86_400_000
const batch = 200

export interface CardChoice {
  /** Of cards that were last read so long ago, in days. */
  days: number
  /** Those of pictures and films stay. */
  onlyLinks?: boolean
  dryRun?: boolean
  /** Called with how many cards were looked at. */
  onDone?: (count: number) => void
}

export interface CardImages {
  files: number
  bytes: number
}

/** Removes the pictures of old preview cards. The cards stay, and get a picture again when their page is next read. */
export async function removeCardImages(ctx: Ctx, choice: CardChoice): Promise<CardImages> {
  const total: CardImages = { files: 0, bytes: 0 }
  for (let after: IdCursor = '0'; ;) {
    const cards = await listOld(ctx, after, choice)
    if (!choice.dryRun) await removeFrom(ctx, cards)
    total.files += cards.length
    total.bytes += cards.reduce((sum, card) => sum + card.bytes, 0)
    choice.onDone?.(cards.length)
    if (cards.length < batch) return total
    after = cards.at(-1)?.id ?? after
  }
}

interface Card {
  id: PreviewCardId
  bytes: number
}

async function listOld(
  reader: Reader,
  after: IdCursor,
  { days, onlyLinks = false }: CardChoice,
): Promise<Card[]> {
  const before = new Date(reader.clock.now() - days * day)
  const { rows } = await sql<Card>`
    select id, image_bytes::float8 as bytes from preview_cards
    where id > ${after} and image_key is not null and coalesce(fetched_at, created_at) < ${before}
      and (${!onlyLinks} or type = 'link')
    order by id limit ${batch}`.execute(reader.db)
  return rows
}

/** Statuses get a new version: what is kept of them rendered names the picture. */
async function removeFrom(ctx: Ctx, cards: readonly Card[]): Promise<void> {
  const ids = cards.map((card) => card.id)
  await ctx.transaction(async (tx) => {
    const { rows } = await sql<{ image_key: string }>`
      with before as (
        select id, image_key from preview_cards
        where id = any(${ids}::bigint[]) and image_key is not null order by id for update),
      shown as (update statuses set version = version + 1 where card_id in (select id from before))
      update preview_cards c set image_key = null, image_bytes = 0 from before b where c.id = b.id
      returning b.image_key`.execute(tx.db)
    await abandonFiles(
      tx,
      rows.map((row) => row.image_key),
    )
  })
}
