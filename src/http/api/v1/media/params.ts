import { z } from 'zod'
import type { Upload } from '#domain/content/media/upload.ts'
import { invalid } from '#lib/errors.ts'
import { file, text } from '#http/kit/params/fields.ts'

/** What may be said of an attachment at any time. */
export const mediaParams = { description: text(), focus: text(), thumbnail: file() }

export const uploadParams = z.object({ file: file(), ...mediaParams })

type UploadParams = z.output<typeof uploadParams>
type WithFile = UploadParams & { file: NonNullable<UploadParams['file']> }

/** Throws `invalid` when no file came along. */
export function requireFile(params: UploadParams): WithFile {
  const { file: sent } = params
  if (!sent) throw invalid('file', 'blank')
  return { ...params, file: sent }
}

export const uploadInput = ({ file: sent, description, focus, thumbnail }: WithFile): Upload => ({
  path: sent.path,
  description,
  focus,
  thumbnailPath: thumbnail?.path,
})
