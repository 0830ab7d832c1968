// What a finger does on a picture in the whole window: sideways to the next one, down to close it.
import { useRef } from 'preact/hooks'

/** What is shorter is no swipe, in pixels. */
const shortest = 50
/** So much of the lower end of a film has its controls, in pixels. */
const controls = 90

export interface Swipes {
  /** By so many pictures; null where there is one alone. */
  go: ((step: number) => void) | null
  close: () => void
}

/** Handlers for the part of the page that is swiped on. `isOff`: a finger moves a picture that is larger than the window. */
export function useSwipes({ go, close }: Swipes, isOff: boolean) {
  const start = useRef<Touch | null>(null)
  return {
    onTouchStart: (event: TouchEvent) => {
      start.current = isOff || isZoomed() || isOnControls(event) ? null : onlyFinger(event)
    },
    onTouchMove: (event: TouchEvent) => {
      if (!onlyFinger(event)) start.current = null
      // Nothing behind it is scrolled, and nothing is loaded anew by a pull.
      else if (start.current && event.cancelable) event.preventDefault()
    },
    onTouchEnd: ({ changedTouches: [end] }: TouchEvent) => {
      const from = start.current
      start.current = null
      if (!from || !end) return
      const [x, y] = [end.clientX - from.clientX, end.clientY - from.clientY]
      if (Math.max(Math.abs(x), Math.abs(y)) < shortest) return
      if (Math.abs(x) > Math.abs(y)) go?.(x < 0 === (document.dir !== 'rtl') ? 1 : -1)
      else if (y > 0) close()
    },
    onTouchCancel: () => {
      start.current = null
    },
  }
}

const onlyFinger = ({ touches }: TouchEvent): Touch | null => (touches.length === 1 && touches[0]) || null

/** With two fingers, of the browser: one moves what is seen then. */
const isZoomed = () => (globalThis.visualViewport?.scale ?? 1) > 1.01

function isOnControls({ target, touches: [touch] }: TouchEvent): boolean {
  if (!(target instanceof HTMLMediaElement) || !touch) return false
  return touch.clientY > target.getBoundingClientRect().bottom - controls
}
