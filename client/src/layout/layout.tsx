// The frame of all views: where one can go, what is shown, and what stands beside it.
import { isOutdated } from '../core/service-worker.ts'
import { formToken } from '../core/start.ts'
import { formatShort } from '../core/format.ts'
import { t } from '../core/texts.ts'
import { isOnline } from '../api/client.ts'
import { forgetKept } from '../data/offline.ts'
import { forgetPush } from '../data/push/chosen.ts'
import { account, instance, isStaff } from '../data/session.ts'
import { unread } from '../data/unread.ts'
import { DisplayName } from '../parts/account/account-name.tsx'
import { Avatar } from '../parts/account/avatar.tsx'
import { ComposerHost } from '../parts/composer/slot.tsx'
import { Button } from '../parts/controls/button.tsx'
import { Menu, type MenuItem } from '../parts/controls/menu.tsx'
import { Icon, type IconName } from '../parts/controls/icon.tsx'
import { Notices } from '../parts/page/notices.tsx'
import { Outlet } from '../router/outlet.tsx'
import { address } from '../router/router.ts'
import css from './layout.module.css'
import { QuestionDialog } from './question.tsx'

interface Place {
  href: string
  icon: IconName
  name: string
  /** On narrow screens the bar below has the first five alone. */
  isMain?: boolean
}

const places = (): Place[] => [
  { href: '/home', icon: 'home', name: t.navigation.home, isMain: true },
  { href: '/explore', icon: 'compass', name: t.navigation.explore, isMain: true },
  { href: '/publish', icon: 'edit', name: t.navigation.publish, isMain: true },
  { href: '/notifications', icon: 'bell', name: t.navigation.notifications, isMain: true },
  { href: '/search', icon: 'search', name: t.navigation.search },
  { href: '/public/local', icon: 'people', name: t.navigation.public },
  { href: '/conversations', icon: 'mail', name: t.navigation.conversations },
  { href: '/bookmarks', icon: 'bookmark', name: t.navigation.bookmarks },
  { href: '/favourites', icon: 'star', name: t.navigation.favourites },
  { href: '/lists', icon: 'list', name: t.navigation.lists },
]

/** Its columns want the whole width. */
const deckPath = '/columns'

/** Where one goes seldom. */
const otherViews = (): MenuItem[] => [
  { href: deckPath, icon: 'columns', label: t.deck.title },
  { href: '/catch_up', icon: 'clock', label: t.catchUp.title },
  { href: '/directory', icon: 'people', label: t.directory.title },
  { href: '/collections', icon: 'people', label: t.collections.title },
  { href: '/statistics', icon: 'poll', label: t.statistics.title },
  { href: '/followed_tags', icon: 'hash', label: t.own.followedTags },
  { href: '/drafts', icon: 'drafts', label: t.compose.drafts },
  { href: '/scheduled', icon: 'calendar', label: t.compose.scheduledPosts },
  { href: '/follow_requests', icon: 'person', label: t.own.followRequests },
  { href: '/filters', icon: 'filter', label: t.filters.all },
  { href: '/mutes', icon: 'mute', label: t.own.mutes },
  { href: '/blocks', icon: 'block', label: t.own.blocks },
  { href: '/domain_blocks', icon: 'globe', label: t.domains.title },
]

export function Layout() {
  const isWide = address.value.pathname === deckPath
  return (
    <div class={`${css['frame']} ${isWide ? css['whole'] : ''}`}>
      <a class={css['skip']} href="#main">
        {t.navigation.skip}
      </a>
      <Navigation />
      <main id="main" class={css['main']} tabIndex={-1}>
        {!isOnline.value && <p class={css['offline']}>{t.errors.offlineBar}</p>}
        {isOutdated.value && <Newer />}
        <Outlet />
      </main>
      {!isWide && <Aside />}
      <ComposerHost />
      <Notices />
      <QuestionDialog />
    </div>
  )
}

