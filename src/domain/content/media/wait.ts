import { setTimeout as sleep } from 'node:timers/promises'
import type { Reader } from '#ports/ctx.ts'
import { AppError, unprocessable } from '#lib/errors.ts'
import { readReason } from '#lib/messages/keep-reason.ts'
import { getMediaRow, type MediaRow } from './load.ts'
import type { MediaId } from '#lib/id.ts'

const lookEvery = 200
const failure = (kept: string | null) =>
  kept === null ? unprocessable('media_failed') : new AppError('invalid', readReason(kept))

/** Throws `invalid` when the file turned out not to be one that can be shown. */
export function assertUsable(media: MediaRow): void {
  if (media.state === 'failed') throw failure(media.error)
}

/**
 * The attachment once it is ready, or as it is after `milliseconds`. Throws `invalid` when it has failed, and
 * `not_found` when it is gone.
 */
export async function waitForMedia(reader: Reader, id: MediaId, milliseconds: number): Promise<MediaRow> {
  const deadline = performance.now() + milliseconds
  for (;;) {
    const media = await getMediaRow(reader, id)
    assertUsable(media)
    if (media.state === 'complete' || performance.now() > deadline) return media
    await sleep(lookEvery)
  }
}
