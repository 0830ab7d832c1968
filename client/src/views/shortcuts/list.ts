// What each key does: which they are stands in shared/shortcuts.json, for the app and for the page for strangers.
import table from '../../../shared/shortcuts.json'
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

const columnOf = ({ key }: KeyboardEvent) => columns()[Number(key) - 1]

/** Presses a part of the post that has the focus. */
const press = (selector: string) => (): void => current()?.querySelector<HTMLElement>(selector)?.click()
const go = (path: string) => (): void => navigate(path)

function writeHere(): void {
  compose({ kind: 'new' })
}

/** To the field, where there is one. */
function search(): void {
  const field = document.querySelector<HTMLInputElement>('main [role=search] input')
  if (!field) return navigate('/search')
  field.focus()
  field.select()
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

/** Arrows scroll the page until a post has the focus. */
const isNoScroll = ({ key }: KeyboardEvent) => !key.startsWith('Arrow') || current() !== null

const isField = (element: EventTarget | null): element is HTMLElement =>
  element instanceof HTMLElement && element.matches('input, textarea') && element.closest('dialog') === null

const hasNoDialog = () => document.querySelector('dialog[open]') === null

/** Presses a button of the composer in which somebody writes. */
const pressInComposer = (selector: string) => (): void =>
  document.activeElement?.closest('form[data-composer]')?.querySelector<HTMLElement>(selector)?.click()

interface Action extends Pick<Shortcut, 'isMeant'> {
  run: (event: KeyboardEvent) => void
}

const actions: Readonly<Record<ShortcutName, Action | Action['run']>> = {
  newPost: { run: writeHere, isMeant: hasNoDialog },
  warning: pressInComposer('[data-action=content-warning]'),
  leave: {
    run: ({ target }) => (target as HTMLElement).blur(),
    isMeant: ({ target }) => isField(target),
  },
  search,
  down: { run: () => move(1), isMeant: isNoScroll },
  up: { run: () => move(-1), isMeant: isNoScroll },
  open: openPost,
  profile: press('header a'),
  reply: press('[data-action=reply]'),
  mention: writeAbout(({ account: { acct } }) => ({ kind: 'share', text: `@${acct} ` })),
  quote: writeAbout((of) => ({ kind: 'quote', of })),
  translate: press('[data-action=translate]'),
  favourite: press('[data-action=favourite]'),
  boost: press('[data-action=boost]'),
  bookmark: press('[data-action=bookmark]'),
  showHidden: press('[data-action=warning]'),
  showMedia: press('[data-action=media]'),
  openMedia: press('[data-action=open-media]'),
  newPosts: () => here().querySelector<HTMLElement>('[data-action=new-posts]')?.click(),
  missing: () => here().querySelector<HTMLElement>('[data-action=fill-gap]')?.focus(),
  column: {
    run: (event) => look(firstSeen(columnOf(event))),
    isMeant: (event) => columnOf(event) !== undefined,
  },
  back: () => goBack(),
  home: go('/home'),
  notifications: go('/notifications'),
  local: go('/public/local'),
  federated: go('/public'),
  direct: go('/conversations'),
  favourites: go('/favourites'),
  bookmarks: go('/bookmarks'),
  explore: go('/explore'),
  ownProfile: () => navigate(`/@${account.peek().data?.acct ?? ''}`),
  followRequests: go('/follow_requests'),
  mutes: go('/mutes'),
  blocks: go('/blocks'),
  help: go('/keyboard-shortcuts'),
}

const names = Object.keys(table.keys) as ShortcutName[]

export const shortcuts: readonly Shortcut[] = names.flatMap((name) => {
  const action = actions[name]
  const { run, isMeant } = typeof action === 'function' ? { run: action } : action
  return table.keys[name].map((keys) => ({ keys, run, isMeant }))
})
