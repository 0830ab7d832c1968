// What is not published yet, one below the other.
import { toChildArray, type ComponentChildren } from 'preact'
import type { MediaAttachment } from '#entities/media-attachment.ts'
import listCss from '../../parts/page/list.module.css'
import noteCss from '../../parts/page/note.module.css'
import css from './writing-list.module.css'

export interface WritingListProps {
  label: string
  /** What stands there when there is none. */
  empty: string
  children: ComponentChildren
}

export function WritingList({ label, empty, children }: WritingListProps) {
  if (toChildArray(children).length === 0) return <p class={noteCss['none']}>{empty}</p>
  return (
    <ul class={listCss['list']} aria-label={label}>
      {children}
    </ul>
  )
}

export interface WritingItemProps {
  text: string
  media: readonly MediaAttachment[]
  /** When, and what it is besides. */
  about: ComponentChildren
  problem?: string
  /** What can be done with it. */
  children: ComponentChildren
}

export function WritingItem({ text, media, about, problem, children }: WritingItemProps) {
  return (
    <li class={`${listCss['row']} ${css['item']}`}>
      <div class={css['about']}>{about}</div>
      <p class={css['text']} dir="auto">
        {text}
      </p>
      {problem !== undefined && <p class={css['problem']}>{problem}</p>}
      {media.length > 0 && (
        <div class={css['media']}>
          {media.map(
            ({ id, preview_url: source, description }) =>
              source !== null && <img key={id} src={source} alt={description ?? ''} loading="lazy" />,
          )}
        </div>
      )}
      <div class={css['actions']}>{children}</div>
    </li>
  )
}
