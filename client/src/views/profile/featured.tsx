// What a person features: tags, people, collections.
import type { Account } from '#entities/account.ts'
import type { FeaturedTag } from '#entities/tag.ts'
import { t } from '../../core/texts.ts'
import { useQuery } from '../../data/query.ts'
import { AccountList } from '../../parts/account/account-list.tsx'
import css from './profile.module.css'

export function Featured({ account }: { account: Account }) {
  const path = `/api/v1/accounts/${account.id}`
  const { data: tags } = useQuery<FeaturedTag[]>(`${path}/featured_tags`)
  return (
    <>
      {tags && tags.length > 0 && (
        <section class={css['tags']} aria-label={t.profile.tags}>
          <h2>{t.profile.tags}</h2>
          <ul>
            {tags.map((tag) => (
              <li key={tag.id}>
                <a href={`/@${account.acct}/tagged/${encodeURIComponent(tag.name)}`}>#{tag.name}</a>{' '}
                <span>
                  {t.profile.postCount({ count: Number(tag.statuses_count), shown: tag.statuses_count })}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <h2 class={css['heading']}>{t.profile.endorsed}</h2>
      <AccountList name={t.profile.endorsed} path={`${path}/endorsements`} />
    </>
  )
}
