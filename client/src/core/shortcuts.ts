// The keyboard: Mastodon's shortcuts (https://docs.joinmastodon.org/user/preferences/ and its own page of them).

export interface Shortcut {
  /** As `n`, or `g h` for one after the other. */
  keys: string
  /** The key of its words in `t.shortcuts`. */
  name: ShortcutName
  run: (event: KeyboardEvent) => void
  /** Whether the key is meant; else it does what it does in browsers. */
  isMeant?: () => boolean
}

export type ShortcutName =
  | 'newPost'
  | 'search'
  | 'down'
  | 'up'
  | 'open'
  | 'profile'
  | 'reply'
  | 'mention'
  | 'quote'
  | 'translate'
  | 'favourite'
  | 'boost'
  | 'bookmark'
  | 'showHidden'
  | 'showMedia'
  | 'openMedia'
  | 'newPosts'
  | 'column'
  | 'back'
  | 'home'
  | 'notifications'
  | 'local'
  | 'federated'
  | 'direct'
  | 'favourites'
  | 'bookmarks'
  | 'explore'
  | 'ownProfile'
  | 'followRequests'
  | 'mutes'
  | 'blocks'
  | 'help'

/** How long the second key of a pair is waited for, in milliseconds. */
const pairTime = 1_000

/** Whether somebody is writing, presses what has the focus, or a dialog or menu has the keys. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true
  const target = event.target as HTMLElement
  return (
    // Enter presses what has the focus.
    (event.key === 'Enter' && target.closest('a, button, summary') !== null) ||
    target.isContentEditable ||
    /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('dialog, [role=menu]') !== null ||
    document.querySelector('dialog[open]') !== null
  )
}

/** Listens to the keyboard from now on. */
export function startShortcuts(shortcuts: readonly Shortcut[]): void {
  const byKeys = new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut]))
  let first = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  addEventListener('keydown', (event) => {
    if (isTaken(event)) return
    const found = byKeys.get(first === '' ? event.key : `${first} ${event.key}`)
    clearTimeout(timer)
    const isFirst = first === '' && !found && shortcuts.some(({ keys }) => keys.startsWith(`${event.key} `))
    first = isFirst ? event.key : ''
    if (isFirst) timer = setTimeout(() => (first = ''), pairTime)
    if (!found || found.isMeant?.() === false) return
    event.preventDefault()
    found.run(event)
  })
}
