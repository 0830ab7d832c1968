// Pictures as attachments, and the previews of everything.
import path from 'node:path'
import type { MediaFacts } from '#lib/media.ts'
import type { MediaFile, MediaPreview } from '#ports/media-processor.ts'
import type { PictureFormat, PictureHeader } from './images/image-tasks.ts'
import type { PictureWorkers } from './images/image-workers.ts'
import type { MediaLimits } from './rules.ts'
import type { SniffedType } from './kit/sniff.ts'

/** Mastodon's: 3840 × 2160, and 640 × 360 for the preview. */
const shownPixels = 8_294_400
const previewPixels = 230_400
/** An animation that stays one has at most so many frames, and pixels in all of them as one picture may have. */
const maxFrames = 1000

const formats: Record<SniffedType, PictureFormat> = {
  jpeg: 'jpeg',
  png: 'png',
  gif: 'png',
  webp: 'webp',
  heif: 'jpeg',
}

export interface PictureSource {
  path: string
  type: SniffedType
  header: PictureHeader
  /** Where files are made. */
  folder: string
}

/** The picture as it will be shown. Throws as `PictureWorkers.run`. */
export async function makePicture(
  workers: PictureWorkers,
  source: PictureSource,
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
  return { file: pictureFile(target, format, bytes), facts: { width, height } }
}

/** Where no ffmpeg can make it a film. */
function staysAnimated({ type, header }: PictureSource, limits: MediaLimits): boolean {
  const { width, height, frames } = header
  if (type !== 'gif' || frames < 2 || frames > maxFrames) return false
  return width * height <= shownPixels && width * height * frames <= limits.imagePixels
}

/** A small copy with its blurhash, and its colours if they are wanted. Throws as `PictureWorkers.run`. */
export async function makePreview(
  workers: PictureWorkers,
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
  return { file: pictureFile(target, format, bytes), blurhash, width, height, colors }
}

function pictureFile(file: string, format: PictureFormat, bytes: number): MediaFile {
  return { path: file, contentType: `image/${format}`, extension: format === 'jpeg' ? 'jpg' : format, bytes }
}
