// Pictures as attachments, and the previews of everything.
import path from 'node:path'
import type { MediaFacts } from '#lib/media.ts'
import type { MediaFile, MediaPreview } from '#ports/media-processor.ts'
import type { ImageFormat, ImageHeader } from './images/image-tasks.ts'
import type { ImageWorkers } from './images/image-workers.ts'
import type { MediaLimits } from './rules.ts'
import type { SniffedType } from './kit/sniff.ts'

/** Mastodon's: 3840 × 2160, and 640 × 360 for the preview. */
const shownPixels = 8_294_400
const previewPixels = 230_400
/** An animation that stays one has at most so many frames, and pixels in all of them as one picture may have. */
const maxFrames = 1000

const formats: Record<SniffedType, ImageFormat> = {
  jpeg: 'jpeg',
  png: 'png',
  gif: 'png',
  webp: 'webp',
  heif: 'jpeg',
}

export interface ImageSource {
  path: string
  type: SniffedType
  header: ImageHeader
  /** Where files are made. */
  folder: string
}

/** The picture as it will be shown. Throws as `ImageWorkers.run`. */
export async function makeImage(
  workers: ImageWorkers,
  source: ImageSource,
  limits: MediaLimits,
): Promise<{ file: MediaFile; facts: MediaFacts }> {
  const animated = staysAnimated(source, limits)
  const format = animated ? 'gif' : formats[source.type]
  const target = path.join(source.folder, 'picture')
  const made = await workers.run('convert', {
    path: source.path,
    target,
    format,
    animated,
    maxPixels: limits.imagePixels,
    pixels: shownPixels,
  })
  const { width, height, bytes } = made
  return { file: imageFile(target, format, bytes), facts: { width, height } }
}

/** Where no ffmpeg can make it a film. */
function staysAnimated({ type, header }: ImageSource, limits: MediaLimits): boolean {
  const { width, height, frames } = header
  if (type !== 'gif' || frames < 2 || frames > maxFrames) return false
  return width * height <= shownPixels && width * height * frames <= limits.imagePixels
}

/** A small copy with its blurhash, and its colours if they are wanted. Throws as `ImageWorkers.run`. */
export async function makePreview(
  workers: ImageWorkers,
  source: { path: string; type: SniffedType; folder: string; withColors?: boolean },
  limits: MediaLimits,
): Promise<MediaPreview> {
  const format = formats[source.type]
  const target = path.join(source.folder, 'preview')
  const made = await workers.run('preview', {
    path: source.path,
    target,
    format,
    maxPixels: limits.imagePixels,
    pixels: previewPixels,
    ...(source.withColors && { withColors: true }),
  })
  const { width, height, bytes, blurhash, colors } = made
  return { file: imageFile(target, format, bytes), blurhash, width, height, colors }
}

function imageFile(file: string, format: ImageFormat, bytes: number): MediaFile {
  return { path: file, contentType: `image/${format}`, extension: format === 'jpeg' ? 'jpg' : format, bytes }
}
