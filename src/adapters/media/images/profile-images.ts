// Pictures of people and emoji, read in another process.
import { unprocessable } from '#lib/errors.ts'
import type { Images } from '#ports/images.ts'
import type { PictureWorkers } from './image-workers.ts'
import { sniffImage } from '../kit/sniff.ts'

export function createImages(workers: PictureWorkers): Images {
  return {
    async squeeze(bytes, options) {
      const type = sniffImage(bytes)
      if (!type) throw unprocessable('picture_type_unsupported')
      return workers.run('squeeze', { bytes, type, options })
    },
  }
}
