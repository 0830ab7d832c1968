// The emoji of the server and of Unicode, by group or by what is typed.
import { useEffect, useState } from 'preact/hooks'
import type { CustomEmoji } from '#entities/emoji.ts'
import { isOnline } from '../../../api/client.ts'
import { pictureOf } from '../../../core/play.ts'
import { t } from '../../../core/texts.ts'
import { useQuery } from '../../../data/query.ts'
import { movesByItself } from '../../../data/session.ts'
import { Field } from '../../controls/field.tsx'
import { findCharacters, loadCharacters, type Character, type Groups } from './characters.ts'
import css from './emoji-picker.module.css'

const customEmojis = '/api/v1/custom_emojis'
const max = 60

export function EmojiPicker({ onPick }: { onPick: (text: string) => void }) {
  const [typed, setTyped] = useState('')
  const [groups, setGroups] = useState<Groups | null>(null)
  const [found, setFound] = useState<readonly Character[]>([])
  const customs = useQuery<CustomEmoji[]>(customEmojis).data ?? []
  const wanted = typed.trim().toLowerCase()
  const isThere = isOnline.value
  useEffect(() => void loadCharacters().then(setGroups, () => {}), [isThere])
  useEffect(() => {
    let isCurrent = true
    void findCharacters(wanted, max).then(
      (characters) => isCurrent && setFound(characters),
      () => {},
    )
    return () => {
      isCurrent = false
    }
  }, [wanted, isThere])
  const shown = customs.filter(
    ({ shortcode, visible_in_picker: isShown }) => isShown && shortcode.toLowerCase().includes(wanted),
  )
  return (
    <div class={css['picker']}>
      <Field
        label={t.compose.searchEmoji}
        type="search"
        value={typed}
        onInput={(event) => setTyped((event.currentTarget as HTMLInputElement).value)}
      />
      {/* What scrolls can be reached by keyboard. */}
      <div class={css['groups']} tabIndex={0} role="group" aria-label={t.compose.emoji}>
        <Customs emojis={shown} onPick={onPick} />
        {wanted === '' ? (
          [...(groups ?? [])].map(([group, characters]) => (
            <section key={group} class={css['group']} aria-label={t.compose.emojiGroups[group]}>
              <h3>{t.compose.emojiGroups[group]}</h3>
              <Characters list={characters} onPick={onPick} />
            </section>
          ))
        ) : (
          <Characters list={found} onPick={onPick} />
        )}
        {wanted !== '' && shown.length + found.length === 0 && <p>{t.compose.noEmoji}</p>}
      </div>
    </div>
  )
}

function Customs({ emojis, onPick }: { emojis: readonly CustomEmoji[]; onPick: (text: string) => void }) {
  const moves = movesByItself()
  return (
    <>
      {categoriesOf(emojis).map(([category, ofCategory]) => (
        <section key={category} aria-label={category}>
          <h3>{category}</h3>
          <div class={css['grid']}>
            {ofCategory.map(({ shortcode, url, static_url: still }) => (
              <button
                key={shortcode}
                type="button"
                title={`:${shortcode}:`}
                aria-label={`:${shortcode}:`}
                onClick={() => onPick(`:${shortcode}:`)}
              >
                <img {...pictureOf(url, still, moves)} alt="" loading="lazy" width={24} height={24} />
              </button>
            ))}
          </div>
        </section>
      ))}
    </>
  )
}

function Characters({ list, onPick }: { list: readonly Character[]; onPick: (text: string) => void }) {
  return (
    <div class={css['grid']}>
      {list.map(({ character, name }) => (
        <button
          key={character}
          type="button"
          title={name}
          aria-label={name}
          onClick={() => onPick(character)}
        >
          {character}
        </button>
      ))}
    </div>
  )
}

/** By category, those without one last. */
function categoriesOf(emojis: readonly CustomEmoji[]): [string, CustomEmoji[]][] {
  const groups = new Map<string, CustomEmoji[]>()
  for (const emoji of emojis.toSorted((a, b) => Number(a.category === null) - Number(b.category === null))) {
    const name = emoji.category ?? t.compose.customEmoji
    groups.set(name, [...(groups.get(name) ?? []), emoji])
  }
  return [...groups]
}
