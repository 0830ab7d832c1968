// Pictures in the whole window, one after another, with what stands in their descriptions.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MediaAttachment } from '#entities/media-attachment.ts'
import { t } from '../../../core/texts.ts'
import { movesByItself } from '../../../data/session.ts'
import { useMissing } from '../../controls/missing.ts'
import { coverView } from '../../../router/router.ts'
import { Dialog } from '../../controls/dialog.tsx'
import { IconButton } from '../../controls/icon-button.tsx'
import { Missing } from './missing.tsx'
import { useSwipes } from './swipes.ts'
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
  const goIfAny = media.length > 1 ? go : null
  useArrows(goIfAny)
  const swipes = useSwipes({ go: goIfAny, close }, isLarge)
  const shown = media[index]
  if (!shown) return null
  return (
    <Dialog title={t.media.viewer({ number: index + 1, count: media.length })} size="whole" onClose={close}>
      <div class={css['viewer']}>
        <div
          class={`${css['stage']} ${isLarge ? css['large'] : ''}`}
          {...(isLarge && { role: 'group', 'aria-label': t.media.zoom, tabIndex: 0 })}
          onClick={(event) => closeBeside(event, close)}
          {...swipes}
        >
          <Whole key={shown.id} media={shown} />
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
        {shown.description && <Description key={shown.id} text={shown.description} />}
      </div>
    </Dialog>
  )
}

/** The picture itself, or words where it is missing. */
function Whole({ media }: { media: MediaAttachment }) {
  const { isMissing, onError, retry } = useMissing(media.url ?? '')
  if (isMissing)
    return (
      <div class={css['missing']}>
        <Missing media={media} onRetry={retry} />
      </div>
    )
  const file = { src: media.url ?? '', onError }
  if (media.type !== 'gifv') return <img {...file} alt={media.description ?? ''} />
  const label = media.description || t.media.gifv
  return <video {...file} aria-label={label} autoplay={movesByItself()} loop muted playsInline controls />
}

/** With the keyboard one comes to it where it is longer than its place, and scrolls. */
function Description({ text }: { text: string }) {
  const place = useRef<HTMLParagraphElement>(null)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const { scrollHeight = 0, clientHeight = 0 } = place.current ?? {}
    setLong(scrollHeight > clientHeight)
  }, [])
  return (
    <p ref={place} class={css['description']} dir="auto" {...(isLong && { tabIndex: 0 })}>
      {text}
    </p>
  )
}

/** Goes on with the arrow towards the end of a line, and back with the other one. */
function useArrows(go: ((step: number) => void) | null): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!go || !/^Arrow(?:Left|Right)$/.test(event.key)) return
      // On the controls of a film they go to another moment of it, and a picture larger than the window is moved.
      if ((event.target as Element).matches('video, [role=group]')) return
      const forward = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
      event.preventDefault()
      go(event.key === forward ? 1 : -1)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

/** The browser's way back closes the viewer; returns what goes that way. */
function useOwnEntry(onClose: () => void): () => void {
  const leave = useRef<(() => void) | null>(null)
  // Before anybody can go back.
  useLayoutEffect(() => {
    leave.current = coverView(onClose)
    // What it belongs to may vanish below it.
    return leave.current
  }, [])
  return () => leave.current?.()
}

function closeBeside(event: MouseEvent, onClose: () => void): void {
  if (event.target === event.currentTarget) onClose()
}
