// Where a page was read to: the post at its top, and how far that is from the edge. Heights differ from visit to visit, so
// the distance from the beginning says nothing.
import { isDrawn } from '../core/drawn.ts'

export interface Position {
  anchor: string
  /** Pixels from the upper edge of what is scrolled. */
  top: number
}

const name = (key: string) => `position:${key}`
/** What covers the upper edge of the window, in pixels. */
const edge = 64

/** A part of the page that is scrolled by itself; null is the window. */
type Scroller = HTMLElement | null

const upperEdgeOf = (scroller: Scroller) => scroller?.getBoundingClientRect().top ?? 0

const focusName = (key: string) => `focus:${key}`

/** Remembers where the entry of the history is, and in which post the focus was. */
export function rememberPosition(key: string, scroller: Scroller = null): void {
  const focused = document.activeElement?.closest<HTMLElement>('main [data-anchor]')?.dataset['anchor']
  if (focused === undefined) sessionStorage.removeItem(focusName(key))
  else sessionStorage.setItem(focusName(key), focused)
  const position = positionNow(scroller)
  if (position === null) return sessionStorage.removeItem(name(key))
  if (position) sessionStorage.setItem(name(key), JSON.stringify(position))
}

/** Returns what is read now; null at the beginning, undefined where nothing is that can be found again (`data-anchor`). */
export function positionNow(scroller: Scroller): Position | null | undefined {
  if ((scroller?.scrollTop ?? scrollY) < 1) return null
  const upper = upperEdgeOf(scroller)
  for (const element of (scroller ?? document).querySelectorAll<HTMLElement>('[data-anchor]')) {
    if (!isDrawn(element)) continue
    const { top, bottom } = element.getBoundingClientRect()
    if (bottom < upper + (scroller ? 0 : edge)) continue
    return { anchor: element.dataset['anchor'] ?? '', top: top - upper }
  }
  return undefined
}

export function positionOf(key: string): Position | null {
  const text = sessionStorage.getItem(name(key))
  return text === null ? null : (JSON.parse(text) as Position)
}

/** Gives the focus back to the post that had it, when that is there, unless somebody has taken it elsewhere meanwhile. */
export function restoreFocus(key: string): void {
  const anchor = sessionStorage.getItem(focusName(key))
  if (anchor === null) return
  const before = document.activeElement
  const until = performance.now() + patience.loading
  const look = () => {
    if (document.activeElement !== before || performance.now() > until) return
    const found = document.querySelector<HTMLElement>(`main [data-anchor="${CSS.escape(anchor)}"]`)
    if (found) found.focus({ preventScroll: true })
    else requestAnimationFrame(look)
  }
  look()
}

/** For how long a post that is yet to be loaded is waited for, and one that moves is followed, in milliseconds. */
const patience = { loading: 4_000, settling: 2_000 } as const
/** So many frames without a move are rest: by frames, since slow machines have few. */
const restFrames = 20

/** Puts the page where it was. What is not measured yet moves it, so it is put there until it stays, or somebody scrolls. */
export function restorePosition({ anchor, top }: Position, scroller: Scroller = null): void {
  let until = performance.now() + patience.loading
  let isFound = false
  let still = 0
  const stop = () => {
    until = 0
  }
  const signs = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
  for (const sign of signs) addEventListener(sign, stop, { once: true, passive: true })
  const put = () => {
    if (performance.now() > until || still > restFrames) {
      for (const sign of signs) removeEventListener(sign, stop)
      return
    }
    const found = (scroller ?? document).querySelector(`[data-anchor="${CSS.escape(anchor)}"]`)
    if (found && !isFound) {
      isFound = true
      until = performance.now() + patience.settling
    }
    if (found) still++
    // What is far away is not built: it will be when the part that holds it is seen.
    const element = found ?? (scroller ?? document).querySelector(`[data-holds~="${CSS.escape(anchor)}"]`)
    const off = element ? element.getBoundingClientRect().top - upperEdgeOf(scroller) - top : 0
    if (Math.abs(off) > 1) {
      still = 0
      ;(scroller ?? globalThis).scrollBy({ top: off, behavior: 'instant' })
    }
    requestAnimationFrame(put)
  }
  put()
}
