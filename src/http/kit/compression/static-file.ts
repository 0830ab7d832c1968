// Files of the software, which are compressed once, as small as can be, when somebody first asks for them.
import { createHash } from 'node:crypto'
import { pickCoding, type Coding } from './accept-encoding.ts'
import { compress } from './compress.ts'

export interface StaticFile {
  /** Twelve digits that change with its content. */
  readonly mark: string
  /** The answer to a GET or HEAD. */
  answer(request: Request): Promise<Response>
}

export interface StaticFileOptions {
  bytes: Uint8Array<ArrayBuffer>
  /** Its media type. */
  type: string
  /** `Cache-Control`; by default for good, as its address has a mark of its content. */
  caching?: string
  /** What a build has compressed already. */
  compressed?: Partial<Record<Coding, Uint8Array<ArrayBuffer>>>
}

/** A file in memory that is text. */
export function createStaticFile(options: StaticFileOptions): StaticFile {
  const { bytes, type, caching = 'public, max-age=31536000, immutable' } = options
  const mark = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const made = new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>()

  function compressed(coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
    const known = options.compressed?.[coding]
    if (known) return Promise.resolve(known)
    const making =
      made.get(coding) ?? compress(bytes, coding, 'small').then((buffer) => new Uint8Array(buffer))
    made.set(coding, making)
    return making
  }

  return {
    mark,
    async answer(request) {
      const coding = pickCoding(request.headers.get('accept-encoding'))
      // Each form of the file has a tag of its own (RFC 9110 section 8.8.3.3).
      const etag = coding === null ? `"${mark}"` : `"${mark}-${coding}"`
      const headers: Record<string, string> = {
        'content-type': type,
        'cache-control': caching,
        vary: 'Accept-Encoding',
        etag,
        ...(coding && { 'content-encoding': coding }),
      }
      if (request.headers.get('if-none-match')?.includes(etag))
        return new Response(null, { status: 304, headers })
      return new Response(coding === null ? bytes : await compressed(coding), { headers })
    },
  }
}
