// Which address is shown, and the way there and back.
import { batch, signal } from '@preact/signals'
import { wantsLessMotion } from '../core/motion.ts'
import { isOutdated } from '../core/service-worker.ts'
import { rememberPosition } from './position.ts'

/** The address that is shown. */
export const address = signal(new URL(location.href))
/** Of the entry of the history: positions are remembered by it. */
export const entryKey = signal(keyOf(history.state))
/** Counts the ways to an address: what comes by `back` is put where it was, all else begins at its top. */
export const arrival = signal<{ count: number; isReturn: boolean }>({ count: 0, isReturn: isReload() })

history.scrollRestoration = 'manual'

/** Whether an entry of the history is that of something which covers a view, and none of a view. */
const isCover = (state: unknown): boolean => (state as { isCover?: unknown } | null)?.isCover === true

/** What the next way back does, when it leads to the view that is shown already. */
let uncover: (() => void) | null = null

/**
 * Gives what covers the view an entry of the history, so that the browser's way back closes it: the view below is neither
 * shown anew nor scrolled. Returns what goes that way, and is to be called when it is closed otherwise as well.
 */
export function coverView(close: () => void): () => void {
  history.pushState({ ...(history.state as object | null), isCover: true }, '')
  uncover = close
  let isLeft = false
  return () => {
    if (isLeft) return
    isLeft = true
    if (isCover(history.state)) history.back()
    // Somebody went on to another view.
    else if (uncover === close) uncover = null
  }
}

/** Leaves an entry that outlived what it was for: by a reload, or by the way forward. */
function leaveCover(): void {
  if (keyOf(history.state) === entryKey.peek()) uncover = () => undefined
  history.back()
}

function keyOf(state: unknown): string {
  const key = (state as { key?: unknown } | null)?.key
  return typeof key === 'string' ? key : 'first'
}

function isReload(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return entry?.type === 'reload' || entry?.type === 'back_forward'
}

function show(url: URL, key: string, isReturn: boolean): void {
  batch(() => {
    address.value = url
    entryKey.value = key
    arrival.value = { count: arrival.peek().count + 1, isReturn }
  })
}

/** Shows another address of the app. */
export function navigate(to: string, { replace = false }: { replace?: boolean } = {}): void {
  const url = new URL(to, location.href)
  rememberPosition(entryKey.peek())
  // A newer app is there: its document is as good a way to the address, and what is being written is kept.
  if (isOutdated.peek() && navigator.onLine) return location[replace ? 'replace' : 'assign'](url)
  const key = crypto.randomUUID()
  if (replace) history.replaceState({ key }, '', url)
  else history.pushState({ key }, '', url)
  show(url, key, false)
}

let isViewAt: (path: string) => boolean = () => false

/** Opens an address of this server, in the app or not. */
export function visit(to: string): void {
  const url = new URL(to, location.href)
  if (isViewAt(url.pathname)) navigate(url.href)
  else location.assign(url)
}

/** To where one came from; to `otherwise` where that is not in the app. */
export function goBack(otherwise = '/home'): void {
  if (arrival.peek().count > 0) history.back()
  else navigate(otherwise, { replace: true })
}

/** Takes over links and the buttons of the browser. `isView`: whether the app has a view of a path. */
export function startRouter(isView: (path: string) => boolean): void {
  isViewAt = isView
  if (isCover(history.state)) leaveCover()
  addEventListener('popstate', (event) => {
    if (isCover(event.state)) return leaveCover()
    if (uncover) {
      const close = uncover
      uncover = null
      return close()
    }
    rememberPosition(entryKey.peek())
    show(new URL(location.href), keyOf(event.state), true)
  })
  addEventListener('pagehide', () => rememberPosition(entryKey.peek()))
  document.addEventListener('click', (event) => {
    const link = (event.target as Element | null)?.closest?.('a[href]')
    if (
      !(link instanceof HTMLAnchorElement) ||
      !isPlain(event) ||
      link.target ||
      link.hasAttribute('download')
    )
      return
    const url = new URL(link.href)
    if (url.origin !== location.origin || !isView(url.pathname)) return
    event.preventDefault()
    if (url.href !== location.href) navigate(url.href)
    else scrollTo({ top: 0, behavior: wantsLessMotion() ? 'instant' : 'smooth' })
  })
}

const isPlain = (event: MouseEvent) =>
  !event.defaultPrevented &&
  event.button === 0 &&
  !event.metaKey &&
  !event.ctrlKey &&
  !event.shiftKey &&
  !event.altKey
