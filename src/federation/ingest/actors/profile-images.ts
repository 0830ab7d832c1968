// Pictures of accounts and emoji of other servers: fetched ahead by jobs, and when somebody looks before these have.
import {
  findImageState,
  setRemoteImage,
  type ImageSource,
} from '#domain/identity/accounts/remote/remote-profile-images.ts'
import type { ImageKind } from '#domain/identity/accounts/profile/profile-images.ts'
import { loadHostPolicy } from '#domain/server/hosts/host-policy.ts'
import { findEmojiState, setRemoteEmojiImage } from '#domain/server/instance/emojis/remote-emoji-images.ts'
import type { Ctx } from '#ports/ctx.ts'
import { recallFailure, rememberFailure } from '#federation/fetch/failures.ts'
import { fetchImage } from '#federation/fetch/fetch-image.ts'
import { createSingleFlight } from '#lib/concurrency/single-flight.ts'
import type { AccountId, CustomEmojiId } from '#lib/id.ts'

/** How long a picture that could not be had is not asked for again because somebody looks, in seconds. */
const quietTime = 120

const share = createSingleFlight<boolean>()

/** Fetches one picture of an account and shows it. False when it cannot be had. */
export function fetchAccountImage(ctx: Ctx, accountId: AccountId, source: ImageSource): Promise<boolean> {
  const { kind, url } = source
  const maxBytes = ctx.config.limits.avatarBytes
  return share(ctx, `${kind} ${accountId} ${url}`, () =>
    fetchImage(ctx, { url, maxBytes }, (bytes) => setRemoteImage(ctx, accountId, source, bytes)),
  )
}

/** Fetches the picture of an emoji and shows it. False when it cannot be had. */
export function fetchEmoji(ctx: Ctx, emojiId: CustomEmojiId, url: string): Promise<boolean> {
  const maxBytes = ctx.config.limits.emojiBytes
  return share(ctx, `emoji ${emojiId} ${url}`, () =>
    fetchImage(ctx, { url, maxBytes }, (bytes) => setRemoteEmojiImage(ctx, emojiId, { url, bytes })),
  )
}

/** See `Remote.ensureImage`. */
export async function ensureAccountImage(
  ctx: Ctx,
  accountId: AccountId,
  kind: ImageKind,
): Promise<string | null> {
  const find = () => findImageState(ctx, accountId, kind)
  return ensure(ctx, `${kind} ${accountId}`, find, (url) => fetchAccountImage(ctx, accountId, { kind, url }))
}

/** See `Remote.ensureEmoji`. */
export async function ensureEmojiImage(ctx: Ctx, emojiId: CustomEmojiId): Promise<string | null> {
  return ensure(
    ctx,
    `emoji ${emojiId}`,
    () => findEmojiState(ctx, emojiId),
    (url) => fetchEmoji(ctx, emojiId, url),
  )
}

interface ImageState {
  /** Of the copy, where there is one. */
  key: string | null
  url: string | null
  /** Hosts of whose server it is. */
  hosts: readonly string[]
}

async function ensure(
  ctx: Ctx,
  name: string,
  find: () => Promise<ImageState | null>,
  fetch: (url: string) => Promise<boolean>,
): Promise<string | null> {
  const state = await find()
  if (!state || state.key !== null || state.url === null) return state?.key ?? null
  const failure = { kind: 'picture', name: `${name} ${state.url}`, seconds: quietTime }
  if (await recallFailure(ctx, failure.kind, failure.name)) return null
  if ((await loadHostPolicy(ctx, state.hosts)).rejectMedia) return null
  if (!(await fetch(state.url))) {
    await rememberFailure(ctx, failure, true)
    return null
  }
  return (await find())?.key ?? null
}
