// What the server says, in a language: `textsIn(language).errors.fields.text`. What takes nothing is a string, and what
// has parameters a function of them.
import {
  catalogueOf,
  compile,
  languages,
  source,
  takesParams,
  type Language,
  type Section,
} from './catalogue.ts'
import type { Messages } from './messages.ts'

const known = new Map<Language, Messages>()

/** Returns all messages in a language; in English where it has none of its own, and for one that there is not. They are built as they are asked for. */
export function textsIn(language: Language): Messages {
  const texts = known.get(language)
  if (texts) return texts
  if (!languages.includes(language)) return textsIn(source)
  const built = speak(catalogueOf(source), catalogueOf(language), language) as unknown as Messages
  known.set(language, built)
  return built
}

type Text = string | ReturnType<typeof compile> | Spoken
interface Spoken {
  readonly [key: string]: Text
}

function speak(english: Section, own: Section, language: Language): Spoken {
  const spoken = {}
  for (const [key, text] of Object.entries(english)) {
    const value = own[key]
    if (typeof text === 'string') {
      const hasOwn = typeof value === 'string'
      const said = hasOwn ? value : text
      const form = takesParams(text) ? compile(said, hasOwn ? language : source) : said
      Object.defineProperty(spoken, key, { value: form, enumerable: true })
    } else {
      const part = typeof value === 'object' ? value : {}
      defineLazily(spoken, key, () => speak(text, part, language))
    }
  }
  return spoken
}

function defineLazily(target: object, key: string, make: () => Spoken): void {
  let made: Spoken | null = null
  Object.defineProperty(target, key, { enumerable: true, get: () => (made ??= make()) })
}

/** Returns the message of this name among others, or undefined: for names that come from elsewhere. */
export const pickText = <T extends object>(texts: T, name: string): T[keyof T] | undefined =>
  Object.hasOwn(texts, name) ? texts[name as keyof T] : undefined
