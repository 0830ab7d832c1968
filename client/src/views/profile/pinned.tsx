import { useMemo } from 'preact/hooks'
import type { Account } from '#entities/account.ts'
import type { Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import { isDeleted, keepStatuses, statusOf } from '../../data/statuses.ts'
import { Icon } from '../../parts/controls/icon.tsx'
import { PostOf } from '../../parts/post/post.tsx'
import css from './profile.module.css'

/** What they want to be read first. */
export function Pinned({ account }: { account: Account }) {
  const { data } = useQuery<Status[]>(`/api/v1/accounts/${account.id}/statuses?pinned=true`)
  const ids = useMemo(() => keepStatuses(data ?? []), [data])
  const shown = ids.filter((id) => statusOf(id)?.value.pinned !== false && !isDeleted(id))
  if (shown.length === 0) return null
  return (
    <section aria-label={t.profile.pinned}>
      <p class={css['pinned']}>
        <Icon name="pin" size={16} /> {t.profile.pinned}
      </p>
      {shown.map((id) => (
        <PostOf key={id} id={id} context="account" />
      ))}
    </section>
  )
}
