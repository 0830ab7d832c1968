// The keyboard: Mastodon's shortcuts (https://docs.joinmastodon.org/user/preferences/ and its own page of them).

import type table from '../../shared/shortcuts.json'

export type ShortcutName = keyof typeof table.keys

export interface Shortcut {
  /** As `n`, `Alt+n`, or `g h` for one after the other. */
  keys: string
  run: (event: KeyboardEvent) => void
  /** Whether the key is meant; else it does what it does in browsers. */
  isMeant?: ((event: KeyboardEvent) => boolean) | undefined
}

/** How long the second key of a pair is waited for, in milliseconds. */
const pairTime = 1_000

/** Whether somebody is writing, presses what has the focus, or a dialog or menu has the keys. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  return (
    // Enter presses what has the focus.
    (event.key === 'Enter' && target.closest('a, button, summary') !== null) ||
    // A film has them for its controls, which are no elements of the page.
    (/^(?:Enter|Arrow\w+)$/.test(event.key) && target.closest('video, audio') !== null) ||
    target.isContentEditable ||
    /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName) ||
    target.closest('dialog, [role=menu]') !== null ||
    document.querySelector('dialog[open]') !== null
  )
}

/** The letter on the key where it is held with Alt: some layouts make another sign of the two. */
const nameOf = ({ altKey, code, key }: KeyboardEvent) =>
  altKey ? `Alt+${code.replace(/^Key/, '').toLowerCase()}` : key

/** Listens to the keyboard from now on. */
export function startShortcuts(shortcuts: readonly Shortcut[]): void {
  const byKeys = new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut]))
  let first = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey) return
    const key = nameOf(event)
    const found = byKeys.get(first === '' ? key : `${first} ${key}`)
    // What no letter is meant by holds while somebody writes, too.
    if (!event.altKey && event.key !== 'Escape' && isTaken(event)) return
    clearTimeout(timer)
    const isFirst = first === '' && !found && shortcuts.some(({ keys }) => keys.startsWith(`${key} `))
    first = isFirst ? key : ''
    if (isFirst) timer = setTimeout(() => (first = ''), pairTime)
    if (!found || found.isMeant?.(event) === false) return
    event.preventDefault()
    found.run(event)
  })
}
