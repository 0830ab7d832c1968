// What a profile may look like: pure.
import type { Config } from '#ports/ctx.ts'
import { normaliseDomain } from '#lib/acct.ts'
import { invalid, problem, invalidForm } from '#lib/errors.ts'
import type { Field, Problem } from '#lib/messages/describe-error.ts'
import { cleanName } from '#lib/text/sanitize-name.ts'
import { cleanText, countCharacters, isEndless } from '#lib/text/text.ts'

type Limits = Config['limits']

const maxAttributionDomains = 10
/** A bio counts links as 23 characters; this is the most it may take, whatever it counts. */
const maxStoredNote = 20_480

const fieldsRefused = (wrong: Problem) =>
  invalidForm([{ ...wrong, detail: { field: 'fields', error: 'ERR_INVALID' } }])

/** The display name on one line. Throws `invalid` when it has more characters than allowed. */
export function readDisplayName(text: string, limits: Limits): string {
  const max = limits.displayNameCharacters
  if (isEndless(text, max)) throw invalid('display_name', 'too_long', { max })
  const name = cleanName(text)
  if ([...name].length > max) throw invalid('display_name', 'too_long', { max })
  return name
}

/** The bio as it is stored. Links count as 23, mentions without their domain. Throws `invalid`. */
export function readNote(text: string, limits: Limits): string {
  const note = cleanText(text).trim()
  const length =
    isEndless(text, limits.bioCharacters) || note.length > maxStoredNote
      ? Infinity
      : countCharacters(note, limits.urlCharacters)
  if (length > limits.bioCharacters) {
    throw invalid('note', 'too_many_characters', { max: limits.bioCharacters })
  }
  return note
}

/** The alternative text of a picture. Throws `invalid`. */
export function readDescription(name: Field, text: string, limits: Limits): string {
  const description = cleanText(text).trim()
  const max = limits.mediaDescriptionCharacters
  if (isEndless(text, max) || [...description].length > max) throw invalid(name, 'too_long', { max })
  return description
}

/** Profile fields without the empty ones. Throws `invalid` for too many, too long or unnamed ones. */
export function readFields(
  given: readonly { name: string; value: string }[],
  limits: Limits,
): { name: string; value: string }[] {
  const max = limits.profileFieldCharacters
  const tooLong = problem('fields', 'names_or_values_too_long', { max })
  if (given.some(({ name, value }) => isEndless(name, max) || isEndless(value, max)))
    throw fieldsRefused(tooLong)
  const fields = given
    .map((field) => ({ name: cleanName(field.name), value: cleanName(field.value) }))
    .filter((field) => field.name !== '' || field.value !== '')
  if (fields.length > limits.profileFields)
    throw fieldsRefused(problem('fields', 'too_many_items', { max: limits.profileFields }))
  for (const { name, value } of fields) {
    if (name === '') throw fieldsRefused(problem('fields', 'values_without_labels'))
    if ([...name].length > max || [...value].length > max) throw fieldsRefused(tooLong)
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
      throw invalid('attribution_domains', 'not_a_domain', { domain: JSON.stringify(entry) })
    domains.add(domain)
  }
  if (domains.size > maxAttributionDomains) {
    throw invalid('attribution_domains', 'too_many_items', { max: maxAttributionDomains })
  }
  return [...domains]
}
