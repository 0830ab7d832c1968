import type { TranslatedTexts, TranslationRequest, Translator } from '#ports/translator.ts'
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
  theirs: Map<string, string>
}

/** LibreTranslate: https://docs.libretranslate.com/. */
export function createLibreTranslate(options: ServiceOptions): Translator {
  const languages = keptForADay(options.clock, () => loadLanguages(options))
  return {
    provider: 'LibreTranslate',
    languages: async () => (await languages()).pairs,
    async translate(request) {
      const { theirs } = await languages()
      const answer = await askService(options, {
        path: '/translate',
        body: {
          q: request.texts,
          source: request.from === null ? 'auto' : (theirs.get(request.from) ?? request.from),
          target: theirs.get(request.to) ?? request.to,
          format: 'html',
          ...(options.apiKey !== null && { api_key: options.apiKey }),
        },
      })
      return readTranslation(answer, request)
    },
  }
}

async function loadLanguages(options: ServiceOptions): Promise<Languages> {
  const answer = await askService(options, { path: '/languages' })
  if (!Array.isArray(answer)) throw misunderstood('list of languages')
  const listed = answer.filter(isLanguage)
  const theirs = byOurCodes(listed.flatMap(({ code, targets }) => [code, ...targets]))
  const pairs = new Map<string | null, readonly string[]>()
  for (const [source, code] of theirs) {
    const found = listed.find((language) => language.code === code)
    const targets = found ? [...byOurCodes(found.targets).keys()].filter((target) => target !== source) : []
    if (targets.length > 0) pairs.set(source, targets)
  }
  pairs.set(null, [...new Set([...pairs.values()].flat())].toSorted())
  return { pairs, theirs }
}

function isLanguage(value: unknown): value is { code: string; targets: string[] } {
  const { code, targets } = (value ?? {}) as { code?: unknown; targets?: unknown }
  return typeof code === 'string' && Array.isArray(targets) && targets.every((one) => typeof one === 'string')
}

function readTranslation(answer: unknown, { texts, from }: TranslationRequest): TranslatedTexts {
  const { translatedText, detectedLanguage } = (answer ?? {}) as {
    translatedText?: unknown
    detectedLanguage?: unknown
  }
  const isWhole =
    Array.isArray(translatedText) &&
    translatedText.length === texts.length &&
    translatedText.every((text) => typeof text === 'string')
  if (!isWhole) throw misunderstood('translations')
  // One for each text, or one for all.
  const [first] = [detectedLanguage].flat() as ({ language?: unknown } | undefined)[]
  const detected = typeof first?.language === 'string' ? ourCode(first.language) : null
  return { texts: translatedText as string[], detectedLanguage: from ?? detected ?? 'und' }
}
