// Who reacted with which emoji, by number, and a way to join in.
import { useState } from 'preact/hooks'
import type { Reaction } from '#entities/emoji.ts'
import { formatShort } from '../../core/format.ts'
import { pictureOf } from '../../core/play.ts'
import { t } from '../../core/texts.ts'
import { reactionOf } from '../../data/reactions.ts'
import { movesByItself } from '../../data/session.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { lazyPart } from '../page/lazy-part.tsx'
import css from './reactions.module.css'

export interface ReactionsProps {
  reactions: readonly Reaction[]
  /** Adds one's own, or takes it back. */
  onToggle: (reaction: Reaction) => void
  /** How many kinds there may be. */
  max?: number
}

export const ReactionPicker = lazyPart(() =>
  import('./reaction-picker.tsx').then((module) => module.ReactionPicker),
)

export function Reactions({ reactions, onToggle, max = Number.POSITIVE_INFINITY }: ReactionsProps) {
  const [isPicking, setPicking] = useState(false)
  return (
    <div class={css['reactions']} role="group" aria-label={t.reactions.label}>
      {reactions.map((reaction) => (
        <button
          key={reaction.name}
          type="button"
          class={css['reaction']}
          aria-pressed={reaction.me === true}
          onClick={() => onToggle(reaction)}
        >
          <ReactionEmoji reaction={reaction} /> <span>{formatShort(reaction.count)}</span>
        </button>
      ))}
      {reactions.length < max && (
        <IconButton icon="smile" label={t.reactions.add} onClick={() => setPicking(true)} />
      )}
      {isPicking && (
        <ReactionPicker
          onClose={() => setPicking(false)}
          onPick={(picked) => {
            const reaction = reactionOf(picked)
            const isMine = reactions.some(({ name, me }) => name === reaction.name && me)
            if (!isMine) onToggle(reaction)
          }}
        />
      )}
    </div>
  )
}

export function ReactionEmoji({ reaction: { name, url, static_url: still } }: { reaction: Reaction }) {
  const moves = movesByItself()
  if (url === undefined) return <span>{name}</span>
  return (
    <img
      {...pictureOf(url, still ?? url, moves)}
      alt={`:${name}:`}
      title={`:${name}:`}
      height={20}
      loading="lazy"
    />
  )
}
