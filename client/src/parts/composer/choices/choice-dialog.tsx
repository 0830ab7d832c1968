// What is chosen for a post in a dialog: who sees it, its language, when it goes out, emoji.
import { t } from '../../../core/texts.ts'
import type { WrittenPost } from '../../../data/writing/content.ts'
import type { Piece } from '../../../data/writing/piece.ts'
import { mediaWithoutDescription } from '../../../data/writing/readiness.ts'
import { Button } from '../../controls/button.tsx'
import { Dialog } from '../../controls/dialog.tsx'
import { EmojiPicker } from '../emoji/emoji-picker.tsx'
import css from './choices.module.css'
import { LanguageChoice } from './language-choice.tsx'
import { ScheduleChoice } from './schedule-choice.tsx'
import { VisibilityChoice } from './visibility-choice.tsx'

export type Choice = 'visibility' | 'language' | 'schedule' | 'emoji' | 'descriptions'

export interface ChoiceDialogProps {
  choice: Choice
  piece: Piece
  post: WrittenPost
  scheduledAt: string | null
  onSchedule: (at: string | null) => void
  onPublish: () => void
  onClose: () => void
}

const titles = (): Readonly<Record<Choice, string>> => ({
  visibility: t.compose.visibility,
  language: t.compose.language,
  schedule: t.compose.schedule,
  emoji: t.compose.emoji,
  descriptions: t.compose.askDescriptions,
})

export function ChoiceDialog(props: ChoiceDialogProps) {
  const { choice, onClose } = props
  return (
    <Dialog title={titles()[choice]} onClose={onClose}>
      <Content {...props} />
    </Dialog>
  )
}

function Content({ choice, piece, post, scheduledAt, onSchedule, onPublish, onClose }: ChoiceDialogProps) {
  if (choice === 'visibility') return <VisibilityChoice piece={piece} onDone={onClose} />
  if (choice === 'language')
    return (
      <LanguageChoice
        post={post}
        onChoose={(language) => {
          piece.changePost(post.key, () => ({ language }))
          onClose()
        }}
      />
    )
  if (choice === 'schedule')
    return (
      <ScheduleChoice
        at={scheduledAt}
        onChoose={(at) => {
          onSchedule(at)
          onClose()
        }}
      />
    )
  if (choice === 'emoji')
    return (
      <EmojiPicker
        onPick={(text) => {
          insert(piece, post, text)
          onClose()
        }}
      />
    )
  return (
    <>
      <p>{t.compose.withoutDescription({ count: mediaWithoutDescription(piece.content.value) })}</p>
      <div class={css['buttons']}>
        <Button
          onClick={() => {
            onClose()
            onPublish()
          }}
        >
          {t.compose.publishAnyway}
        </Button>
        <Button look="main" onClick={onClose}>
          {t.compose.addDescriptions}
        </Button>
      </div>
    </>
  )
}

/** Puts it where the caret is. */
function insert(piece: Piece, post: WrittenPost, text: string): void {
  const area = document.getElementById(`compose-${post.key}`)
  const [start, end] =
    area instanceof HTMLTextAreaElement
      ? [area.selectionStart, area.selectionEnd]
      : [post.text.length, post.text.length]
  const before = post.text.slice(0, start)
  const space = text.startsWith(':') && /\S$/.test(before) ? ' ' : ''
  piece.changePost(post.key, () => ({
    text: `${before}${space}${text}${text.startsWith(':') ? ' ' : ''}${post.text.slice(end)}`,
  }))
}
