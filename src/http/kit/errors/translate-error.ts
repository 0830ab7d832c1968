// Errors are thrown in English, where nobody knows to whom they will be told, and put into their language here. Codes
// are for programs and never change.
import type { ErrorDetails } from '#lib/errors.ts'
import { oauthSentences, sentences } from './error-texts.ts'
import type { Language } from '../params/language.ts'
import { attributes, problems, validations } from './validation-texts.ts'

/** What an error says, in a language. What has no words there stays English. */
export function translateError(message: string, language: Language): string {
  if (language === 'en' || message.length > longest) return message
  if (message.startsWith(prefix)) return germanPrefix + translateParts(message.slice(prefix.length))
  return translateBy(whole, message) ?? translateParts(message)
}

/** The same without the words that say that something is wrong at all, for a form that shows it beside itself. */
export function translateProblem(message: string, language: Language): string {
  return translateError(message.startsWith(prefix) ? message.slice(prefix.length) : message, language)
}

/** What is wrong with each field, in a language. */
export function translateDetails(details: ErrorDetails, language: Language): ErrorDetails {
  if (language === 'en') return details
  return Object.fromEntries(
    Object.entries(details).map(([field, list]) => [
      field,
      list.map(({ error, description }) => ({ error, description: translatePart(description) })),
    ]),
  )
}

/** Patterns with several gaps are slow on long texts, which only say again what somebody sent. */
const longest = 1000

const prefix = 'Validation failed: '
const germanPrefix = 'Das ist so nicht gültig: '

interface Phrase {
  pattern: RegExp
  german: string
}

type Phrases = readonly Phrase[]

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Those with the most words of their own come first, so that a general one takes only what is left. */
function phrasesOf(table: Readonly<Record<string, string>>, before = ''): Phrases {
  const weight = (text: string) => text.replaceAll('{}', '').length
  return Object.entries(table)
    .toSorted(([a], [b]) => weight(b) - weight(a))
    .map(([english, german]) => ({
      pattern: new RegExp(`^${before}${english.split('{}').map(escaped).join('(.*)')}$`, 's'),
      german,
    }))
}

const whole = phrasesOf({ ...sentences, ...oauthSentences })
const alone = phrasesOf(validations)
const named = phrasesOf(problems, '(.+?) ')
const unnamed = phrasesOf(problems)

/** What was put in stays, but for names that have a word. */
function translateBy(phrases: Phrases, text: string, name?: (german: string) => string): string | null {
  for (const { pattern, german } of phrases) {
    const found = pattern.exec(text)?.slice(1)
    if (!found) continue
    const spoken = name ? name(found.shift() ?? '') : ''
    return spoken + german.replaceAll('{}', () => found.shift() ?? '')
  }
  return null
}

/** Several problems stand in one message, each with the name of what it is about; a comma may also belong to one. */
function translateParts(text: string): string {
  const parts = text.split(/, (?=\p{Lu})/u)
  const translated = parts.map(translatePart)
  const isAll = translated.every((part, index) => part !== parts[index])
  return isAll ? translated.join(', ') : translatePart(text)
}

function translatePart(text: string): string {
  return (
    translateBy(alone, text) ??
    translateBy(unnamed, text) ??
    translateBy(named, text, (name) => `${attributes[name] ?? name} `) ??
    text
  )
}
