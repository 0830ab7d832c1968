// The media of a person beside each other, each leading to its post.
import type { Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import { usePages } from '../../data/pages.ts'
import { isDeleted, keepStatuses } from '../../data/statuses.ts'
import { PagesEnd } from '../../parts/page/paged.tsx'
import { Blurhash } from '../../parts/post/blurhash.tsx'
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
            <a
              href={`/@${status.account.acct}/${status.id}`}
              aria-label={one.description ?? t.media.noDescription}
            >
              {status.sensitive || one.preview_url === null ? (
                one.blurhash !== null && <Blurhash hash={one.blurhash} />
              ) : (
                <img src={one.preview_url} alt="" loading="lazy" />
              )}
            </a>
          </li>
        ))}
      </ul>
      <PagesEnd pages={pages} isEmpty={media.length === 0} empty={t.profile.noMedia} />
    </>
  )
}
