// One post that is written: warning, text, media, poll.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../core/texts.ts'
import type { WrittenPost } from '../../data/writing/content.ts'
import type { Piece } from '../../data/writing/piece.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { addFiles } from './media/add-files.ts'
import { MediaFields } from './media/media-fields.tsx'
import { PollFields } from './poll-fields.tsx'
import css from './composer.module.css'
import { LanguageHint } from './choices/language-hint.tsx'
import { TextField } from './text/text-field.tsx'

export interface PostFieldsProps {
  piece: Piece
  post: WrittenPost
  /** Its place in the thread, from 0. */
  index: number
  isFocused: boolean
  onActive: () => void
  onSubmit: () => void
}

export function PostFields({ piece, post, index, isFocused, onActive, onSubmit }: PostFieldsProps) {
  const { posts } = piece.content.value
  const isThread = posts.length > 1
  const change = (update: Partial<WrittenPost>) => piece.changePost(post.key, () => update)
  const group = useRef<HTMLDivElement>(null)
  // Before the next key is pressed.
  useLayoutEffect(() => {
    if (!isFocused) return
    const area = group.current?.querySelector('textarea')
    area?.focus()
    area?.setSelectionRange(area.value.length, area.value.length)
  }, [isFocused])
  return (
    <div
      ref={group}
      class={css['post']}
      role="group"
      aria-label={isThread ? t.compose.postOfThread({ number: index + 1 }) : t.compose.post}
      onFocusIn={onActive}
    >
      {post.warning !== null && (
        <input
          class={css['warning']}
          value={post.warning}
          dir="auto"
          placeholder={t.compose.warningText}
          aria-label={t.compose.warningText}
          onInput={(event) => change({ warning: event.currentTarget.value })}
        />
      )}
      <TextField
        id={`compose-${post.key}`}
        value={post.text}
        label={index === 0 ? t.compose.placeholder : t.compose.goOn({ number: index + 1 })}
        lang={post.language}
        onInput={(text) => change({ text })}
        onFiles={(files) => addFiles(piece, post.key, files)}
        onSubmit={onSubmit}
      />
      <LanguageHint post={post} onChoose={(language) => change({ language })} />
      {post.media.length > 0 && <MediaFields piece={piece} post={post} />}
      {post.poll && <PollFields poll={post.poll} onChange={(poll) => change({ poll })} />}
      {isThread && (
        <span class={css['remove']}>
          <IconButton
            icon="close"
            label={t.compose.removePost({ number: index + 1 })}
            onClick={() => piece.change({ posts: posts.filter(({ key }) => key !== post.key) })}
          />
        </span>
      )}
    </div>
  )
}
