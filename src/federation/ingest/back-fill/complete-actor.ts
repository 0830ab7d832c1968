// What belongs to an actor beside its document: fetched once it is stored, when nobody waits for it.
import { listImageSources } from '#domain/identity/accounts/remote/remote-profile-images.ts'
import { findRemoteCollections } from '#domain/identity/accounts/remote/remote-counts.ts'
import { verifyLinks } from '#domain/identity/accounts/profile/verify-links.ts'
import { findEmojiSource } from '#domain/server/instance/emojis/remote-emoji-images.ts'
import { loadHostPolicy } from '#domain/server/hosts/host-policy.ts'
import type { Ctx } from '#ports/ctx.ts'
import { learnHost } from '#federation/fetch/node-info.ts'
import { countCollections } from '../actors/count-collections.ts'
import { fetchFeatured } from './featured.ts'
import { fetchAccountImage, fetchEmoji } from '../actors/profile-images.ts'
import type { AccountId, CustomEmojiId } from '#lib/id.ts'

/** How often what is beside the document is read again, in seconds. */
const readAgain = 86_400

export interface SavedActor {
  accountId: AccountId
  first: boolean
  picturesChanged: boolean
}

/** Fetches pictures, counters, featured posts and tags of a stored account, and what its server runs. Idempotent. */
export async function completeActor(ctx: Ctx, saved: SavedActor): Promise<void> {
  const { accountId } = saved
  const account = await findRemoteCollections(ctx, accountId)
  if (!account) return
  if (saved.picturesChanged) await fetchImages(ctx, accountId)
  // Without a store the first time counts.
  const isDue = await ctx.kv.setIfAbsent(`actor-parts:${accountId}`, '1', readAgain).catch(() => saved.first)
  if (!isDue && !saved.first) return
  await countCollections(ctx, accountId, account)
  await fetchFeatured(ctx, accountId, account)
  await verifyLinks(ctx, accountId)
  if (account.uri_host !== null) await learnHost(ctx, account.uri_host)
}

async function fetchImages(ctx: Ctx, accountId: AccountId): Promise<void> {
  for (const source of await listImageSources(ctx, accountId)) await fetchAccountImage(ctx, accountId, source)
}

/** Fetches the picture of a custom emoji, unless no media are taken from its server. */
export async function fetchEmojiImage(ctx: Ctx, emojiId: CustomEmojiId): Promise<void> {
  const emoji = await findEmojiSource(ctx, emojiId)
  if (!emoji || (await loadHostPolicy(ctx, [emoji.domain])).rejectMedia) return
  await fetchEmoji(ctx, emojiId, emoji.url)
}
