import type { Caller } from '#domain/identity/accounts/viewer.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { pickLanguage } from '#lib/messages/pick-language.ts'

/** Returns the language in which a caller is told something: that of the user, then what their client prefers. */
export const languageFor = (caller: Pick<Caller, 'viewer'> | undefined, request: Request): Language =>
  pickLanguage(caller?.viewer?.locale ?? null, request.headers.get('accept-language'))
