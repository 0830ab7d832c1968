// What each key does. The page that lists them and the keyboard read the same table.
import { isDrawn } from '../../core/drawn.ts'
import type { Shortcut, ShortcutName } from '../../core/shortcuts.ts'
import type { Status } from '#entities/status.ts'
import { compose, type Intent } from '../../data/compose.ts'
import { account } from '../../data/session.ts'
import { statusOf } from '../../data/statuses.ts'
import { goBack, navigate } from '../../router/router.ts'

/** The column in which the focus is; all of the view where it has none. */
const here = (): ParentNode => document.activeElement?.closest('[data-column]') ?? document

const posts = (within = here()) => [...within.querySelectorAll<HTMLElement>('main article')]

/** The post that has the focus, or a part of it. */
const current = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>('main article') ?? null

/** The first post that is seen whole, for when none has the focus. */
const firstSeen = (within?: ParentNode) =>
  posts(within).find((post) => isDrawn(post) && post.getBoundingClientRect().top >= 56) ?? posts(within)[0]

function move(step: 1 | -1): void {
  const all = posts()
  const before = current()
  look(before ? all[all.indexOf(before) + step] : firstSeen())
}

function look(post: HTMLElement | undefined): void {
  post?.focus({ preventScroll: true })
  post?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

const columns = () => document.querySelectorAll('[data-column]')

/** The first nine columns, by their place. */
const toColumns = Array.from({ length: 9 }, (_, index) => {
  const isThere = () => columns().length > index
  return [String(index + 1), 'column', () => look(firstSeen(columns()[index])), isThere] as const
})

/** Presses a part of the post that has the focus. */
const press = (selector: string) => (): void => current()?.querySelector<HTMLElement>(selector)?.click()
const go = (path: string) => (): void => navigate(path)

function writeHere(): void {
  compose({ kind: 'new' })
}

function openPost(): void {
  const id = current()?.dataset['status']
  const link = current()?.querySelector<HTMLAnchorElement>(`a[href$="/${id}"]`)
  link?.click()
}

/** Begins a post that is about the one that has the focus. */
const writeAbout = (intentOf: (status: Status) => Intent) => (): void => {
  const status = statusOf(current()?.dataset['status'] ?? '')?.peek()
  if (status) compose(intentOf(status))
}

const hasPost = () => current() !== null

const keys: readonly (readonly [string, ShortcutName, () => void, (() => boolean)?])[] = [
  ['n', 'newPost', writeHere],
  ['s', 'search', go('/search')],
  ['/', 'search', go('/search')],
  ['j', 'down', () => move(1)],
  ['k', 'up', () => move(-1)],
  ['ArrowDown', 'down', () => move(1), hasPost],
  ['ArrowUp', 'up', () => move(-1), hasPost],
  ['Enter', 'open', openPost],
  ['o', 'open', openPost],
  ['p', 'profile', press('header a')],
  ['r', 'reply', press('[data-action=reply]')],
  ['m', 'mention', writeAbout(({ account: { acct } }) => ({ kind: 'share', text: `@${acct} ` }))],
  ['q', 'quote', writeAbout((of) => ({ kind: 'quote', of }))],
  ['t', 'translate', press('[data-action=translate]')],
  ['f', 'favourite', press('[data-action=favourite]')],
  ['b', 'boost', press('[data-action=boost]')],
  ['d', 'bookmark', press('[data-action=bookmark]')],
  ['x', 'showHidden', press('[data-action=warning]')],
  ['h', 'showMedia', press('[data-action=media]')],
  ['e', 'openMedia', press('[data-action=open-media]')],
  ['.', 'newPosts', () => here().querySelector<HTMLElement>('[data-action=new-posts]')?.click()],
  ...toColumns,
  ['Backspace', 'back', () => goBack()],
  ['g h', 'home', go('/home')],
  ['g n', 'notifications', go('/notifications')],
  ['g l', 'local', go('/public/local')],
  ['g t', 'federated', go('/public')],
  ['g d', 'direct', go('/conversations')],
  ['g f', 'favourites', go('/favourites')],
  ['g k', 'bookmarks', go('/bookmarks')],
  ['g e', 'explore', go('/explore')],
  ['g u', 'ownProfile', () => navigate(`/@${account.peek().data?.acct ?? ''}`)],
  ['g p', 'ownProfile', () => navigate(`/@${account.peek().data?.acct ?? ''}`)],
  ['g r', 'followRequests', go('/follow_requests')],
  ['g m', 'mutes', go('/mutes')],
  ['g b', 'blocks', go('/blocks')],
  ['?', 'help', go('/keyboard-shortcuts')],
]

export const shortcuts: readonly Shortcut[] = keys.map(([combination, name, run, isMeant]) => ({
  keys: combination,
  name,
  run,
  ...(isMeant && { isMeant }),
}))
