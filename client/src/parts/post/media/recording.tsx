// A film or a sound of a post, with what it is about: that is all that there is for those who do not see or hear it.
import type { MediaAttachment } from '#entities/media-attachment.ts'
import { formatLength } from '../../../core/format.ts'
import { t } from '../../../core/texts.ts'
import { isWebAddress } from '../../../core/web-address.ts'
import { useMissing } from '../../controls/missing.ts'
import { aspectOf } from './aspect.ts'
import { Missing, OriginalFile } from './missing.tsx'
import css from './post-media.module.css'

/** `shown`: it is not covered. What is not here is named all the same. */
export function Recording({ media, shown }: { media: MediaAttachment; shown: boolean }) {
  const { url, type } = media
  if (url === null || type === 'unknown') return <Elsewhere media={media} />
  return shown ? <Player media={media} type={type === 'audio' ? 'audio' : 'video'} url={url} /> : null
}

interface PlayerProps {
  media: MediaAttachment
  type: 'audio' | 'video'
  url: string
}

function Player({ media, type, url }: PlayerProps) {
  const { isMissing, onError, retry } = useMissing(url)
  const { description, preview_url: picture, meta } = media
  const length = meta.original?.duration ?? meta.duration
  const file = {
    src: url,
    controls: true,
    // What it weighs is fetched when somebody wants it: so its length is said below.
    preload: 'none',
    'aria-label': description || t.media[type],
    onPlay: pauseOthers,
    onError,
  } as const
  return (
    <figure class={css['recording']}>
      {isMissing && (
        <div class={css['elsewhere']}>
          <Missing media={media} onRetry={retry} />
        </div>
      )}
      {!isMissing && type === 'video' && (
        <video
          {...file}
          playsInline
          poster={picture ?? undefined}
          style={{ aspectRatio: String(aspectOf(media)) }}
        />
      )}
      {!isMissing && type === 'audio' && (
        <div class={css['sound']}>
          {picture !== null && <Cover src={picture} />}
          <audio {...file} />
        </div>
      )}
      <figcaption>
        {length !== undefined && <small>{`${t.media[type]} · ${formatLength(length)}`}</small>}
        {description && <p dir="auto">{description}</p>}
      </figcaption>
    </figure>
  )
}

/** The picture of a sound, as of the record that it is from. */
function Cover({ src }: { src: string }) {
  const { isMissing, onError } = useMissing(src)
  return isMissing ? null : <img src={src} onError={onError} alt="" loading="lazy" decoding="async" />
}

/** One is heard at a time. */
function pauseOthers({ currentTarget }: { currentTarget: HTMLMediaElement }): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>('video, audio'))
    if (other !== currentTarget && !other.muted) other.pause()
}

/** What this server does not have, or not yet. */
function Elsewhere({ media: { remote_url: address, description } }: { media: MediaAttachment }) {
  return (
    <p class={css['elsewhere']}>
      {isWebAddress(address) ? <OriginalFile address={address} label={description} /> : t.media.processing}
    </p>
  )
}
