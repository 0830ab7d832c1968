// The media of a person beside each other, each leading to its post.
import type { MediaAttachment } from '#entities/media-attachment.ts'
import type { Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import { usePages } from '../../data/pages.ts'
import { isDeleted, keepStatuses } from '../../data/statuses.ts'
import { useMissing } from '../../parts/controls/missing.ts'
import { PagesEnd } from '../../parts/page/paged.tsx'
import { Badge } from '../../parts/post/media/badge.tsx'
import { Blurhash } from '../../parts/post/media/blurhash.tsx'
import css from './profile.module.css'

export function MediaGrid({ name, path }: { name: string; path: string }) {
  const pages = usePages<Status>(path, keepStatuses)
  const { items } = pages
  const shown = items.value.filter(({ id }) => !isDeleted(id))
  const media = shown.flatMap((status) => status.media_attachments.map((one) => ({ status, one })))
  return (
    <>
      <ul class={css['grid']} aria-label={name}>
        {media.map(({ status, one }) => (
          <li key={one.id}>
            <Entry status={status} media={one} />
          </li>
        ))}
      </ul>
      <PagesEnd pages={pages} isEmpty={media.length === 0} empty={t.profile.noMedia} />
    </>
  )
}

function Entry({ status, media }: { status: Status; media: MediaAttachment }) {
  const { type, blurhash, preview_url: picture } = media
  const { isMissing, onError } = useMissing(picture ?? '')
  const kind = type === 'unknown' ? t.media.elsewhere : t.media[type]
  const label = media.description || (type === 'image' ? t.media.noDescription : kind)
  const isCovered = status.sensitive && blurhash !== null
  const isShown = !status.sensitive && picture !== null && !isMissing
  const hasWords = !isShown && !isCovered
  return (
    <a href={`/@${status.account.acct}/${status.id}`} aria-label={label}>
      {isShown && <img src={picture} onError={onError} alt="" loading="lazy" />}
      {isCovered && <Blurhash hash={blurhash} />}
      {hasWords && <span>{label}</span>}
      {type !== 'image' && !(hasWords && label === kind) && <Badge text={kind} />}
    </a>
  )
}
