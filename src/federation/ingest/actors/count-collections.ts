// How many posts and followers an account of another server is said to have.
import {
  findRemoteCollections,
  setRemoteCounts,
  type RemoteCollections,
} from '#domain/identity/accounts/remote/remote-counts.ts'
import type { Ctx } from '#ports/ctx.ts'
import { fetchCollectionFacts } from '#federation/fetch/collection.ts'
import type { AccountId } from '#lib/id.ts'

/** How often an account is counted because it is judged, in seconds. */
const countedAgain = 86_400

/** Asks the server of an account for its counts, and stores them. */
export async function countCollections(
  ctx: Ctx,
  accountId: AccountId,
  account: RemoteCollections,
): Promise<void> {
  const urls = [account.outbox_url, account.followers_url, account.following_url]
  const [outbox, followers, following] = await Promise.all(
    urls.map((url) => (url === null ? null : fetchCollectionFacts(ctx, url))),
  )
  const known = [followers, following].filter((facts) => facts != null)
  await setRemoteCounts(ctx, accountId, {
    statuses: outbox?.total ?? null,
    followers: followers?.total ?? null,
    following: following?.total ?? null,
    hidesCollections: known.length === 0 ? null : known.some((facts) => !facts.isOpen),
  })
}

/**
 * Has the counts of an account be known before rules against spam ask for them: of one whose first post this is they are
 * asked for only afterwards. Once a day at most.
 */
export async function ensureCounted(ctx: Ctx, accountId: AccountId): Promise<void> {
  if (!(await ctx.kv.setIfAbsent(`judged-counts:${accountId}`, '1', countedAgain).catch(() => false))) return
  const account = await findRemoteCollections(ctx, accountId)
  if (account) await countCollections(ctx, accountId, account)
}
