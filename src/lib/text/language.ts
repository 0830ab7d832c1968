// The languages a post can have: ISO 639-1, some of ISO 639-3, and regional variants that differ in writing.

export interface Language {
  code: string
  /** In English. */
  name: string
}

const codes =
  'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el ' +
  'en eo es et eu fa ff fi fj fo fr fy ga gd gl gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja ' +
  'jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb ' +
  'nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so ' +
  'sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ' +
  'zh-CN zh-HK zh-TW zh-YUE pt-BR pt-PT fr-CA ' +
  'ast chr ckb cnr csb gsw jbo kab kmr ldn lfn moh nds pdc sco sma smj szl tok vai xal zba zgh'

// Where the runtime knows no name, or one that merges this language into another.
const ownNames = new Map([
  ['bh', 'Bihari'],
  ['ckb', 'Sorani (Kurdish)'],
  ['cnr', 'Montenegrin'],
  ['kmr', 'Kurmanji (Kurdish)'],
  ['ldn', 'Láadan'],
  ['sh', 'Serbo-Croatian'],
  ['tl', 'Tagalog'],
  ['tw', 'Twi'],
  ['zba', 'Balaibalan'],
  ['zh-HK', 'Chinese (Hong Kong)'],
  ['zh-YUE', 'Cantonese'],
])

const runtimeNames = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' })

/** All languages a post or a filter of languages may name, as `GET /api/v1/instance/languages` lists them. */
export const languages: readonly Language[] = codes
  .split(' ')
  .map((code) => ({ code, name: ownNames.get(code) ?? runtimeNames.of(code) ?? code }))

const known = new Map(languages.map(({ code }) => [code.toLowerCase(), code]))

/** Whether the value is exactly one of the known codes. */
export function isLanguage(value: unknown): value is string {
  return typeof value === 'string' && known.get(value.toLowerCase()) === value
}

/**
 * The known code nearest to a language tag (BCP 47, also with `_` and in any case): `EN` and `en-US` are `en`,
 * `zh-Hant` is `zh-TW`, `deu` is `de`. Null when there is none.
 */
export function parseLanguage(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 100) return null
  const tag = value.trim().replaceAll('_', '-').toLowerCase()
  return known.get(tag) ?? nearest(tag) ?? known.get(tag.split('-', 1)[0]!) ?? null
}

function nearest(tag: string): string | undefined {
  try {
    const { language, script, region } = new Intl.Locale(tag)
    if (language === 'yue') return 'zh-YUE'
    if (language === 'fil') return 'tl'
    if (language === 'zh') return nearestChinese(script, region)
    return known.get(`${language}-${region}`.toLowerCase()) ?? known.get(language)
  } catch {
    return undefined
  }
}

function nearestChinese(script: string | undefined, region: string | undefined): string {
  if (region === 'HK' || region === 'MO') return 'zh-HK'
  if (region === 'TW' || script === 'Hant') return 'zh-TW'
  return region === 'CN' || region === 'SG' || script === 'Hans' ? 'zh-CN' : 'zh'
}
