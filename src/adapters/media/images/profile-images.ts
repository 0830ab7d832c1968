// Pictures of people and emoji, read in another process.
import { unprocessable } from '#lib/errors.ts'
import type { Images } from '#ports/images.ts'
import type { ImageWorkers } from './image-workers.ts'
import { sniffImage } from '../kit/sniff.ts'

export function createImages(workers: ImageWorkers): Images {
  return {
    async resizeImage(bytes, options) {
      const type = sniffImage(bytes)
      if (!type) throw unprocessable('picture_type_unsupported')
      return workers.run('resizeImage', { bytes, type, options })
    },
  }
}
