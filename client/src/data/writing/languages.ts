// The languages that posts may be in, by the names that the reader has for them.
import { nameOfLanguage } from '../../core/format.ts'
import { locale } from '../../core/texts.ts'
import { preferences } from '../session.ts'
import type { WrittenPost } from './content.ts'
import { guessLanguage } from './guess-language.ts'

// Codes of ISO 639-1, and those without one that many write in.
const codes =
  'aa ab ace af ak am an ar as ast av ay az ba be bg bh bi bm bn bo br bs ca ce ch ckb co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr hsb ht hu hy hz ia id ie ig ii ik io is it iu ja jbo jv ka kab kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mai mg mh mi mk ml mn mr ms mt my na nb nd nds ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sco sd se sg si sk sl sma smj sm sn so sq sr ss st su sv sw szl ta te tg th ti tk tl tn to tok tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zgh zh zu'

export interface Language {
  code: string
  name: string
}

/** All languages, those that one may mean first, the others by name. */
export function listLanguages(post: WrittenPost): Language[] {
  const likely = [post.language, defaultLanguage(), guessLanguage(post.text), ...navigator.languages.map(baseOf)]
  const first = [...new Set(likely)].filter((code): code is string => code !== null)
  const rest = codes.split(' ').filter((code) => !first.includes(code))
  const named = (code: string): Language => ({ code, name: nameOfLanguage(code) })
  return [...first.map(named), ...rest.map(named).toSorted((a, b) => a.name.localeCompare(b.name, locale))]
}

const baseOf = (tag: string) => tag.split('-')[0] ?? tag

export const defaultLanguage = (): string | null => preferences.value.data?.['posting:default:language'] ?? null

/** The one that a post will be in: as chosen, as one usually writes, as the text looks. */
export function languageOf(post: WrittenPost): Language {
  const code = post.language ?? defaultLanguage() ?? guessLanguage(post.text) ?? baseOf(locale)
  return { code, name: nameOfLanguage(code) }
}
