import { chunk } from '#lib/collections.ts'
import type { Translator } from '#ports/translator.ts'
import {
  askService,
  byOurCodes,
  keptForADay,
  misunderstood,
  ourCode,
  type ServiceOptions,
} from './service.ts'

interface Languages {
  pairs: Map<string | null, readonly string[]>
  sources: Map<string, string>
  targets: Map<string, string>
}

interface Translation {
  text: string
  detected_source_language?: unknown
}

/** As many as one request may have. */
const maxTexts = 50
/** Targets that DeepL takes, but does not list beside their variants. */
const unlisted = ['EN', 'PT']

/** DeepL: https://developers.deepl.com/docs. */
export function createDeepl(options: ServiceOptions): Translator {
  const languages = keptForADay(options.clock, () => loadLanguages(options))
  return {
    provider: 'DeepL.com',
    languages: async () => (await languages()).pairs,
    async translate({ texts, from, to }) {
      const { sources, targets } = await languages()
      const translations: Translation[] = []
      for (const some of chunk(texts, maxTexts)) {
        const answer = await ask(options, '/v2/translate', {
          text: some,
          ...(from !== null && { source_lang: sources.get(from) ?? from.toUpperCase() }),
          target_lang: targets.get(to) ?? to.toUpperCase(),
          tag_handling: 'html',
        })
        translations.push(...readTranslations(answer, some.length))
      }
      const detected = translations[0]?.detected_source_language
      return {
        texts: translations.map(({ text }) => text),
        detectedLanguage: from ?? (typeof detected === 'string' ? ourCode(detected) : 'und'),
      }
    },
  }
}

function ask(options: ServiceOptions, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `DeepL-Auth-Key ${options.apiKey}` }
  return askService(options, { path, headers, ...(body && { body }) })
}

async function loadLanguages(options: ServiceOptions): Promise<Languages> {
  const [from, to] = await Promise.all([listCodes(options, 'source'), listCodes(options, 'target')])
  const general = unlisted.filter((code) => to.some((variant) => variant.startsWith(`${code}-`)))
  const sources = byOurCodes(from)
  const targets = byOurCodes([...general, ...to])
  const pairs = new Map<string | null, readonly string[]>([[null, [...targets.keys()]]])
  for (const source of sources.keys()) {
    pairs.set(
      source,
      [...targets.keys()].filter((target) => target !== source),
    )
  }
  return { pairs, sources, targets }
}

async function listCodes(options: ServiceOptions, type: 'source' | 'target'): Promise<string[]> {
  const answer = await ask(options, `/v2/languages?type=${type}`)
  if (!Array.isArray(answer)) throw misunderstood('list of languages')
  return answer.flatMap((item: { language?: unknown } | null) =>
    typeof item?.language === 'string' ? [item.language] : [],
  )
}

function readTranslations(answer: unknown, count: number): Translation[] {
  const { translations } = (answer ?? {}) as { translations?: unknown }
  const isWhole =
    Array.isArray(translations) &&
    translations.length === count &&
    translations.every((item: { text?: unknown } | null) => typeof item?.text === 'string')
  if (!isWhole) throw misunderstood('translations')
  return translations as Translation[]
}
