import { useMemo, useState } from 'preact/hooks'
import { t } from '../../../core/texts.ts'
import type { WrittenPost } from '../../../data/writing/content.ts'
import { languageOf, listLanguages } from '../../../data/writing/languages.ts'
import { Field } from '../../controls/field.tsx'
import rowCss from '../../controls/row.module.css'
import css from './choices.module.css'

/** All languages, narrowed by what is typed. */
export function LanguageChoice({ post, onChoose }: { post: WrittenPost; onChoose: (code: string) => void }) {
  const [typed, setTyped] = useState('')
  const all = useMemo(() => listLanguages(post), [post])
  const current = languageOf(post).code
  const wanted = typed.trim().toLowerCase()
  const shown = all.filter(({ code, name }) => code === wanted || name.toLowerCase().includes(wanted))
  return (
    <div class={css['fields']}>
      <Field
        label={t.compose.searchLanguage}
        type="search"
        value={typed}
        onInput={(event) => setTyped((event.currentTarget as HTMLInputElement).value)}
      />
      <ul class={css['list']}>
        {shown.map(({ code, name }) => (
          <li key={code}>
            <button
              type="button"
              class={`${rowCss['row']} ${css['option']}`}
              aria-pressed={code === current}
              onClick={() => onChoose(code)}
            >
              <span lang={code}>{name}</span> <small>{code}</small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
