// In which language the server speaks to somebody.

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** The one that is asked for first, then what the client prefers (RFC 9110 section 12.5.4), then English. */
export function pickLanguage(asked: string | null, acceptLanguage: string | null): Language {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .slice(0, 20)
    .map(parsePreference)
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
  for (const tag of asked ? [asked, ...wanted] : wanted) {
    const known = languages.find((language) => language === tag.toLowerCase().split(/[-_]/)[0])
    if (known) return known
  }
  return 'en'
}

function parsePreference(item: string): { tag: string; quality: number } {
  const [tag = '', ...parameters] = item.split(';').map((part) => part.trim())
  const written = parameters.find((parameter) => parameter.startsWith('q='))
  const quality = written === undefined ? 1 : Number(written.slice(2))
  return { tag, quality: Number.isNaN(quality) ? 0 : quality }
}
