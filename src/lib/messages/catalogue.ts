// The message catalogues: `locales/<language>.json`, ICU messages by key. A language is there when its file is. English is
// the source: its keys and parameters are those of all, and what a language lacks is said in English.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { projectFolder } from '#lib/project/project.ts'

/** The language of a catalogue, such as `de`. */
export type Language = string

/** What is put into a message, by name. */
export type Params = Readonly<Record<string, string | number | boolean>>

/** A part of a catalogue: messages, or further parts, by the last part of their key. */
export interface Section {
  readonly [key: string]: string | Section
}

const folder = path.join(projectFolder, 'locales')

/** The language whose catalogue has every key. */
export const source: Language = 'en'

/** The languages that there are catalogues of, English first. */
export const languages: readonly Language[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => file.slice(0, -'.json'.length))
  .toSorted((a, b) => Number(b === source) - Number(a === source) || a.localeCompare(b))

/**
 * Read at the start: what is said when a process can open no further file has to be there already. As bytes until
 * somebody wants the language: understood, one takes five times the memory.
 */
const files = new Map(
  languages.map((language) => [language, readFileSync(path.join(folder, `${language}.json`))]),
)
const catalogues = new Map<Language, Section>()

/** Returns the catalogue of a language. Throws for one that is not among `languages`. */
export function catalogueOf(language: Language): Section {
  const known = catalogues.get(language)
  if (known) return known
  const file = files.get(language)
  if (file === undefined) throw new TypeError(`There is no catalogue of ${language}`)
  const catalogue = JSON.parse(file.toString()) as Section
  catalogues.set(language, catalogue)
  files.delete(language)
  return catalogue
}

/** Whether something is put into a message: such a one has braces. */
export const takesParams = (text: string): boolean => text.includes('{')

/** Returns a message as a function of what is put into it. It is parsed when it is first said. */
export function compile(text: string, language: Language): (params: Params) => string {
  let format: IntlMessageFormat | null = null
  return (params) => {
    format ??= new IntlMessageFormat(text, language, undefined, { ignoreTag: true })
    return String(format.format(params))
  }
}
