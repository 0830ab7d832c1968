import type { Account } from '#entities/account.ts'
import type { PreviewCard, PreviewCardAuthor } from '#entities/preview-card.ts'
import type { Config } from '#ports/ctx.ts'
import type { CardRow } from '#domain/content/cards/load.ts'
import { mediaUrl } from '#domain/server/instance/urls.ts'
import { formatTime } from '#lib/time/time.ts'

/** PreviewCard (https://docs.joinmastodon.org/entities/PreviewCard/). `author`: the account that wrote the page. */
export function renderCard(config: Config, row: CardRow, author: Account | null): PreviewCard {
  return {
    url: row.url,
    title: row.title,
    description: row.description,
    language: row.language,
    type: row.type,
    author_name: row.author_name,
    author_url: row.author_url,
    provider_name: row.provider_name,
    provider_url: row.provider_url,
    html: row.html,
    width: row.width,
    height: row.height,
    image: row.image_key === null ? null : mediaUrl(config, row.image_key),
    image_description: row.image_description,
    embed_url: row.embed_url,
    blurhash: row.blurhash,
    published_at: row.published_at === null ? null : formatTime(row.published_at),
    authors: renderAuthors(row, author),
  }
}

/** An author has to have an address: where none is known, it is that of what they wrote. */
function renderAuthors(row: CardRow, author: Account | null): PreviewCardAuthor[] {
  if (author === null && row.author_name === '') return []
  const name = row.author_name || String(author?.display_name || author?.username)
  return [{ name, url: row.author_url || (author?.url ?? row.url), account: author }]
}
