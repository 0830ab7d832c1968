// What is attached to a post: pictures beside each other, films, sounds; covered where their author or the reader wants it.
import { useState } from 'preact/hooks'
import { lazyPart } from '../../page/lazy-part.tsx'
import type { MediaAttachment } from '#entities/media-attachment.ts'
import { t } from '../../../core/texts.ts'
import { movesByItself, preferences } from '../../../data/session.ts'
import { useMissing } from '../../controls/missing.ts'
import { Button } from '../../controls/button.tsx'
import { aspectOf } from './aspect.ts'
import { Badge } from './badge.tsx'
import { Blurhash } from './blurhash.tsx'
import { Recording } from './recording.tsx'
import css from './post-media.module.css'

const Viewer = lazyPart(() => import('./media-viewer.tsx').then((module) => module.MediaViewer))

export interface PostMediaProps {
  media: readonly MediaAttachment[]
  /** They are covered unless the reader wants to see everything. */
  covered: boolean
}

export function PostMedia({ media, covered }: PostMediaProps) {
  const wish = preferences.value.data?.['reading:expand:media'] ?? 'default'
  const [isShown, setShown] = useState(wish === 'show_all' || (wish === 'default' && !covered))
  const [open, setOpen] = useState<number | null>(null)
  const pictures = media.filter(({ type }) => type === 'image' || type === 'gifv')
  const others = media.filter(({ type }) => type !== 'image' && type !== 'gifv')
  return (
    <div class={css['media']}>
      {pictures.length > 0 && (
        <div class={css['gallery']} data-count={Math.min(pictures.length, 5)}>
          {pictures.map((one, index) => (
            <Picture
              key={one.id}
              media={one}
              shown={isShown}
              alone={pictures.length === 1}
              onOpen={() => setOpen(index)}
            />
          ))}
        </div>
      )}
      {others.map((one) => (
        <Recording key={one.id} media={one} shown={isShown} />
      ))}
      <div class={isShown ? css['hide'] : css['cover']}>
        {isShown ? (
          covered && (
            <Button data-action="media" onClick={() => setShown(false)}>
              {t.media.hide}
            </Button>
          )
        ) : (
          <Button data-action="media" onClick={() => setShown(true)}>
            {covered ? t.media.showSensitive : t.media.show}
          </Button>
        )}
      </div>
      {open !== null && <Viewer media={pictures} start={open} onClose={() => setOpen(null)} />}
    </div>
  )
}

/** Where people look at, as a position of the part that is shown. */
function focusOf({ meta }: MediaAttachment): string {
  const { x, y } = meta.focus ?? { x: 0, y: 0 }
  return `${(x / 2 + 0.5) * 100}% ${(0.5 - y / 2) * 100}%`
}

interface PictureProps {
  media: MediaAttachment
  shown: boolean
  alone: boolean
  onOpen: () => void
}

function Picture({ media, shown, alone, onOpen }: PictureProps) {
  const moves = media.type === 'gifv' && movesByItself()
  const src = (!moves && media.preview_url) || (media.url ?? '')
  const { isMissing, onError } = useMissing(src)
  const style = alone ? { aspectRatio: String(aspectOf(media)) } : {}
  const label = media.description || t.media.noDescription
  const isThere = shown && !isMissing
  const file = { src, onError, style: { objectPosition: focusOf(media) } }
  return (
    <button
      type="button"
      data-action="open-media"
      class={css['picture']}
      style={style}
      onClick={onOpen}
      disabled={!shown}
      aria-label={shown && isMissing ? undefined : t.media.open({ label })}
    >
      {media.blurhash !== null && <Blurhash hash={media.blurhash} />}
      {isThere && moves && <video {...file} autoplay loop muted playsInline />}
      {isThere && !moves && <img {...file} alt={media.description ?? ''} loading="lazy" decoding="async" />}
      {isThere && media.type === 'gifv' && !moves && <Badge text={t.media.gif} />}
      {isThere && media.description && <Badge text={t.media.alt} atStart />}
      {shown && isMissing && (
        <span class={css['missing']}>
          <small>{t.media.missing}</small> <span dir="auto">{media.description}</span>
        </span>
      )}
    </button>
  )
}
