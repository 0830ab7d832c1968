// From what the processor makes to files in the store and columns of the row.
import { sql, type RawBuilder } from 'kysely'
import type { MediaFile, MediaPreview, ProcessedMedia } from '#ports/media-processor.ts'
import type { MediaColors } from '#lib/media.ts'
import { newSecret } from '#lib/secrets.ts'
import type { NewFile } from './files.ts'
import type { MediaId } from '#lib/id.ts'

/** Where files of an attachment lie. Copies of other servers' files have a place of their own. */
export type MediaFolder = 'media_attachments' | 'cache/media_attachments'

export interface NamedPreview {
  file: NewFile
  bytes: number
  blurhash: string
  width: number
  height: number
  colors: MediaColors | null
}

export interface NamedMedia {
  original: NewFile
  preview: NamedPreview | null
  processed: ProcessedMedia
}

/** Names that nobody can guess, and that are never used again. */
export function nameMedia(id: MediaId, processed: ProcessedMedia, folder: MediaFolder): NamedMedia {
  return {
    original: nameFile(id, processed.original, folder),
    preview: processed.preview && namePreview(id, processed.preview, folder),
    processed,
  }
}

export function namePreview(id: MediaId, preview: MediaPreview, folder: MediaFolder): NamedPreview {
  const { file, ...rest } = preview
  return { file: nameFile(id, file, folder), bytes: file.bytes, ...rest }
}

export const filesOf = ({ original, preview }: NamedMedia): NewFile[] =>
  preview ? [original, preview.file] : [original]

function nameFile(id: MediaId, file: MediaFile, folder: MediaFolder): NewFile {
  const key = `${folder}/${id}/${newSecret()}.${file.extension}`
  return { key, path: file.path, contentType: file.contentType }
}

/** The columns of the original, for `update … set`. */
export const setOriginal = ({ original, processed }: NamedMedia): RawBuilder<unknown> => sql`
  type = ${processed.kind}, facts = ${JSON.stringify(processed.facts)}::jsonb, original_key = ${original.key},
  original_bytes = ${processed.original.bytes}`

/** The columns of the preview, for `update … set`. */
export const setPreview = (preview: NamedPreview): RawBuilder<unknown> => sql`
  preview_key = ${preview.file.key}, preview_bytes = ${preview.bytes}, preview_width = ${preview.width},
  preview_height = ${preview.height}, preview_colors = ${preview.colors && JSON.stringify(preview.colors)}::jsonb,
  blurhash = ${preview.blurhash}`
