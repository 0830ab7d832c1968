import type { Status } from '#entities/status.ts'
import { formatDateTime, formatNumber } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import css from './post-facts.module.css'

/** What stands below the post that a page is about: when, for whom, by what, and how many did what with it. */
export function PostFacts({ status }: { status: Status }) {
  const address = `/@${status.account.acct}/${status.id}`
  const counts = [
    { href: `${address}/reblogs`, count: status.reblogs_count, say: t.post.boosts },
    { href: `${address}/quotes`, count: status.quotes_count, say: t.post.quotes },
    { href: `${address}/favourites`, count: status.favourites_count, say: t.post.favourites },
  ].filter(({ count }) => count > 0)
  return (
    <div class={css['facts']}>
      <p>
        <a href={address}>
          <time dateTime={status.created_at}>{formatDateTime(status.created_at)}</time>
        </a>
        {' · '}
        {t.visibility[status.visibility]}
        {status.edited_at !== null && (
          <>
            {' · '}
            <a href={`${address}/history`}>{t.post.editedAt({ time: formatDateTime(status.edited_at) })}</a>
          </>
        )}
        {status.application !== null && (
          <>
            {' · '}
            <bdi>{status.application.name}</bdi>
          </>
        )}
      </p>
      {counts.length > 0 && (
        <p>
          {counts.map(({ href, count, say }) => (
            <a key={href} href={href}>
              {say({ count, shown: formatNumber(count) })}
            </a>
          ))}
        </p>
      )}
    </div>
  )
}
