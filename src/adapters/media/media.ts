// Everything that reads files of unknown origin, each in a process of its own that may fail.
import type { Images } from '#ports/images.ts'
import type { Log } from '#ports/log.ts'
import type { MediaProcessor } from '#ports/media-processor.ts'
import { createFfmpeg, findFfmpeg } from './ffmpeg/ffmpeg.ts'
import { createImages } from './images/profile-images.ts'
import { createImageWorkers } from './images/image-workers.ts'
import { createMediaProcessor } from './processor.ts'
import type { MediaLimits } from './rules.ts'

export interface Media {
  images: Images
  media: MediaProcessor
  /** Ends the processes. What was under way fails with AppError `unavailable`. */
  close(): Promise<void>
}

/** Looks for ffmpeg on PATH once; processes are started when they are needed. */
export async function createMedia({ limits, log }: { limits: MediaLimits; log: Log }): Promise<Media> {
  const workers = createImageWorkers({ log })
  const programs = await findFfmpeg(process.env['PATH'])
  if (!programs) log.info({}, 'ffmpeg is not installed: only pictures can be uploaded')
  const ffmpeg = programs && createFfmpeg(programs, { log })
  return {
    images: createImages(workers),
    media: createMediaProcessor({ limits, workers, ffmpeg }),
    async close() {
      await Promise.all([workers.close(), ffmpeg?.close()])
    },
  }
}
