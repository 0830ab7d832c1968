import type { Ctx } from '#ports/ctx.ts'
import type { EventOf } from '#ports/events.ts'
import { processMedia } from '#domain/content/media/process.ts'

/** So many are converted at a time: half of what the worker can do at once. */
const queues = 2n

/** Makes a film or a sound ready that was uploaded. */
export const processUpload = {
  name: 'process-media',
  slow: true,
  queue: ({ mediaId }: EventOf<'media.uploaded'>) => `media-${(BigInt(mediaId) >> 16n) % queues}`,
  run: (ctx: Ctx, event: EventOf<'media.uploaded'>) => processMedia(ctx, event.mediaId),
}