/** What is being written is kept: the document may be loaded at any time. The next way to a view does so by itself. */
function Newer() {
  return (
    <p class={css['newer']}>
      {t.common.newer}{' '}
      <Button look="plain" onClick={() => location.reload()}>
        {t.common.loadNewer}
      </Button>
    </p>
  )
}

/** What the bar of narrow screens has no room for. */
function otherPlaces(): (MenuItem | null)[] {
  const own = account.peek().data
  const profile: MenuItem[] = own
    ? [{ label: t.navigation.profile, icon: 'person', href: `/@${own.acct}` }]
    : []
  return [
    ...profile,
    ...places()
      .filter(({ isMain }) => !isMain)
      .map(({ name, icon, href }) => ({ label: name, icon, href })),
    null,
    ...otherViews(),
    null,
    { label: t.navigation.settings, icon: 'settings', href: '/settings' },
    ...(isStaff.peek() ? [{ label: t.navigation.desk, icon: 'list', href: '/admin' } as const] : []),
    { label: t.navigation.signOut, icon: 'forward', run: signOut },
  ]
}

const signOutId = 'sign-out'

/** Sends the form of the server that ends the session. */
function signOut(): void {
  const form = document.getElementById(signOutId)
  if (form instanceof HTMLFormElement) form.requestSubmit()
}

/** A number beside a link, which is drawn and no part of its name. Screen readers hear it after that. */
const newsOf = (count: number) =>
  count > 0 && {
    'data-count': formatShort(count),
    'aria-description': t.navigation.news({ count }),
  }

function Navigation() {
  const here = address.value.pathname
  const own = account.value.data
  return (
    <nav class={css['navigation']} aria-label={t.navigation.label}>
      <a class={css['brand']} href="/home" dir="auto">
        {instance.value.data?.title}
      </a>
      <ul>
        {places().map(({ href, icon, name, isMain }) => (
          <li key={href} class={isMain ? '' : css['wide']}>
            <a
              href={href}
              {...((here === href || here.startsWith(`${href}/`)) && { 'aria-current': 'page' as const })}
              {...(href === '/notifications' && newsOf(unread.value))}
            >
              <Icon name={icon} size={24} />
              <span>{name}</span>
            </a>
          </li>
        ))}
        {own && (
          <li class={css['wide']}>
            <a href={`/@${own.acct}`} {...(here === `/@${own.acct}` && { 'aria-current': 'page' as const })}>
              <Avatar account={own} size={26} />
              <span>{t.navigation.profile}</span>
            </a>
          </li>
        )}
        <li class={css['broad']}>
          <Menu label={t.navigation.more} items={otherViews} />
        </li>
        <li class={css['narrow']}>
          <Menu label={t.navigation.more} icon="list" items={otherPlaces} />
        </li>
      </ul>
    </nav>
  )
}

/** A form of the server, as on its pages: the session ends there, and its token with it; here, what was kept. */
function SignOut() {
  if (formToken === null) return null
  const forget = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    forgetPush()
    void forgetKept().then(() => form.submit())
  }
  return (
    <form id={signOutId} method="post" action="/auth/sign_out" onSubmit={forget}>
      <input type="hidden" name="authenticity_token" value={formToken} />
      <Button type="submit">{t.navigation.signOut}</Button>
    </form>
  )
}

function Aside() {
  const own = account.value.data
  const site = instance.value.data
  return (
    <aside class={css['aside']} aria-label={t.navigation.aside}>
      {own && (
        <a class={css['own']} href={`/@${own.acct}`}>
          <Avatar account={own} />
          <span>
            <DisplayName account={own} />
            <small>
              <bdi>@{own.acct}</bdi>
            </small>
          </span>
        </a>
      )}
      {site && <p class={css['about']}>{site.description}</p>}
      <p class={css['links']}>
        <a href="/settings">{t.navigation.settings}</a>
        {isStaff.value && <a href="/admin">{t.navigation.desk}</a>}
        <a href="/about">{t.navigation.about}</a>
        <a href="/keyboard-shortcuts">{t.navigation.shortcuts}</a>
      </p>
      <SignOut />
    </aside>
  )
}
