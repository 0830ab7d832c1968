// What is attached to a post: pictures beside each other, films, sounds; covered where their author or the reader wants it.
import { useState } from 'preact/hooks'
import { lazyPart } from '../page/lazy-part.tsx'
import type { MediaAttachment } from '#entities/media-attachment.ts'
import { t } from '../../core/texts.ts'
import { isWebAddress } from '../../core/web-address.ts'
import { movesByItself, preferences } from '../../data/session.ts'
import { Button } from '../controls/button.tsx'
import { Blurhash } from './blurhash.tsx'
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

/** Width by height, within what is pleasant to scroll past. */
function aspectOf({ meta }: MediaAttachment): number {
  const aspect = meta.original?.aspect ?? meta.small?.aspect ?? 16 / 9
  return Math.min(2.4, Math.max(0.75, aspect))
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
  const style = alone ? { aspectRatio: String(aspectOf(media)) } : {}
  const look = { objectPosition: focusOf(media) }
  const label = media.description ?? t.media.noDescription
  return (
    <button
      type="button"
      data-action="open-media"
      class={css['picture']}
      style={style}
      onClick={onOpen}
      disabled={!shown}
      aria-label={t.media.open({ label })}
    >
      {media.blurhash !== null && <Blurhash hash={media.blurhash} />}
      {shown && moves && media.url !== null && (
        <video src={media.url} style={look} autoplay loop muted playsInline />
      )}
      {shown && !moves && (
        <img
          src={media.preview_url ?? media.url ?? ''}
          alt={media.description ?? ''}
          style={look}
          loading="lazy"
          decoding="async"
        />
      )}
      {shown && media.type === 'gifv' && !moves && <Badge text={t.media.gif} />}
      {shown && media.description && <Badge text={t.media.alt} look={css['alt']} />}
    </button>
  )
}

/** Letters that are drawn and no part of the button's name. */
const Badge = ({ text, look = '' }: { text: string; look?: string | undefined }) => (
  <span class={`${css['badge']} ${look}`} data-text={text} />
)

/** A film or a sound with what it is about, which is all that there is for those who do not hear it. */
function Recording({ media, shown }: { media: MediaAttachment; shown: boolean }) {
  if (media.url === null || media.type === 'unknown') return <Elsewhere media={media} />
  if (!shown) return null
  const common = {
    src: media.url,
    controls: true,
    preload: 'none',
    'aria-label': media.description ?? t.media[media.type],
  } as const
  return (
    <figure class={css['recording']}>
      {media.type === 'audio' ? (
        <audio {...common} />
      ) : (
        <video
          {...common}
          playsInline
          poster={media.preview_url ?? undefined}
          style={{ aspectRatio: String(aspectOf(media)) }}
        />
      )}
      {media.description && <figcaption dir="auto">{media.description}</figcaption>}
    </figure>
  )
}

/** What this server does not have, or not yet. */
function Elsewhere({ media }: { media: MediaAttachment }) {
  if (!isWebAddress(media.remote_url)) return <p class={css['elsewhere']}>{t.media.processing}</p>
  return (
    <p class={css['elsewhere']}>
      <a href={media.remote_url} target="_blank" rel="nofollow noopener noreferrer">
        {media.description || t.media.elsewhere}
      </a>
    </p>
  )
}
