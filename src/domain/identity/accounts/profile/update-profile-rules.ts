// What a profile may look like: pure.
import type { Config } from '#ports/ctx.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { AppError, invalid } from '#lib/errors.ts'
import { cleanName } from '#lib/text/sanitize-name.ts'
import { cleanText, countCharacters } from '#lib/text/text.ts'

type Limits = Config['limits']

const mostAttributionDomains = 10
/** A bio counts links as 23 characters; this is the most it may take, whatever it counts. */
const mostStoredNote = 20_480

const tooLong = (name: string, most: number) =>
  invalid(`Validation failed: ${name} is too long (maximum is ${most} characters)`)

const fieldProblem = (description: string) =>
  new AppError('invalid', `Validation failed: Fields ${description}`, {
    details: { fields: [{ error: 'ERR_INVALID', description }] },
  })

/** The display name on one line. Throws `invalid` when it has more characters than allowed. */
export function readDisplayName(text: string, limits: Limits): string {
  const name = cleanName(text)
  if ([...name].length > limits.displayNameCharacters)
    throw tooLong('Display name', limits.displayNameCharacters)
  return name
}

/** The bio as it is stored. Links count as 23, mentions without their domain. Throws `invalid`. */
export function readNote(text: string, limits: Limits): string {
  const note = cleanText(text).trim()
  const length = note.length > mostStoredNote ? Infinity : countCharacters(note, limits.urlCharacters)
  if (length > limits.bioCharacters) {
    throw invalid(`Validation failed: Note character limit of ${limits.bioCharacters} exceeded`)
  }
  return note
}

/** The alternative text of a picture. Throws `invalid`. */
export function readDescription(name: string, text: string, limits: Limits): string {
  const description = cleanText(text).trim()
  const most = limits.mediaDescriptionCharacters
  if ([...description].length > most) throw tooLong(name, most)
  return description
}

/** Profile fields without the empty ones. Throws `invalid` for too many, too long or unnamed ones. */
export function readFields(
  given: readonly { name: string; value: string }[],
  limits: Limits,
): { name: string; value: string }[] {
  const fields = given
    .map((field) => ({ name: cleanName(field.name), value: cleanName(field.value) }))
    .filter((field) => field.name !== '' || field.value !== '')
  if (fields.length > limits.profileFields) throw fieldProblem(`can't be more than ${limits.profileFields}`)
  for (const { name, value } of fields) {
    if (name === '') throw fieldProblem('contains values with missing labels')
    const most = limits.profileFieldCharacters
    if ([...name].length > most || [...value].length > most) {
      throw fieldProblem(`contains names or values that are too long (maximum is ${most} characters)`)
    }
  }
  return fields
}

/** Domains that may credit this account, one spelling each. Entries may hold several lines. Throws `invalid`. */
export function readAttributionDomains(given: readonly string[]): string[] {
  const domains = new Set<string>()
  for (const entry of given.flatMap((text) => text.split(/[\s,]+/))) {
    const host = entry
      .replace(/^https?:\/\//i, '')
      .replace(/^\*\./, '')
      .replace(/\/.*$/, '')
    if (host === '') continue
    const domain = normaliseDomain(host)
    if (domain === null)
      throw invalid(`Validation failed: Attribution domains ${JSON.stringify(entry)} is not a domain`)
    domains.add(domain)
  }
  if (domains.size > mostAttributionDomains) {
    throw invalid(`Validation failed: Attribution domains can't be more than ${mostAttributionDomains}`)
  }
  return [...domains]
}
