// What others look at at the moment, and whom one may want to know.
import type { ComponentChildren } from 'preact'
import type { Account } from '#entities/account.ts'
import type { TrendsLink } from '#entities/preview-card.ts'
import { remove } from '../../api/client.ts'
import { formatShort } from '../../core/format.ts'
import { t } from '../../core/texts.ts'
import { act } from '../../data/act.ts'
import { createGone } from '../../data/gone.ts'
import { usePages } from '../../data/pages.ts'
import type { Source } from '../../data/timeline.ts'
import { nameOf } from '../../parts/account/account-name.tsx'
import { AccountList } from '../../parts/account/account-list.tsx'
import { FollowButton } from '../../parts/account/follow-button.tsx'
import { IconButton } from '../../parts/controls/icon-button.tsx'
import { Tabs } from '../../parts/controls/tabs.tsx'
import { Feed } from '../../parts/feed/feed.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { PagesEnd } from '../../parts/page/paged.tsx'
import { PostCard } from '../../parts/post/post-card.tsx'
import { peopleOf, TagList } from '../../parts/tag/tag-list.tsx'
import { navigate } from '../../router/router.ts'
import css from './explore.module.css'

function Explore({ children }: { children: ComponentChildren }) {
  return (
    <>
      <PageHeading title={t.explore.title}>
        <IconButton icon="search" label={t.navigation.search} onClick={() => navigate('/search')} />
      </PageHeading>
      <Tabs
        label={t.explore.parts}
        tabs={[
          { href: '/explore', name: t.explore.posts },
          { href: '/explore/tags', name: t.explore.tags },
          { href: '/explore/links', name: t.explore.links },
          { href: '/explore/suggestions', name: t.explore.suggestions },
        ]}
      />
      {children}
    </>
  )
}

const trending: Source = { path: '/api/v1/trends/statuses', isFixed: true, context: 'public' }

export const ExplorePosts = () => (
  <Explore>
    <Feed name={t.explore.posts} source={trending} empty={t.explore.noPosts} />
  </Explore>
)

export const ExploreTags = () => (
  <Explore>
    <TagList name={t.explore.tags} path="/api/v1/trends/tags?limit=20" empty={t.explore.noTags} />
  </Explore>
)

export function ExploreLinks() {
  const pages = usePages<TrendsLink>('/api/v1/trends/links?limit=20')
  const links = pages.items.value
  return (
    <Explore>
      <ul class={css['links']} aria-label={t.explore.links}>
        {links.map((link) => (
          <Link key={link.url} link={link} />
        ))}
      </ul>
      <PagesEnd pages={pages} isEmpty={links.length === 0} empty={t.explore.noLinks} />
    </Explore>
  )
}

function Link({ link }: { link: TrendsLink }) {
  const people = peopleOf(link)
  return (
    <li>
      <PostCard card={link} />
      <a href={`/links/${encodeURIComponent(link.url)}`}>
        {t.explore.sharedBy({ count: people, shown: formatShort(people) })}
      </a>
    </li>
  )
}

/** Whom one does not want to be told of. */
const dismissed = createGone()

const dismiss = ({ id }: Account) =>
  void act({
    show: () => dismissed.add(id),
    ask: () => remove(`/api/v1/suggestions/${id}`),
  })

export function ExploreSuggestions() {
  return (
    <Explore>
      <AccountList
        name={t.explore.suggestions}
        path="/api/v1/suggestions?limit=40"
        empty={t.explore.noSuggestions}
        isShown={({ id }) => !dismissed.has(id)}
        actions={(account) => (
          <>
            <FollowButton account={account} />
            <IconButton
              icon="close"
              label={t.explore.dismiss({ name: nameOf(account) })}
              onClick={() => dismiss(account)}
            />
          </>
        )}
      />
    </Explore>
  )
}
