import type { Account } from '#entities/account.ts'
import type { Status } from '#entities/status.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import { Icon } from '../../parts/controls/icon.tsx'
import { Post } from '../../parts/post/post.tsx'
import css from './profile.module.css'

/** What they want to be read first. */
export function Pinned({ account }: { account: Account }) {
  const { data } = useQuery<Status[]>(`/api/v1/accounts/${account.id}/statuses?pinned=true`)
  if (!data || data.length === 0) return null
  return (
    <section aria-label={t.profile.pinned}>
      <p class={css['pinned']}>
        <Icon name="pin" size={16} /> {t.profile.pinned}
      </p>
      {data.map((status) => (
        <Post key={status.id} status={status} context="account" />
      ))}
    </section>
  )
}
