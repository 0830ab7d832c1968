// What a link leads to. A film of another site is fetched when somebody wants to see it, and not before.
import { useState } from 'preact/hooks'
import type { PreviewCard } from '#entities/preview-card.ts'
import { formatDay } from '../../core/format.ts'
import { players } from '../../core/start.ts'
import { parseHtml } from '../../core/trusted.ts'
import { t } from '../../core/texts.ts'
import { isWebAddress } from '../../core/web-address.ts'
import { useMissing } from '../controls/missing.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Blurhash } from './media/blurhash.tsx'
import css from './post-card.module.css'

/** The address of the card's player; null where it has none, or one of a site that is not known. */
function playerOf(card: PreviewCard): string | null {
  if (card.type !== 'video' && card.type !== 'rich') return null
  const src = parseHtml(card.html).querySelector('iframe')?.getAttribute('src') ?? ''
  if (!URL.canParse(src)) return null
  const url = new URL(src)
  return players.includes(url.origin) ? url.href : null
}

const isWeb = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

export function PostCard({ card }: { card: PreviewCard }) {
  const [isPlaying, setPlaying] = useState(false)
  const { isMissing, onError } = useMissing(card.image ?? '')
  if (!isWeb(card.url)) return null
  const player = playerOf(card)
  if (isPlaying && player !== null)
    return (
      <iframe
        class={css['player']}
        src={player}
        title={card.title}
        sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"
        allow="fullscreen; encrypted-media"
        referrerpolicy="strict-origin"
        style={{ aspectRatio: card.width > 0 ? `${card.width} / ${card.height}` : '16 / 9' }}
      />
    )
  if (!isWebAddress(card.url)) return null
  // A player begins on the picture, also where that is missing.
  const hasPicture = card.image !== null && (!isMissing || player !== null)
  return (
    <div class={`${css['card']} ${hasPicture && card.width > card.height ? css['tall'] : ''}`}>
      {hasPicture && (
        <div class={css['picture']}>
          {card.blurhash !== null && <Blurhash hash={card.blurhash} />}
          <img
            src={card.image ?? ''}
            onError={onError}
            alt={card.image_description}
            loading="lazy"
            decoding="async"
          />
          {player !== null && <IconButton icon="play" label={t.post.play} onClick={() => setPlaying(true)} />}
        </div>
      )}
      <div class={css['words']} {...(card.language && { lang: card.language })}>
        <small>
          <bdi>{card.provider_name || new URL(card.url).host}</bdi>
          {card.published_at !== null && ` · ${formatDay(card.published_at)}`}
        </small>
        <a href={card.url} target="_blank" rel="nofollow noopener noreferrer" dir="auto">
          {card.title || card.url}
        </a>
        {card.description !== '' && <p dir="auto">{card.description}</p>}
      </div>
      <Authors card={card} />
    </div>
  )
}

function Authors({ card }: { card: PreviewCard }) {
  const known = card.authors.flatMap(({ account }) => account ?? [])
  if (known.length === 0) return null
  return (
    <p class={css['authors']}>
      {t.post.moreFrom}{' '}
      {known.map((account) => (
        <a key={account.id} href={`/@${account.acct}`}>
          <bdi>{account.display_name || account.username}</bdi>
        </a>
      ))}
    </p>
  )
}
