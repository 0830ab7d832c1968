// The media of a post: what they show in words, their order, their focal point.
import { useState } from 'preact/hooks'
import { formatPercent } from '../../../core/format.ts'
import { t } from '../../../core/texts.ts'
import type { WrittenMedia, WrittenPost } from '../../../data/writing/content.ts'
import type { Piece } from '../../../data/writing/piece.ts'
import { limits } from '../../../data/writing/readiness.ts'
import { Button } from '../../controls/button.tsx'
import fieldCss from '../../controls/field.module.css'
import { Icon } from '../../controls/icon.tsx'
import { IconButton } from '../../controls/icon-button.tsx'
import { MediaDialog } from './media-dialog.tsx'
import css from './media-fields.module.css'
import { usePicture } from './use-picture.ts'

export function MediaFields({ piece, post }: { piece: Piece; post: WrittenPost }) {
  const { media } = post
  const move = (from: number, by: number) =>
    piece.changePost(post.key, () => {
      const next = [...media]
      const [moved] = next.splice(from, 1)
      if (moved) next.splice(from + by, 0, moved)
      return { media: next }
    })
  return (
    <ul class={css['list']} aria-label={t.compose.media}>
      {media.map((one, index) => (
        <Item
          key={one.key}
          media={one}
          onChange={(update) => piece.changeMedia(post.key, one.key, update)}
          onRemove={() =>
            piece.changePost(post.key, (now) => ({ media: now.media.filter(({ key }) => key !== one.key) }))
          }
          onEarlier={index > 0 ? () => move(index, -1) : undefined}
          onLater={index < media.length - 1 ? () => move(index, 1) : undefined}
        />
      ))}
    </ul>
  )
}

interface ItemProps {
  media: WrittenMedia
  onChange: (update: Partial<WrittenMedia>) => void
  onRemove: () => void
  onEarlier: (() => void) | undefined
  onLater: (() => void) | undefined
}

function Item({ media, onChange, onRemove, onEarlier, onLater }: ItemProps) {
  const [isOpen, setOpen] = useState(false)
  const max = limits()?.media_attachments.description_limit ?? 1_500
  return (
    <li class={css['item']}>
      <Preview media={media} />
      <textarea
        class={`${fieldCss['input']} ${css['description']}`}
        value={media.description}
        rows={2}
        dir="auto"
        maxLength={max}
        placeholder={t.compose.describe}
        aria-label={t.compose.description}
        onInput={(event) => onChange({ description: event.currentTarget.value, isTold: false })}
      />
      <div class={css['row']}>
        <Told media={media} onRetry={() => onChange({ problem: null, progress: null })} />
        {media.type !== 'unknown' && (
          <IconButton icon="settings" label={t.compose.editMedia} onClick={() => setOpen(true)} />
        )}
        {(onEarlier ?? onLater) && (
          <>
            <IconButton icon="up" label={t.compose.earlier} disabled={!onEarlier} onClick={onEarlier} />
            <IconButton icon="down" label={t.compose.later} disabled={!onLater} onClick={onLater} />
          </>
        )}
        <IconButton icon="trash" label={t.compose.removeMedia} onClick={onRemove} />
      </div>
      {isOpen && <MediaDialog media={media} onChange={onChange} onClose={() => setOpen(false)} />}
    </li>
  )
}

const icons = { video: 'play', gifv: 'play', audio: 'speak', image: 'picture', unknown: 'picture' } as const

function Preview({ media }: { media: WrittenMedia }) {
  const picture = usePicture(media)
  if (picture === null)
    return (
      <span class={css['preview']}>
        <Icon name={icons[media.type]} size={28} />
      </span>
    )
  return <img class={css['preview']} src={picture} alt="" />
}

/** How far it is, or what went wrong. */
function Told({
  media: { progress, problem, attachment, name },
  onRetry,
}: {
  media: WrittenMedia
  onRetry: () => void
}) {
  if (problem !== null)
    return (
      <span class={css['problem']} role="alert">
        {problem}{' '}
        <Button look="plain" onClick={onRetry}>
          {t.common.retry}
        </Button>
      </span>
    )
  if (attachment?.url === null || (progress === 1 && !attachment))
    return <span class={css['told']}>{t.compose.processing}</span>
  if (progress === null) return <span class={css['told']}>{name}</span>
  return (
    <span class={css['told']}>
      <progress value={progress} aria-label={t.compose.uploading} /> {formatPercent(progress)}
    </span>
  )
}
