// Everything that reads files of unknown origin, each in a process of its own that may fail.
import type { Images } from '#ports/images.ts'
import type { Log } from '#ports/log.ts'
import type { MediaProcessor } from '#ports/media-processor.ts'
import type { Ffmpeg } from './ffmpeg/ffmpeg.ts'
import { createImages } from './images/profile-images.ts'
import { createImageWorkers, type ImageWorkers } from './images/image-workers.ts'
import type { MediaLimits } from './rules.ts'

export interface Media {
  images: Images
  media: MediaProcessor
  /** Ends the processes. What was under way fails with AppError `unavailable`. */
  close(): Promise<void>
}

interface Opened {
  ffmpeg: Ffmpeg | null
  media: MediaProcessor
}

interface MediaOptions {
  limits: MediaLimits
  log: Log
  /** Those of somebody else, who ends them; its own unless told. */
  imageWorkers?: ImageWorkers | undefined
}

/** Looks for ffmpeg on PATH, and is loaded, when it is first wanted; processes are started when they are needed. */
export function createMedia({ limits, log, imageWorkers }: MediaOptions): Media {
  const workers = imageWorkers ?? createImageWorkers({ log })
  let opening: Promise<Opened> | undefined

  async function open(): Promise<Opened> {
    const [{ createFfmpeg, findFfmpeg }, { createMediaProcessor }] = await Promise.all([
      import('./ffmpeg/ffmpeg.ts'),
      import('./processor.ts'),
    ])
    const programs = await findFfmpeg(process.env['PATH'])
    if (!programs) log.info({}, 'ffmpeg is not installed: only pictures can be uploaded')
    const ffmpeg = programs && createFfmpeg(programs, { log })
    return { ffmpeg, media: createMediaProcessor({ limits, workers, ffmpeg }) }
  }

  const opened = () => (opening ??= open())
  const media = async () => (await opened()).media
  return {
    images: createImages(workers),
    media: {
      supportedTypes: async () => (await media()).supportedTypes(),
      identify: async (file) => (await media()).identify(file),
      process: async (file, options) => (await media()).process(file, options),
      preview: async (file, directory) => (await media()).preview(file, directory),
      ffmpegVersion: async () => (await media()).ffmpegVersion(),
    },
    async close() {
      const ffmpeg = opening && (await opening).ffmpeg
      await Promise.all([imageWorkers ? null : workers.close(), ffmpeg?.close()])
    },
  }
}
