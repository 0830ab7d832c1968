// In the process that reads pictures: those of people and emoji.
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { unprocessable } from '#lib/errors.ts'
import type { ResizedImage, ResizedType, ResizeOptions } from '#ports/images.ts'
import type { ImageTasks } from './image-tasks.ts'
import type { SniffedType } from '../kit/sniff.ts'

const maxFrames = 1000
const outputs = { jpeg: 'jpeg', png: 'png', gif: 'png', webp: 'webp', heif: 'jpeg' } as const

export async function resizeImage({
  bytes,
  type,
  options,
}: ImageTasks['resizeImage']['input']): Promise<ResizedImage> {
  const limits: SharpOptions = { limitInputPixels: options.maxPixels, failOn: 'error' }
  const metadata = await sharp(bytes, limits).metadata()
  const format = outputs[type]
  const first = resize(sharp(bytes, limits).autoOrient(), options)
  if (!isAnimated(type, metadata, options)) {
    const encoded = first.toFormat(format)
    return { body: await encoded.toBuffer(), contentType: `image/${format}`, animated: false, still: null }
  }
  const all = resize(sharp(bytes, { ...limits, animated: true }), options)
  const contentType: ResizedType = type === 'gif' ? 'image/gif' : 'image/webp'
  const body = await (type === 'gif' ? all.gif({ effort: 3 }) : all.webp({ effort: 2 })).toBuffer()
  return {
    body,
    contentType,
    animated: true,
    still: { body: await first.png().toBuffer(), contentType: 'image/png' },
  }
}

/** An animation with too many pixels in sum becomes a still picture; one with too many frames is an attack. */
function isAnimated(type: SniffedType, metadata: Metadata, options: ResizeOptions): boolean {
  const frames = metadata.pages ?? 1
  if (frames > maxFrames) throw unprocessable('too_many_animation_frames')
  if (type !== 'gif' && type !== 'webp') return false
  const pixels = metadata.width * (metadata.pageHeight ?? metadata.height) * frames
  return frames > 1 && pixels <= options.maxPixels
}

/** Metadata is dropped because nothing asks sharp to keep it. */
function resize(image: Sharp, { width, height, fit }: ResizeOptions): Sharp {
  return image.resize(width, height, { fit, position: 'centre', withoutEnlargement: fit === 'inside' })
}
