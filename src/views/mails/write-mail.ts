// Which texts a mail has, and how it says times.
import { english } from './english.ts'
import { german } from './german.ts'
import { pickMailLanguage, type Draft, type Letter, type MailLanguage, type Writer } from './mails.ts'

const writers: Record<MailLanguage, Writer> = { en: english, de: german }

/** Writes the mail in this language. `server` is the domain that people know the server by. */
export function writeLetter(letter: Letter, language: MailLanguage, server: string): Draft {
  const write = writers[language][letter.kind] as (letter: Letter, server: string) => Draft
  return write(letter, server)
}

/** A moment as the reader of a mail says it, in their time zone. UTC where that is not known. */
export function formatMoment(at: Date, locale: string, timeZone: string | null): string {
  const options = { dateStyle: 'long', timeStyle: 'long' } as const
  return formatDate(at, locale, { ...options, timeZone: timeZone ?? 'UTC' })
}

/** The day of it. */
export function formatDay(at: Date, locale: string, timeZone: string | null): string {
  return formatDate(at, locale, { dateStyle: 'long', timeZone: timeZone ?? 'UTC' })
}

function formatDate(at: Date, locale: string, options: Intl.DateTimeFormatOptions): string {
  const language = pickMailLanguage(locale) === 'de' ? 'de-DE' : 'en-GB'
  try {
    return new Intl.DateTimeFormat(language, options).format(at)
  } catch {
    // A time zone that this machine does not know.
    return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(at)
  }
}
