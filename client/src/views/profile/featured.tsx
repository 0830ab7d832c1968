// What a person features: tags, people, collections.
import type { Account } from '#entities/account.ts'
import type { WrappedCollections } from '#entities/collection.ts'
import type { FeaturedTag } from '#entities/tag.ts'
import { t } from '../../core/texts.ts'
import { collectionsOf } from '../../data/collections.ts'
import { useQuery } from '../../data/query.ts'
import { AccountList } from '../../parts/account/account-list.tsx'
import { CollectionList } from '../../parts/collection/collection-list.tsx'
import css from './profile.module.css'

export function Featured({ account }: { account: Account }) {
  const path = `/api/v1/accounts/${account.id}`
  const { data: tags } = useQuery<FeaturedTag[]>(`${path}/featured_tags`)
  const collections = useQuery<WrappedCollections>(collectionsOf(account.id)).data?.collections
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
      {collections && collections.length > 0 && (
        <section aria-label={t.collections.title}>
          <h2 class={css['heading']}>{t.collections.title}</h2>
          <CollectionList name={t.collections.title} collections={collections} />
        </section>
      )}
      <h2 class={css['heading']}>{t.profile.endorsed}</h2>
      <AccountList name={t.profile.endorsed} path={`${path}/endorsements`} />
    </>
  )
}
