import type { Status } from '#entities/status.ts'
import { nameOfLanguage } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import {
  canTranslate,
  languagesPath,
  mayTranslate,
  toggleTranslation,
  translationOf,
  type TranslationLanguages,
} from '../../data/translations.ts'
import { Button } from '../controls/button.tsx'
import css from './post-content.module.css'

/** *Translate* and *Show original*, where the server translates from the language of the post. */
export function PostTranslation({ status }: { status: Status }) {
  const { translation, isShown, isAsked } = translationOf(status.id).value
  const isWanted = mayTranslate(status)
  const { data: languages } = useQuery<TranslationLanguages>(isWanted ? languagesPath : null)
  if (!isWanted || !canTranslate(status.language, languages)) return null
  return (
    <p class={css['translation']}>
      <Button
        look="plain"
        data-action="translate"
        disabled={isAsked}
        onClick={() => void toggleTranslation(status.id)}
      >
        {isAsked ? t.post.translating : isShown ? t.post.showOriginal : t.post.translate}
      </Button>
      {isShown && translation && (
        <small>
          {t.post.translated({
            language: nameOfLanguage(translation.detected_source_language || (status.language ?? '')),
            provider: translation.provider,
          })}
        </small>
      )}
    </p>
  )
}
