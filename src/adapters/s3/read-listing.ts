import { Parser } from 'htmlparser2'

export interface Listing {
  objects: { name: string; size: number; modified: Date }[]
  /** With what the next page is asked for; null: this was the last one. */
  next: string | null
}

/**
 * Reads an answer of ListObjectsV2 whose names are encoded as in addresses. Throws when it is none, or was cut off.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html#API_ListObjectsV2_ResponseSyntax
 */
export function readListing(xml: string): Listing {
  const objects: Listing['objects'] = []
  const top = new Map<string, string>()
  let object: Map<string, string> | null = null
  const path: string[] = []
  let text = ''
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(name)
        text = ''
        if (path.join(' ') === 'ListBucketResult Contents') object = new Map()
      },
      ontext: (more) => void (text += more),
      onclosetag(name, isImplied) {
        if (isImplied) throw new Error('the listing was cut off')
        path.pop()
        if (object && path.length === 2) object.set(name, text)
        else if (path.length === 1 && object) {
          objects.push(toObject(object))
          object = null
        } else if (path.length === 1) top.set(name, text)
        text = ''
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  const isTruncated = top.get('IsTruncated')
  const next = top.get('NextContinuationToken') ?? null
  if (isTruncated === undefined || (isTruncated === 'true' && !next)) throw new Error('it is no listing')
  return { objects, next: isTruncated === 'true' ? next : null }
}

function toObject(values: ReadonlyMap<string, string>): Listing['objects'][number] {
  // A space may be a plus sign there.
  const name = decodeURIComponent((values.get('Key') ?? '').replaceAll('+', ' '))
  return {
    name,
    size: Number(values.get('Size') ?? 0),
    modified: new Date(values.get('LastModified') ?? Number.NaN),
  }
}
