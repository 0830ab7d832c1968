// Pictures in the whole window, one after another, with what stands in their descriptions.
import { useEffect, useState } from 'preact/hooks'
import type { MediaAttachment } from '#entities/media-attachment.ts'
import { t } from '../../core/texts.ts'
import { Dialog } from '../controls/dialog.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import css from './media-viewer.module.css'

export interface MediaViewerProps {
  media: readonly MediaAttachment[]
  start: number
  onClose: () => void
}

export function MediaViewer({ media, start, onClose }: MediaViewerProps) {
  const [index, setIndex] = useState(start)
  const [isLarge, setLarge] = useState(false)
  const go = (step: number) => {
    setLarge(false)
    setIndex((index + step + media.length) % media.length)
  }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const forward = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
      if (media.length < 2 || !/^Arrow(?:Left|Right)$/.test(event.key)) return
      event.preventDefault()
      go(event.key === forward ? 1 : -1)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
  const shown = media[index]
  if (!shown) return null
  return (
    <Dialog title={t.media.viewer({ number: index + 1, count: media.length })} size="whole" onClose={onClose}>
      <div class={css['viewer']}>
        <div
          class={`${css['stage']} ${isLarge ? css['large'] : ''}`}
          onClick={(event) => closeBeside(event, onClose)}
        >
          {shown.type === 'gifv' ? (
            <video src={shown.url ?? ''} aria-label={shown.description ?? ''} autoplay loop muted controls />
          ) : (
            <img src={shown.url ?? ''} alt={shown.description ?? ''} />
          )}
        </div>
        <div class={css['controls']}>
          {media.length > 1 && <IconButton icon="back" label={t.media.previous} onClick={() => go(-1)} />}
          <IconButton
            icon="search"
            label={t.media.zoom}
            pressed={isLarge}
            onClick={() => setLarge(!isLarge)}
          />
          {media.length > 1 && <IconButton icon="forward" label={t.media.next} onClick={() => go(1)} />}
        </div>
        {shown.description && (
          <p class={css['description']} dir="auto">
            {shown.description}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function closeBeside(event: MouseEvent, onClose: () => void): void {
  if (event.target === event.currentTarget) onClose()
}
