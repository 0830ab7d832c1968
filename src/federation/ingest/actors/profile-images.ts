// Pictures of accounts and emoji of other servers: fetched ahead by jobs, and when somebody looks before these have.
import {
  findPictureState,
  setRemotePicture,
  type PictureSource,
} from '#domain/identity/accounts/remote/remote-profile-images.ts'
import type { PictureKind } from '#domain/identity/accounts/profile/profile-images.ts'
import { loadHostPolicy } from '#domain/server/hosts/host-policy.ts'
import { findEmojiState, setRemoteEmojiPicture } from '#domain/server/instance/emojis/remote-emoji-images.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Id } from '#lib/id.ts'
import { recallFailure, rememberFailure } from '#federation/fetch/failures.ts'
import { fetchPicture } from '#federation/fetch/fetch-image.ts'
import { createSharing } from '#federation/kit/single-flight.ts'

/** How long a picture that could not be had is not asked for again because somebody looks, in seconds. */
const quietTime = 120

const share = createSharing<boolean>()

/** Fetches one picture of an account and shows it. False when it cannot be had. */
export function fetchAccountPicture(ctx: Ctx, accountId: Id, source: PictureSource): Promise<boolean> {
  const { kind, url } = source
  const maxBytes = ctx.config.limits.avatarBytes
  return share(ctx, `${kind} ${accountId} ${url}`, () =>
    fetchPicture(ctx, { url, maxBytes }, (bytes) => setRemotePicture(ctx, accountId, source, bytes)),
  )
}

/** Fetches the picture of an emoji and shows it. False when it cannot be had. */
export function fetchEmoji(ctx: Ctx, emojiId: Id, url: string): Promise<boolean> {
  const maxBytes = ctx.config.limits.emojiBytes
  return share(ctx, `emoji ${emojiId} ${url}`, () =>
    fetchPicture(ctx, { url, maxBytes }, (bytes) => setRemoteEmojiPicture(ctx, emojiId, { url, bytes })),
  )
}

/** See `Remote.ensurePicture`. */
export async function ensureAccountPicture(
  ctx: Ctx,
  accountId: Id,
  kind: PictureKind,
): Promise<string | null> {
  const find = () => findPictureState(ctx, accountId, kind)
  return ensure(ctx, `${kind} ${accountId}`, find, (url) =>
    fetchAccountPicture(ctx, accountId, { kind, url }),
  )
}

/** See `Remote.ensureEmoji`. */
export async function ensureEmojiPicture(ctx: Ctx, emojiId: Id): Promise<string | null> {
  return ensure(
    ctx,
    `emoji ${emojiId}`,
    () => findEmojiState(ctx, emojiId),
    (url) => fetchEmoji(ctx, emojiId, url),
  )
}

interface PictureState {
  /** Of the copy, where there is one. */
  key: string | null
  url: string | null
  /** Hosts of whose server it is. */
  hosts: readonly string[]
}

async function ensure(
  ctx: Ctx,
  name: string,
  find: () => Promise<PictureState | null>,
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
