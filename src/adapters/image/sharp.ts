import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { AppError, isAppError } from '#lib/errors.ts'
import type { Images, SqueezedImage, SqueezedType, SqueezeOptions } from '#ports/images.ts'
import { createGate } from './gate.ts'
import { sniffImage, type SniffedType } from './sniff.ts'

const maxFrames = 1000
const maxSeconds = 20
const outputs = { jpeg: 'jpeg', png: 'png', gif: 'png', webp: 'webp', heif: 'jpeg' } as const

/** Pictures by libvips, two at a time on one thread each, so that the rest of the server keeps breathing. */
export function createSharpImages(): Images {
  sharp.cache(false)
  sharp.concurrency(1)
  // Only the decoders of the types we take, whatever else libvips knows (SVG, PDF, TIFF …).
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Nsgif', 'Webp', 'Heif'].map((name) => `VipsForeignLoad${name}`),
  })
  const gate = createGate({ limit: 2, maxWaiting: 200 })
  return {
    async squeeze(input, options) {
      const type = sniffImage(input)
      if (!type) throw new AppError('invalid', 'The file is not a picture of a supported type')
      return gate(() => squeeze(input, type, options)).catch((error: unknown) => {
        if (isAppError(error)) throw error
        throw new AppError('invalid', 'The picture cannot be read', { cause: error })
      })
    },
  }
}

async function squeeze(input: Buffer, type: SniffedType, options: SqueezeOptions): Promise<SqueezedImage> {
  const limits: SharpOptions = { limitInputPixels: options.maxPixels, failOn: 'error' }
  const metadata = await sharp(input, limits).metadata()
  const format = outputs[type]
  const first = resize(sharp(input, limits).autoOrient(), options)
  if (!isAnimated(type, metadata, options)) {
    const encoded = first.toFormat(format)
    return { body: await encoded.toBuffer(), contentType: `image/${format}`, animated: false, still: null }
  }
  const all = resize(sharp(input, { ...limits, animated: true }), options)
  const contentType: SqueezedType = type === 'gif' ? 'image/gif' : 'image/webp'
  const body = await (type === 'gif' ? all.gif({ effort: 3 }) : all.webp({ effort: 2 })).toBuffer()
  return {
    body,
    contentType,
    animated: true,
    still: { body: await first.png().toBuffer(), contentType: 'image/png' },
  }
}

/** An animation with too many pixels in sum becomes a still picture; one with too many frames is an attack. */
function isAnimated(type: SniffedType, metadata: Metadata, options: SqueezeOptions): boolean {
  const frames = metadata.pages ?? 1
  if (frames > maxFrames) throw new AppError('invalid', 'The animation has too many frames')
  if (type !== 'gif' && type !== 'webp') return false
  const pixels = metadata.width * (metadata.pageHeight ?? metadata.height) * frames
  return frames > 1 && pixels <= options.maxPixels
}

/** Metadata is dropped because nothing asks sharp to keep it. */
function resize(image: Sharp, { width, height, fit }: SqueezeOptions): Sharp {
  return image.resize(width, height, { fit, position: 'centre' }).timeout({ seconds: maxSeconds })
}
