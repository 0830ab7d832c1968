// What a push message says first, in each language. Pure.
import { languageOf } from '#lib/messages/pick-language.ts'
import { pickText, textsIn } from '#lib/messages/texts.ts'

export interface Told {
  /** Of whoever caused it, on one line. */
  name: string
  /** It is about oneself: nobody else caused it. */
  own: boolean
  subject: Subject
}

/** What of a notification's subject stands in a title. */
interface Subject {
  readonly collection?: { readonly name: string }
  readonly annual_report?: { readonly year: string }
  readonly event?: { readonly target_name: string }
  readonly emoji?: string
}

/** The title for a notification of this kind in the language of a locale, or in English. */
export function pushTitle(type: string, locale: string, { name, own, subject }: Told): string {
  const { push } = textsIn(languageOf(locale))
  const kind = type === 'poll' && own ? 'own_poll' : type.replaceAll(/[.:]/g, '_')
  const title = pickText(push, kind)
  if (title === undefined || typeof title === 'string') return title ?? name
  return title({
    name,
    collection: subject.collection?.name ?? '',
    year: subject.annual_report?.year ?? '',
    target: subject.event?.target_name ?? '',
    emoji: subject.emoji ?? '',
  })
}
