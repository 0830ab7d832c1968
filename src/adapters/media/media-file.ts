import { stat } from 'node:fs/promises'
import { unprocessable } from '#lib/errors.ts'
import type { MediaFile } from '#ports/media-processor.ts'

const extensions = { 'video/mp4': 'mp4', 'audio/mpeg': 'mp3' } as const

/** A file that ffmpeg made. Throws AppError `invalid` when it made none, or an empty one. */
export async function mediaFile(path: string, contentType: keyof typeof extensions): Promise<MediaFile> {
  const made = await stat(path).catch(() => null)
  if (!made || made.size === 0)
    throw unprocessable('file_unreadable', undefined, { cause: 'nothing was made' })
  return { path, contentType, extension: extensions[contentType], bytes: made.size }
}
