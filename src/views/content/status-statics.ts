import type { Ctx } from '#ports/ctx.ts'
import { loadCards } from '#domain/content/cards/load.ts'
import { loadMedia } from '#domain/content/media/load.ts'
import { loadPolls } from '#domain/content/polls/load.ts'
import {
  loadMentions,
  loadStatusRows,
  loadTagsOf,
  type StatusRow,
} from '#domain/content/statuses/load-rows.ts'
import { loadQuotes } from '#domain/content/statuses/quotes/load.ts'
import { pick, valueOf } from '#lib/collections.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import { renderCard } from '../render/card.ts'
import { renderMedia } from '../render/media.ts'
import { renderStatusStatic, type StatusStatic } from '../render/status.ts'
import { hydrateCached, type Versioned } from '../hydrate/cached.ts'
import { hydrateEmojis } from '../hydrate/emojis.ts'
import type { StatusId } from '#lib/id.ts'

/** The static parts of statuses: from the cache, the rest by a constant number of queries. */
export async function hydrateStatusStatics(
  ctx: Ctx,
  lines: Iterable<Versioned<StatusId>>,
): Promise<Map<StatusId, StatusStatic>> {
  const statics = await hydrateCached(ctx.caches.statuses, lines, (ids) => renderMissing(ctx, ids))
  await addCardAuthors(ctx, statics)
  return statics
}

/** Accounts change without the statuses whose links lead to what they wrote, so they are not kept with these. */
async function addCardAuthors(ctx: Ctx, statics: Map<StatusId, StatusStatic>): Promise<void> {
  const ids = [...statics.values()].flatMap(({ authored }) => authored?.row.author_account_id ?? [])
  if (ids.length === 0) return
  const accounts = await loadAccountViews(ctx, [...new Set(ids)])
  for (const [id, fixed] of statics) {
    const { authored } = fixed
    const account = valueOf(accounts, authored?.row.author_account_id)
    if (!authored || !account || account.suspended) continue
    const card = renderCard(ctx.config, authored.row, account)
    statics.set(id, { ...fixed, authored: { ...authored, card } })
  }
}

async function renderMissing(ctx: Ctx, ids: readonly StatusId[]): Promise<[StatusRow, StatusStatic][]> {
  const rows = await loadStatusRows(ctx, ids)
  const parts = await loadParts(ctx, rows)
  const pollText = (row: StatusRow) => valueOf(parts.polls, row.poll_id)?.options.join('\n') ?? ''
  const source = (row: StatusRow) => ({
    text: `${row.spoiler_text}\n${row.text || row.content}\n${pollText(row)}`,
    domain: row.author_domain,
  })
  const pollSource = (row: StatusRow) => ({ text: pollText(row), domain: row.author_domain })
  const emojisOf = await hydrateEmojis(ctx, rows.map(source))
  return rows.map((row) => {
    const cardRow = valueOf(parts.cards, row.card_id)
    const card = cardRow ? renderCard(ctx.config, cardRow, null) : null
    const poll = valueOf(parts.polls, row.poll_id)
    return [
      row,
      renderStatusStatic(ctx.config, {
        row,
        mentions: parts.mentions.get(row.id) ?? [],
        tags: parts.tags.get(row.id) ?? [],
        emojis: emojisOf(source(row)),
        media: pick(row.media_ids, parts.media).map((one) => renderMedia(ctx.config, one)),
        card,
        authored: card && cardRow?.author_account_id ? { row: cardRow, card } : null,
        poll: poll ? { row: poll, emojis: emojisOf(pollSource(row)) } : null,
        quote: parts.quotes.get(row.id) ?? null,
      }),
    ]
  })
}

/** All that hangs on these statuses: one query a kind, and none for kinds that none of them has. */
async function loadParts(ctx: Ctx, rows: readonly StatusRow[]) {
  const ids = rows.map((row) => row.id)
  const [mentions, tags, quotes, media, polls, cards] = await Promise.all([
    loadMentions(ctx, ids),
    loadTagsOf(ctx, ids),
    loadQuotes(ctx, ids),
    loadMedia(
      ctx,
      rows.flatMap((row) => row.media_ids),
    ),
    loadPolls(
      ctx,
      rows.flatMap((row) => row.poll_id ?? []),
    ),
    loadCards(
      ctx,
      rows.flatMap((row) => row.card_id ?? []),
    ),
  ])
  return { mentions, tags, quotes, media, polls, cards }
}
