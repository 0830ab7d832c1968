// What a search has found.
import { useEffect, useState } from 'preact/hooks'
import type { Search } from '#entities/search.ts'
import { withQuery } from '../../api/client.ts'
import { t } from '../../core/texts.ts'
import { invalidate, useQuery } from '../../data/query.ts'
import { isDeleted, keepStatuses } from '../../data/statuses.ts'
import { AccountItem } from '../../parts/account/account-list.tsx'
import { FollowButton } from '../../parts/account/follow-button.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import { PostOf } from '../../parts/post/post.tsx'
import { Tags } from '../../parts/tag/tag-list.tsx'
import css from './search.module.css'

export const types = ['accounts', 'statuses', 'hashtags'] as const
export type Type = (typeof types)[number]

/** How many there are on a page of one kind. */
const many = 20

export const pathOf = (q: string, more: Record<string, string | number>) =>
  withQuery('/api/v2/search', { q: q.replace(/^web\+(?:ap|activitypub):/, 'https:'), resolve: true, ...more })

/** Pages of one kind, one below the other. */
export function OneKind({ q, type }: { q: string; type: Type }) {
  const [count, setCount] = useState(1)
  const pages = Array.from({ length: count }, (_one, page) => page)
  return pages.map((page) => (
    <ResultPage
      key={page}
      path={pathOf(q, { type, limit: many, offset: page * many })}
      type={type}
      isFirst={page === 0}
      {...(page === count - 1 && { onMore: () => setCount(count + 1) })}
    />
  ))
}

/** How often posts that are looked for are looked for again, in milliseconds: nothing streams them. */
const lookAgain = 60_000

/** Posts that are found, and those that will be while one looks. */
export function KeptSearch({ q }: { q: string }) {
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) invalidate(pathOf(q, { type: 'statuses' }))
    }, lookAgain)
    return () => clearInterval(timer)
  }, [q])
  return <OneKind q={q} type="statuses" />
}

/** What was found, without what was deleted meanwhile. */
export const withoutDeleted = (found: Search): Search => ({
  ...found,
  statuses: found.statuses.filter(({ id }) => !isDeleted(id)),
})

interface ResultPageProps {
  path: string
  type: Type
  isFirst: boolean
  onMore?: () => void
}

function ResultPage({ path, type, isFirst, onMore }: ResultPageProps) {
  const { data: answer, error } = useQuery<Search>(path)
  const data = answer && withoutDeleted(answer)
  if (error !== null && !data) return <Problem text={error} />
  if (!answer || !data) return <p class={css['note']}>{t.search.searching}</p>
  if (data[type].length === 0)
    return (
      <p class={css['note']} role="status">
        {isFirst ? t.search.nothing : t.search.end}
      </p>
    )
  return (
    <>
      <Results found={data} type={type} />
      {onMore && answer[type].length >= many && (
        <p class={css['note']}>
          <Button onClick={onMore}>{t.search.more}</Button>
        </p>
      )}
    </>
  )
}

export function Results({ found, type }: { found: Search; type: Type }) {
  if (type === 'hashtags') return <Tags name={t.search.hashtags} tags={found.hashtags} />
  if (type === 'accounts')
    return (
      <ul class={css['accounts']} aria-label={t.search.accounts}>
        {found.accounts.map((account) => (
          <AccountItem key={account.id} account={account}>
            <FollowButton account={account} />
          </AccountItem>
        ))}
      </ul>
    )
  keepStatuses(found.statuses)
  return (
    <div role="feed" aria-label={t.search.statuses}>
      {found.statuses.map((status) => (
        <PostOf key={status.id} id={status.id} />
      ))}
    </div>
  )
}
