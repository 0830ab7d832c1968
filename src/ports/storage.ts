import type { ReadableStream } from 'node:stream/web'

/** Where the bytes come from: a file on this machine (streamed, then left in place), or a small buffer. */
export type StorageSource = { path: string } | { body: Buffer }

/** Byte offsets, both inclusive, as in an HTTP Range header. Without `end`: to the last byte. */
export interface StorageRange {
  start: number
  end?: number
}

export interface StoredFile {
  /** Only the asked range. Whoever opens it reads it to the end or cancels it. */
  stream: ReadableStream<Uint8Array>
  /** Bytes of the whole file, whatever the range. */
  size: number
  contentType: string
  modified?: Date
}

export interface ListedFile {
  key: string
  /** Bytes. */
  size: number
  modified: Date
}

export interface FileMeta {
  contentType: string
  /** Only this server reads it: a store that gives files to people gives them all others. */
  isHidden?: boolean
}

/**
 * Media files by key. A key is a relative path such as `media_attachments/12/ab34/original.png`: segments of
 * `[A-Za-z0-9_-][A-Za-z0-9._-]*` joined by `/`, whose extension agrees with the content type.
 * A key that breaks this rule makes `put` reject; `open` answers null and `delete` does nothing.
 */
export interface Storage {
  /**
   * Whether the store itself may give files to people, by what it was told when they were put: then a file that is to
   * be given to nobody any more has to be put again as `isHidden`.
   */
  readonly givesAccess: boolean
  /** Stores or replaces the file. Readers see the old file or the new one, never a part. */
  put(key: string, source: StorageSource, meta: FileMeta): Promise<void>
  /** Returns the bytes of the file without reading it; null when there is none. */
  size(key: string): Promise<number | null>
  /** Opens a file for reading; null when there is none, RangeError when the range starts beyond its end. */
  open(key: string, range?: StorageRange): Promise<StoredFile | null>
  /** Deletes the file; no error when there is none. */
  delete(key: string): Promise<void>
  /**
   * All files, or those whose keys begin with `prefix`, in no order that could be relied on, as they are read: there may
   * be millions. What is there from the first to the last moment is listed; what comes or goes meanwhile may be. Files
   * that are none of ours are left out.
   */
  list(prefix?: string): AsyncIterable<ListedFile>
}
