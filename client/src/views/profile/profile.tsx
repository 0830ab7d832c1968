// A person: who they are, how one stands to them, and what they say.
import type { ComponentChildren } from 'preact'
import type { Account } from '#entities/account.ts'
import { t } from '../../core/texts.ts'
import { useAccount } from '../../data/account.ts'
import { relationshipOf } from '../../data/relationships.ts'
import { account as self } from '../../data/session.ts'
import { nameOf } from '../../parts/account/account-name.tsx'
import { AccountList } from '../../parts/account/account-list.tsx'
import { IconButton } from '../../parts/controls/icon-button.tsx'
import { Tabs, type Tab } from '../../parts/controls/tabs.tsx'
import { Feed } from '../../parts/feed/feed.tsx'
import { PageHeading } from '../../parts/page/heading.tsx'
import { Problem } from '../../parts/page/problem.tsx'
import type { Params } from '../../router/match.ts'
import { goBack } from '../../router/router.ts'
import { Featured } from './featured.tsx'
import { MediaGrid } from './media-grid.tsx'
import { Pinned } from './pinned.tsx'
import { ProfileHead } from './profile-head.tsx'
import { ofAccount } from '../timelines/sources.ts'
import noteCss from '../../parts/page/note.module.css'

interface ProfileProps {
  params: Params
  children: (account: Account, path: string) => ComponentChildren
}

/** The head of a profile with one of its parts below. */
function Profile({ params: { acct = '' }, children }: ProfileProps) {
  const { account, error, retry } = useAccount(acct)
  const found = account.value
  return (
    <>
      <PageHeading title={found ? nameOf(found) : `@${acct}`}>
        <IconButton icon="back" label={t.thread.back} onClick={() => goBack()} />
      </PageHeading>
      {error.value !== null && <Problem text={error.value} onRetry={retry} />}
      {found && (
        <>
          <ProfileHead account={found} />
          {isShown(found) ? (
            <>
              <Tabs label={t.profile.parts} tabs={tabsOf(found)} />
              {children(found, `/api/v1/accounts/${found.id}`)}
            </>
          ) : (
            <p class={noteCss['none']}>{t.profile.blocked}</p>
          )}
        </>
      )}
    </>
  )
}

/** Whom one blocks, one does not read. */
const isShown = ({ id }: Account) => !relationshipOf(id).value?.blocking

function tabsOf(account: Account): Tab[] {
  const address = `/@${account.acct}`
  return [
    { href: address, name: t.profile.posts },
    { href: `${address}/with_replies`, name: t.profile.replies },
    ...(account.show_media ? [{ href: `${address}/media`, name: t.profile.media }] : []),
    ...(account.show_featured ? [{ href: `${address}/featured`, name: t.profile.featured }] : []),
  ]
}

type ViewProps = Pick<ProfileProps, 'params'>

export const ProfilePosts = ({ params }: ViewProps) => (
  <Profile params={params}>
    {(account) => (
      <>
        <Pinned account={account} />
        <Feed name={t.profile.postsOf({ name: nameOf(account) })} source={ofAccount(account.id)} />
      </>
    )}
  </Profile>
)

export const ProfileReplies = ({ params }: ViewProps) => (
  <Profile params={params}>
    {(account) => (
      <Feed
        name={t.profile.postsOf({ name: nameOf(account) })}
        source={ofAccount(account.id, { withReplies: true })}
      />
    )}
  </Profile>
)

export const ProfileMedia = ({ params }: ViewProps) => (
  <Profile params={params}>
    {(account, path) => (
      <MediaGrid
        name={t.profile.mediaOf({ name: nameOf(account) })}
        path={`${path}/statuses?only_media=true`}
      />
    )}
  </Profile>
)

export const ProfileTagged = ({ params }: ViewProps) => (
  <Profile params={params}>
    {(_account, path) => (
      <Feed
        name={`#${params['tag']}`}
        source={{
          path: `${path}/statuses?tagged=${encodeURIComponent(params['tag'] ?? '')}`,
          context: 'account',
        }}
      />
    )}
  </Profile>
)

export const ProfileFeatured = ({ params }: ViewProps) => (
  <Profile params={params}>{(account) => <Featured account={account} />}</Profile>
)

function People({ params, which }: ViewProps & { which: 'followers' | 'following' }) {
  return (
    <Profile params={params}>
      {(account, path) => {
        const isHidden = account.hide_collections === true && account.id !== self.value.data?.id
        if (isHidden) return <p class={noteCss['none']}>{t.profile.hidden}</p>
        return <AccountList name={t.profile[which]} path={`${path}/${which}?limit=40`} />
      }}
    </Profile>
  )
}

export const Followers = ({ params }: ViewProps) => <People params={params} which="followers" />
export const Following = ({ params }: ViewProps) => <People params={params} which="following" />
