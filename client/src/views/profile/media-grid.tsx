// The media of a person beside each other, each leading to its post.
import type { Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import { usePages } from '../../data/pages.ts'
import { keepStatuses } from '../../data/statuses.ts'
import { End } from '../../parts/page/end.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { Blurhash } from '../../parts/post/blurhash.tsx'
import css from './profile.module.css'

export function MediaGrid({ name, path }: { name: string; path: string }) {
  const { items, loading, error, ended, loadMore } = usePages<Status>(path, keepStatuses)
  const media = items.value.flatMap((status) => status.media_attachments.map((one) => ({ status, one })))
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
      {error.value !== null && <Problem text={error.value} onRetry={() => void loadMore()} />}
      {ended.value && media.length === 0 && <p class={css['closed']}>{t.profile.noMedia}</p>}
      {!ended.value && error.value === null && <End onSeen={() => void loadMore()} busy={loading.value} />}
    </>
  )
}
