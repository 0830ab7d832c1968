import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { keyBy } from '#lib/collections.ts'
import { createBatchLoader } from '#lib/concurrency/batch-loader.ts'
import { findLink, type LinkSource } from './find-link.ts'
import type { PreviewCardId, StatusId } from '#lib/id.ts'

/** How long a card is good, in milliseconds. */
export const cardFresh = 14 * 86_400_000
/** Posts of other servers reach many servers at once: each waits a random time, up to this many milliseconds. */
const remoteDelay = 60_000

interface Carrier extends LinkSource {
  id: StatusId
  card_id: PreviewCardId | null
  plain: boolean
}

/**
 * Gives a status the card of its first link, and has the card fetched when it is not known or old. Takes it away when
 * there is no link (any more), or when media or a quote are shown in its place. Idempotent.
 */
export async function attachCard(ctx: Ctx, statusId: StatusId): Promise<void> {
  const status = await findCarrier(ctx, statusId)
  if (!status) return
  const url = status.plain ? findLink(ctx.config, status) : null
  const card = url === null ? null : await findOrInsertCard(ctx, url)
  const cardId = card?.id ?? null
  if (cardId !== status.card_id) {
    await sql`
      update statuses set card_id = ${cardId}, version = version + 1
      where id = ${statusId} and card_id is distinct from ${cardId}::bigint`.execute(ctx.db)
  }
  if (card && !card.fresh) {
    const later = { runAt: new Date(ctx.clock.now() + Math.random() * remoteDelay) }
    const options = { key: `card:${card.id}`, maxAttempts: 3, background: true, ...(!status.local && later) }
    await ctx.jobs.add('fetch-card', { cardId: card.id }, options)
  }
}

/** Most links of posts are names and hashtags: what comes together is looked at together. */
const findCarrier = createBatchLoader<Reader, StatusId, Carrier | null>({
  max: 50,
  async run(reader, ids) {
    const { rows } = await sql<Carrier>`
      select s.id, s.local, s.text, s.content, s.card_id,
        s.media_ids = '{}' and not exists (select 1 from quotes q where q.status_id = s.id) as plain
      from statuses s
      where s.id = any(${ids}::bigint[]) and s.deleted_at is null and s.reblog_of_id is null
        and (s.card_id is not null or s.text like '%://%' or not s.local)`.execute(reader.db)
    const found = keyBy(rows, (row) => row.id)
    return ids.map((id) => found.get(id) ?? null)
  },
})

async function findOrInsertCard(ctx: Ctx, url: string): Promise<{ id: PreviewCardId; fresh: boolean }> {
  const hash = createHash('sha256').update(url).digest()
  const since = new Date(ctx.clock.now() - cardFresh)
  const { rows } = await sql<{ id: PreviewCardId; fresh: boolean }>`
    insert into preview_cards (id, url, url_hash, created_at)
    values (${ctx.newId()}, ${url}, ${hash}, ${new Date(ctx.clock.now())})
    on conflict (url_hash) do update set url_hash = excluded.url_hash
    returning id, coalesce(fetched_at > ${since}, false) as fresh`.execute(ctx.db)
  return rows[0] as { id: PreviewCardId; fresh: boolean }
}
