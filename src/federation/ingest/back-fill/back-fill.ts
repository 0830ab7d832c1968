// What an account elsewhere wrote before anybody here followed it.
import { findRemoteCollections } from '#domain/identity/accounts/remote/remote-counts.ts'
import type { Ctx } from '#ports/ctx.ts'
import { fetchItems } from '#federation/fetch/collection.ts'
import { isSameHost, toId, toObject, typeOf } from '#federation/kit/json.ts'
import { ensureStatus } from '../notes/status.ts'
import type { AccountId } from '#lib/id.ts'

const maxItems = 20
/** How often an outbox is read, in seconds. */
const readAgain = 86_400

/** Fetches the latest posts of an account of another server, once a day at most. */
export async function backFill(ctx: Ctx, accountId: AccountId): Promise<void> {
  const account = await findRemoteCollections(ctx, accountId)
  if (!account?.outbox_url || !isSameHost(account.outbox_url, account.uri)) return
  if (!(await ctx.kv.setIfAbsent(`back-fill:${accountId}`, '1', readAgain).catch(() => true))) return
  const items = await fetchItems(ctx, account.outbox_url, { items: maxItems, pages: 1 })
  for (const item of items ?? []) {
    const object = typeOf(item) === 'Create' ? (item as { object?: unknown }).object : null
    const uri = toId(object)
    if (uri === null || !isSameHost(uri, account.uri)) continue
    const document = toObject(object)
    const isWhole = document !== null && toId(document['attributedTo']) === account.uri
    await ensureStatus(ctx, uri, isWhole ? { document } : {})
  }
}
