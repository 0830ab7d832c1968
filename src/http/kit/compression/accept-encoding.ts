/** Codings that answers are sent in, those that make them smaller first. */
export const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

/** Returns the best coding that an `Accept-Encoding` header allows, null for none (RFC 9110 section 12.5.3). */
export function pickCoding(header: string | undefined | null): Coding | null {
  if (!header) return null
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...params] = part.split(';').map((text) => text.trim())
    const weight = params.find((param) => param.startsWith('q='))
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, weight ? Number(weight.slice(2)) || 0 : 1)
  }
  const weightOf = (coding: Coding) => weights.get(coding) ?? weights.get('*') ?? 0
  const best = codings.toSorted((one, other) => weightOf(other) - weightOf(one))[0] as Coding
  return weightOf(best) > 0 ? best : null
}
