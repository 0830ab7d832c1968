import type { MediaColors, MediaFacts, MediaKind } from '#lib/media.ts'

/** Turns what people upload into what may be shown: told by its bytes, bounded, free of metadata. */
export interface MediaProcessor {
  /** Media types that uploads may have, as the instance document lists them: fewer where no ffmpeg is installed. */
  supportedTypes(): Promise<readonly string[]>
  /**
   * Tells a file by its bytes and headers, without decoding it: its kind, and what they say of it. Throws AppError `invalid` for types that are not
   * taken here, and for files with too many bytes, pixels or frames.
   */
  identify(path: string): Promise<{ kind: MediaKind; facts: MediaFacts }>
  /**
   * Makes the files to be shown, as new files in `directory` (which must exist; on failure none is left). Throws
   * AppError `invalid` when the file cannot be converted within the limits; `unavailable`, so that it may be tried
   * again, when too many wait, the disk is full or the server stops.
   */
  process(
    path: string,
    options: { directory: string; thumbnail?: string | undefined },
  ): Promise<ProcessedMedia>
  /** A preview from a picture that somebody chose for a sound or a film. Throws as `process`. */
  preview(path: string, directory: string): Promise<MediaPreview>
  /** The version of ffmpeg, for people to read; null where there is none. */
  ffmpegVersion(): Promise<string | null>
}

export interface MediaFile {
  path: string
  contentType: string
  /** Without a dot. */
  extension: string
  bytes: number
}

export interface MediaPreview {
  file: MediaFile
  blurhash: string
  /** Pixels of the preview. */
  width: number
  height: number
  /** Of a picture that was chosen for a sound or a film, or came as the cover of one; null for others. */
  colors: MediaColors | null
}

export interface ProcessedMedia {
  kind: MediaKind
  original: MediaFile
  /** Null for a sound without cover art. */
  preview: MediaPreview | null
  /** Of `original`. */
  facts: MediaFacts
}
