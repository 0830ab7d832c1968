import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { hydrateCached, type Versioned } from './cached.ts'
import { hydrateEmojis } from './emojis.ts'
import { loadMentions, loadStatusRows, loadTagsOf, type StatusRow } from '#domain/statuses/load-rows.ts'
import { renderStatusStatic, type StatusStatic } from '../render/status.ts'

/** The static parts of statuses: from the cache, the rest by a constant number of queries. */
export function hydrateStatusStatics(ctx: Ctx, lines: Iterable<Versioned>): Promise<Map<Id, StatusStatic>> {
  return hydrateCached(ctx.caches.statuses, lines, (ids) => renderMissing(ctx, ids))
}

async function renderMissing(ctx: Ctx, ids: readonly Id[]): Promise<[StatusRow, StatusStatic][]> {
  const [rows, mentions, tags] = await Promise.all([
    loadStatusRows(ctx, ids),
    loadMentions(ctx, ids),
    loadTagsOf(ctx, ids),
  ])
  const source = (row: StatusRow) => ({
    text: `${row.spoiler_text}\n${row.text || row.content}`,
    domain: row.author_domain,
  })
  const emojisOf = await hydrateEmojis(ctx, rows.map(source))
  return rows.map((row) => [
    row,
    renderStatusStatic(ctx.config, {
      row,
      mentions: mentions.get(row.id) ?? [],
      tags: tags.get(row.id) ?? [],
      emojis: emojisOf(source(row)),
    }),
  ])
}
