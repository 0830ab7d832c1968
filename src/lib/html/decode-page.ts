// The text of a web page, whose encoding is told in up to three places.

const declaration = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:-]{1,40})/i
/** Bytes in which a page has to name its encoding (HTML standard, section 4.2.5.4). */
const declared = 1024

/** Decodes by byte order mark, header, the page's own word, or as UTF-8. Never fails: odd bytes become U+FFFD. */
export function decodePage(body: Buffer, contentType: string | null): string {
  const header = /charset\s*=\s*"?([A-Za-z0-9_:-]{1,40})/i.exec(contentType ?? '')?.[1]
  const own = declaration.exec(body.toString('latin1', 0, declared))?.[1]
  return decoderFor(markOf(body) ?? header ?? own ?? 'utf-8').decode(body)
}

function markOf(body: Buffer): string | null {
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 'utf-8' : null
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
