// Pictures in the whole window, one after another, with what stands in their descriptions.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { MediaAttachment } from '#entities/media-attachment.ts'
import { t } from '../../core/texts.ts'
import { movesByItself } from '../../data/session.ts'
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
  const close = useOwnEntry(onClose)
  const go = (step: number) => {
    setLarge(false)
    setIndex((index + step + media.length) % media.length)
  }
  useArrows(media.length > 1 ? go : null)
  const shown = media[index]
  if (!shown) return null
  return (
    <Dialog title={t.media.viewer({ number: index + 1, count: media.length })} size="whole" onClose={close}>
      <div class={css['viewer']}>
        <div
          class={`${css['stage']} ${isLarge ? css['large'] : ''}`}
          onClick={(event) => closeBeside(event, close)}
        >
          {shown.type === 'gifv' ? (
            <video
              src={shown.url ?? ''}
              aria-label={shown.description ?? ''}
              autoplay={movesByItself()}
              loop
              muted
              playsInline
              controls
            />
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

/** Goes on with the arrow towards the end of a line, and back with the other one. */
function useArrows(go: ((step: number) => void) | null): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!go || !/^Arrow(?:Left|Right)$/.test(event.key)) return
      // On the controls of a film they go to another moment of it.
      if (event.target instanceof HTMLMediaElement) return
      const forward = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
      event.preventDefault()
      go(event.key === forward ? 1 : -1)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

/** Gives the viewer an entry of the history, so that the browser's way back closes it; returns what goes that way. */
function useOwnEntry(onClose: () => void): () => void {
  const isLeaving = useRef(false)
  useEffect(() => {
    history.pushState(history.state, '')
    const back = (event: PopStateEvent) => {
      // The view below is the same as before: it is neither shown anew nor scrolled.
      event.stopImmediatePropagation()
      onClose()
    }
    addEventListener('popstate', back, { capture: true })
    return () => removeEventListener('popstate', back, { capture: true })
  }, [])
  return () => {
    if (isLeaving.current) return
    isLeaving.current = true
    history.back()
  }
}

function closeBeside(event: MouseEvent, onClose: () => void): void {
  if (event.target === event.currentTarget) onClose()
}
