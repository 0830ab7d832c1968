// What an account elsewhere wrote before anybody here followed it, or looks at it.
import { findRemoteCollections } from '#domain/identity/accounts/remote/remote-counts.ts'
import { loadKnownStatuses } from '#domain/content/statuses/remote/remote-references.ts'
import type { Ctx } from '#ports/ctx.ts'
import { fetchItems } from '#federation/fetch/collection.ts'
import { isSameHost, toId, toObject, typeOf, type JsonObject } from '#federation/kit/json.ts'
import { ensureStatus } from '../notes/status.ts'
import type { AccountId } from '#lib/id.ts'

const maxItems = 20
/** How often an outbox is read, in seconds. */
const readAgain = 86_400

/** Fetches the latest posts of an account of another server, once a day at most. */
export async function backFill(ctx: Ctx, accountId: AccountId): Promise<void> {
  if (await ctx.kv.setIfAbsent(`back-fill:${accountId}`, '1', readAgain).catch(() => true))
    await fetchLatest(ctx, accountId)
}

/**
 * Fetches the latest posts of an account of another server: what its outbox begins with, without what it boosted. `onPost`
 * is told how many have come, each time.
 */
export async function fetchLatest(
  ctx: Ctx,
  accountId: AccountId,
  onPost: (count: number) => Promise<void> = async () => {},
): Promise<void> {
  const account = await findRemoteCollections(ctx, accountId)
  if (!account?.outbox_url || !isSameHost(account.outbox_url, account.uri)) return
  const items = await fetchItems(ctx, account.outbox_url, { items: maxItems, pages: 1 })
  const posts = (items ?? []).flatMap((item) => readPost(item, account.uri) ?? [])
  const known = await loadKnownStatuses(
    ctx,
    posts.map(({ uri }) => uri),
  )
  let count = 0
  // The oldest first: of those that were published in one second a later one has the larger id.
  for (const { uri, document } of posts.toReversed()) {
    if (known.has(uri)) continue
    const id = await ensureStatus(ctx, uri, document ? { document } : {})
    if (id !== null) await onPost(++count)
  }
}

/** What was written, by its address; only the account's own server says what the account wrote. */
function readPost(item: unknown, accountUri: string): { uri: string; document: JsonObject | null } | null {
  const object = typeOf(item) === 'Create' ? (item as { object?: unknown }).object : null
  const uri = toId(object)
  if (uri === null || !isSameHost(uri, accountUri)) return null
  const document = toObject(object)
  return { uri, document: document && toId(document['attributedTo']) === accountUri ? document : null }
}
