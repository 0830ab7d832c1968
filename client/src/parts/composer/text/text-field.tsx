// The text of a post. What begins like a mention, a tag or an emoji is completed from a list below
// (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/, in a field of several lines).
import type { RefObject } from 'preact'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { pictureOf } from '../../../core/play.ts'
import { t } from '../../../core/texts.ts'
import { movesByItself } from '../../../data/session.ts'
import { nameOf } from '../../account/account-name.tsx'
import { Avatar } from '../../account/avatar.tsx'
import { Icon } from '../../controls/icon.tsx'
import { beginningAt, suggest, type Beginning, type Suggestion } from './suggestions.ts'
import css from './text-field.module.css'

export interface TextFieldProps {
  id: string
  value: string
  label: string
  lang: string | null
  onInput: (text: string) => void
  onFiles: (files: FileList) => void
  onSubmit: () => void
}

/** Milliseconds without a letter after which suggestions are asked for. */
const rest = 150

/** What fits the beginning before the caret. */
function useSuggestions(beginning: Beginning | null) {
  const [found, setFound] = useState<readonly Suggestion[]>([])
  const [chosen, setChosen] = useState(0)
  const typed = beginning && beginning.sign + beginning.text
  useEffect(() => {
    if (!beginning) return setFound([])
    const controller = new AbortController()
    const timer = setTimeout(() => {
      void suggest(beginning, controller.signal).then(
        (suggestions) => {
          if (controller.signal.aborted) return
          setFound(suggestions)
          setChosen(0)
        },
        () => {},
      )
    }, rest)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [typed])
  return { found: beginning ? found : [], chosen, setChosen }
}

/** The list below the field: what it has, which one is meant, and what keys and pointers do. */
function useCompletion(
  area: RefObject<HTMLTextAreaElement | null>,
  value: string,
  onInput: (text: string) => void,
) {
  const [beginning, setBeginning] = useState<Beginning | null>(null)
  const caret = useRef<number | null>(null)
  const { found, chosen, setChosen } = useSuggestions(beginning)
  const isOpen = found.length > 0
  const close = () => setBeginning(null)
  useLayoutEffect(() => {
    if (caret.current === null) return
    area.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  }, [value])
  const take = (suggestion: Suggestion | undefined) => {
    if (!suggestion || !beginning) return
    const before = `${value.slice(0, beginning.start)}${suggestion.insert} `
    caret.current = before.length
    close()
    onInput(before + value.slice(beginning.end).replace(/^ /, ''))
    area.current?.focus()
  }
  const look = () => {
    const { current } = area
    if (current) setBeginning(beginningAt(current.value, current.selectionStart))
  }
  const choose = (event: KeyboardEvent) => {
    if (!isOpen || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter' && event.key !== 'Tab') return
    event.preventDefault()
    if (step === undefined) take(found[chosen])
    else setChosen((chosen + step + found.length) % found.length)
  }
  return { found, chosen, isOpen, take, look, choose, close }
}

export function TextField({ id, value, label, lang, onInput, onFiles, onSubmit }: TextFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const { found, chosen, isOpen, ...completion } = useCompletion(area, value, onInput)
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onSubmit()
    } else if (event.isComposing) return
    else if (event.key === 'Escape') {
      if (isOpen) event.preventDefault()
      completion.close()
    } else completion.choose(event)
  }
  return (
    <div class={css['field']}>
      <textarea
        ref={area}
        id={id}
        value={value}
        rows={3}
        dir="auto"
        {...(lang !== null && { lang })}
        placeholder={label}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={isOpen ? list : undefined}
        aria-activedescendant={isOpen ? `${list}-${chosen}` : undefined}
        onInput={(event) => {
          onInput(event.currentTarget.value)
          completion.look()
        }}
        onClick={completion.look}
        onBlur={completion.close}
        onKeyDown={press}
        onPaste={(event) => {
          const files = event.clipboardData?.files
          if (!files?.length) return
          event.preventDefault()
          onFiles(files)
        }}
      />
      {isOpen && <List id={list} found={found} chosen={chosen} onTake={completion.take} />}
      <span class={css['told']} role="status">
        {isOpen ? t.compose.suggestionCount({ count: found.length }) : ''}
      </span>
    </div>
  )
}

interface ListProps {
  id: string
  found: readonly Suggestion[]
  chosen: number
  onTake: (suggestion: Suggestion) => void
}

function List({ id, found, chosen, onTake }: ListProps) {
  const box = useRef<HTMLUListElement>(null)
  useEffect(() => box.current?.children[chosen]?.scrollIntoView({ block: 'nearest' }), [found, chosen])
  return (
    <ul ref={box} id={id} class={css['list']} role="listbox" aria-label={t.compose.suggestions}>
      {found.map((suggestion, index) => (
        <li
          key={suggestion.key}
          id={`${id}-${index}`}
          role="option"
          data-plays
          aria-selected={index === chosen}
          onPointerDown={(event) => {
            event.preventDefault()
            onTake(suggestion)
          }}
        >
          <Shown suggestion={suggestion} />
        </li>
      ))}
    </ul>
  )
}

function Shown({ suggestion: { account, picture, character, name } }: { suggestion: Suggestion }) {
  if (account)
    return (
      <>
        <Avatar account={account} size={28} />
        <bdi>{nameOf(account)}</bdi> <bdi class={css['soft']}>@{account.acct}</bdi>
      </>
    )
  return (
    <>
      {picture !== undefined && (
        <img {...pictureOf(picture.moving, picture.still, movesByItself())} alt="" width={22} height={22} />
      )}
      {character !== undefined && <span class={css['character']}>{character}</span>}
      {picture === undefined && character === undefined && <Icon name="hash" size={18} />}
      <bdi>{picture === undefined && character === undefined ? name.slice(1) : name}</bdi>
    </>
  )
}
