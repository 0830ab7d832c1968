// Posts in the reader's language, as the server has them translated: asked for one by one, and shown until the original is
// wanted again.
import { signal, type Signal } from '@preact/signals'
import type { Status, Translation } from '#entities/status.ts'
import { post } from '../api/client.ts'
import { wordsOf } from '../api/errors.ts'
import { language } from '../core/start.ts'
import { tell } from '../core/tell.ts'
import { account, instance } from './session.ts'

interface Translated {
  /** Null until it was asked for. */
  translation: Translation | null
  isShown: boolean
  isAsked: boolean
}

const known = new Map<string, Signal<Translated>>()

export function translationOf(id: string): Signal<Translated> {
  const state = known.get(id) ?? signal<Translated>({ translation: null, isShown: false, isAsked: false })
  known.set(id, state)
  return state
}

const baseOf = (code: string) => code.split('-')[0]

/** Whether the server may translate it for the viewer: it is in another language, and everybody may read it. */
export function mayTranslate(status: Status): boolean {
  const isOn = instance.value.data?.configuration.translation.enabled === true
  const isOpen = status.visibility === 'public' || status.visibility === 'unlisted'
  const isForeign = status.language !== null && baseOf(status.language) !== baseOf(language)
  const isOwn = status.account.id === account.value.data?.id
  return isOn && isOpen && isForeign && !isOwn && (status.content !== '' || status.poll !== null)
}

/** Languages that can be translated from, each with those into which. */
export type TranslationLanguages = Readonly<Record<string, readonly string[]>>
export const languagesPath = '/api/v1/instance/translation_languages'

export const canTranslate = (from: string | null, languages: TranslationLanguages | undefined): boolean =>
  from !== null && languages?.[baseOf(from) ?? '']?.some((one) => baseOf(one) === baseOf(language)) === true

/** Shows the translation, or the original again. */
export async function toggleTranslation(id: string): Promise<void> {
  const state = translationOf(id)
  const { translation, isShown, isAsked } = state.peek()
  if (isAsked) return
  if (translation) {
    state.value = { translation, isShown: !isShown, isAsked: false }
    return
  }
  state.value = { translation: null, isShown: false, isAsked: true }
  try {
    const made = await post<Translation>(`/api/v1/statuses/${id}/translate`, { body: { lang: language } })
    state.value = { translation: made, isShown: true, isAsked: false }
  } catch (error) {
    state.value = { translation: null, isShown: false, isAsked: false }
    tell(wordsOf(error), 'problem')
  }
}

/** The post as it is shown: what was translated in place of what was written. */
export function inTranslation(status: Status): Status {
  const { translation, isShown } = translationOf(status.id).value
  if (!translation || !isShown) return status
  const { content, spoiler_text, language: into, poll, media_attachments: media } = translation
  const described = new Map(media.map(({ id, description }) => [id, description]))
  return {
    ...status,
    content,
    spoiler_text,
    language: into,
    media_attachments: status.media_attachments.map((one) => ({
      ...one,
      description: described.get(one.id) ?? one.description,
    })),
    poll: status.poll && {
      ...status.poll,
      options: status.poll.options.map((option, index) => ({
        ...option,
        title: poll?.options[index]?.title ?? option.title,
      })),
    },
  }
}
