import { t } from '../../../core/texts.ts'
import type { WrittenPost } from '../../../data/writing/content.ts'
import { guessLanguage } from '../../../data/writing/guess-language.ts'
import { nameOfLanguage } from '../../../core/format.ts'
import { defaultLanguage } from '../../../data/writing/languages.ts'
import { Button } from '../../controls/button.tsx'

/** Asks when a text looks like another language than one usually writes in, and none was chosen. */
export function LanguageHint({ post, onChoose }: { post: WrittenPost; onChoose: (code: string) => void }) {
  const usual = defaultLanguage()
  const guess = post.language === null && usual !== null ? guessLanguage(post.text) : null
  if (guess === null || guess === usual?.split('-')[0]) return null
  return (
    <span>
      <Button look="plain" onClick={() => onChoose(guess)}>
        {t.compose.writtenIn({ language: nameOfLanguage(guess) })}
      </Button>
    </span>
  )
}
