// `data:` URIs in bodies become files on disk while they arrive: whatever their size, they take no memory.
import { tooLarge } from '#lib/errors.ts'
import type { Piece } from './base64-value.ts'
import type { Scanner } from './base64-scan.ts'
import type { Uploads, Written } from './uploads.ts'

/** What a body with files is read by. */
export interface FileReading {
  scanner: Scanner
  uploads: Uploads
  /** Bytes of the body without its files. */
  text: number
}

/**
 * The body with a token in place of each file in Base64 (`data:…;base64,…`, RFC 2397), which `uploads` knows. Throws
 * AppError `invalid` for broken Base64, `too_large` and `bad_request` beyond the limits.
 */
export async function* takeBase64Files(
  body: AsyncIterable<Uint8Array>,
  { scanner, uploads, text }: FileReading,
): AsyncGenerator<Uint8Array> {
  let current: Written | null = null
  let size = 0

  async function put(piece: Piece): Promise<Uint8Array | null> {
    switch (piece.kind) {
      case 'text':
        size += piece.bytes.length
        if (size > text) throw tooLarge()
        return piece.bytes
      case 'part':
        return piece.bytes
      case 'start':
        current = await uploads.begin(piece.contentType)
        return null
      case 'data':
        await current?.write(piece.bytes)
        return null
      case 'end': {
        const token = await current?.finish()
        current = null
        return Buffer.from(token ?? '')
      }
    }
  }

  try {
    for await (const chunk of body) {
      for (const piece of scanner.push(chunk)) {
        const bytes = await put(piece)
        if (bytes) yield bytes
      }
    }
    for (const piece of scanner.end()) {
      const bytes = await put(piece)
      if (bytes) yield bytes
    }
  } finally {
    await (current as Written | null)?.close()
  }
}
