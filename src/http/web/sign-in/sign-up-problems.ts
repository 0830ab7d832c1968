// What is wrong with a form about an account, in the reader's language and by field.
import { isAppError } from '#lib/errors.ts'
import { describeDetails } from '#lib/messages/describe-error.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { pickText, textsIn } from '#lib/messages/texts.ts'

/** Field → sentence. Rethrows what is no problem of single fields. */
export function problemsOf(error: unknown, language: Language): Record<string, string> {
  if (!isAppError(error, 'invalid')) throw error
  const details = describeDetails(error.reason, language)
  if (!details) throw error
  const t = textsIn(language).pages.signUpProblems
  const told = Object.entries(details).map(([field, problems]) => {
    const code = problems[0]?.error ?? 'ERR_INVALID'
    if (field === 'username' && code === 'ERR_INVALID') return [field, t.username]
    if (field === 'current_password') return [field, t.currentPassword]
    return [field, pickText(t, code) ?? problems[0]?.description ?? '']
  })
  return Object.fromEntries(told)
}
