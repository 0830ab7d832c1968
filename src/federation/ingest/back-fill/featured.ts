// What an account elsewhere shows on top of its profile.
import type { RemoteCollections } from '#domain/identity/accounts/remote/remote-counts.ts'
import { replaceRemotePins } from '#domain/content/statuses/remote/remote-pins.ts'
import { replaceRemoteFeaturedTags } from '#domain/content/tags/remote-featured-tags.ts'
import type { Ctx } from '#ports/ctx.ts'
import { fetchItems } from '#federation/fetch/collection.ts'
import { isObject, isSameHost, toId } from '#federation/kit/json.ts'
import { ensureStatus } from '../notes/status.ts'
import { readTags } from '../actors/tags.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

const max = { pins: 20, tags: 30 }

type Featured = Pick<RemoteCollections, 'uri' | 'featured_url' | 'featured_tags_url'>

/** Fetches pinned posts and featured hashtags. What cannot be had stays as it was. */
export async function fetchFeatured(ctx: Ctx, accountId: AccountId, account: Featured): Promise<void> {
  if (account.featured_url !== null)
    await fetchPins(ctx, accountId, { ...account, featured_url: account.featured_url })
  if (account.featured_tags_url === null) return
  const tags = await fetchItems(ctx, account.featured_tags_url, { items: max.tags, pages: 1 })
  if (tags) await replaceRemoteFeaturedTags(ctx, accountId, readTags({ tag: tags }).hashtags)
}

async function fetchPins(
  ctx: Ctx,
  accountId: AccountId,
  { uri, featured_url: url }: { uri: string; featured_url: string },
): Promise<void> {
  const items = await fetchItems(ctx, url, { items: max.pins, pages: 1 })
  if (!items) return
  const ids: StatusId[] = []
  for (const item of items) {
    const id = toId(item)
    // Only the account's own server says what the account wrote.
    if (id === null || !isSameHost(id, uri)) continue
    const isWhole = isObject(item) && toId(item['attributedTo']) === uri
    const statusId = await ensureStatus(ctx, id, isWhole ? { document: item } : {})
    if (statusId !== null) ids.push(statusId)
  }
  await replaceRemotePins(ctx, accountId, ids)
}
