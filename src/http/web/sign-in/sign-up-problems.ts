// What is wrong with a form about an account, in the reader's language and by field.
import { isAppError } from '#lib/errors.ts'
import { catalogue, type Language } from '../kit/texts.ts'
import { tellDetails } from '#lib/messages/tell-error.ts'

const texts = catalogue({
  en: {
    ERR_BLANK: 'This is needed.',
    ERR_INVALID: 'This does not look right.',
    ERR_TAKEN: 'Somebody has this already.',
    ERR_RESERVED: 'This name cannot be had.',
    ERR_BLOCKED: 'Addresses of this provider are not taken here.',
    ERR_UNREACHABLE: 'No mail gets to this address.',
    ERR_ACCEPTED: 'You need to accept this.',
    ERR_TOO_LONG: 'This is too long.',
    ERR_TOO_SHORT: 'This is too short.',
    ERR_BELOW_LIMIT: 'You are too young for this server.',
    username: 'Letters, digits and underscores only.',
    currentPassword: 'This is not your password.',
  },
  de: {
    ERR_BLANK: 'Das wird gebraucht.',
    ERR_INVALID: 'Das kann so nicht stimmen.',
    ERR_TAKEN: 'Das ist schon vergeben.',
    ERR_RESERVED: 'Diesen Namen gibt es nicht zu haben.',
    ERR_BLOCKED: 'Adressen dieses Anbieters werden hier nicht angenommen.',
    ERR_UNREACHABLE: 'Unter dieser Adresse kommt keine Mail an.',
    ERR_ACCEPTED: 'Dem musst du zustimmen.',
    ERR_TOO_LONG: 'Das ist zu lang.',
    ERR_TOO_SHORT: 'Das ist zu kurz.',
    ERR_BELOW_LIMIT: 'Du bist zu jung für diesen Server.',
    username: 'Nur Buchstaben, Ziffern und Unterstriche.',
    currentPassword: 'Das ist nicht dein Passwort.',
  },
})

/** Field → sentence. Rethrows what is no problem of single fields. */
export function problemsOf(error: unknown, language: Language): Record<string, string> {
  if (!isAppError(error, 'invalid')) throw error
  const details = tellDetails(error.reason, language)
  if (!details) throw error
  const t: Record<string, string> = texts(language)
  const told = Object.entries(details).map(([field, problems]) => {
    const code = problems[0]?.error ?? 'ERR_INVALID'
    if (field === 'username' && code === 'ERR_INVALID') return [field, t['username'] as string]
    if (field === 'current_password') return [field, t['currentPassword'] as string]
    return [field, t[code] ?? problems[0]?.description ?? '']
  })
  return Object.fromEntries(told)
}
