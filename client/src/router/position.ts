// Where a page was read to: the post at its top, and how far that is from the edge. Heights differ from visit to visit, so
// the distance from the beginning says nothing.

interface Position {
  anchor: string
  /** Pixels from the upper edge of the window. */
  top: number
}

const name = (key: string) => `position:${key}`
/** What covers the upper edge, in pixels. */
const edge = 64

/** Remembers where the entry of the history is. What is marked with `data-anchor` can be found again. */
export function rememberPosition(key: string): void {
  if (scrollY < 1) return sessionStorage.removeItem(name(key))
  for (const element of document.querySelectorAll<HTMLElement>('[data-anchor]')) {
    const { top, bottom } = element.getBoundingClientRect()
    if (bottom < edge) continue
    const position: Position = { anchor: element.dataset['anchor'] ?? '', top }
    return sessionStorage.setItem(name(key), JSON.stringify(position))
  }
}

export function positionOf(key: string): Position | null {
  const text = sessionStorage.getItem(name(key))
  return text === null ? null : (JSON.parse(text) as Position)
}

/** For how long a post that is yet to be loaded is waited for, and one that moves is followed, in milliseconds. */
const patience = { loading: 4_000, settling: 300 } as const

/** Puts the page where it was. What is not measured yet moves it, so it is put there until it stays, or somebody scrolls. */
export function restorePosition({ anchor, top }: Position): void {
  let until = performance.now() + patience.loading
  let isFound = false
  const stop = () => {
    until = 0
  }
  const signs = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const
  for (const sign of signs) addEventListener(sign, stop, { once: true, passive: true })
  const put = () => {
    if (performance.now() > until) {
      for (const sign of signs) removeEventListener(sign, stop)
      return
    }
    const element = document.querySelector(`[data-anchor="${CSS.escape(anchor)}"]`)
    if (element && !isFound) {
      isFound = true
      until = performance.now() + patience.settling
    }
    const off = element ? element.getBoundingClientRect().top - top : 0
    if (Math.abs(off) > 1) scrollBy({ top: off, behavior: 'instant' })
    requestAnimationFrame(put)
  }
  put()
}
