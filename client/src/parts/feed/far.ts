// What is far away is not built: whoever scrolls past thousands of posts has those around them in memory, not all.
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { nextTask } from '../../core/tasks.ts'
import { FeedFrame } from './frame.ts'

/** So many pixels above and below what is seen are built. */
const reach = 8_000

/** How high groups were when they were last near, in pixels, by their page, of which no two timelines have the same. */
const heights = new Map<number, number>()

/** Not to be taken from whoever uses it: where the focus is, and what plays. */
const isInUse = (element: Element): boolean =>
  element.contains(document.activeElement) ||
  element.querySelector('iframe') !== null ||
  [...element.querySelectorAll<HTMLMediaElement>('video, audio')].some((media) => !media.paused)

/**
 * How much of a group of posts is built: all of it at first, none while it is far from what is seen, and one more in each
 * task when it is near again. `height`: in pixels, what it was before it was left out. `isAwaited`: somebody comes back
 * to it.
 */
export function useBuilt(page: number, size: number, isAwaited: boolean) {
  const group = useRef<HTMLDivElement>(null)
  const frame = useContext(FeedFrame)
  const [isNear, setNear] = useState(isAwaited || !heights.has(page))
  const [built, setBuilt] = useState(isNear ? Infinity : 0)
  useLayoutEffect(() => {
    const element = group.current
    if (!element) return
    const look = (seen: IntersectionObserverEntry[]) => {
      const last = seen.at(-1)
      if (!last) return
      const { isIntersecting, boundingClientRect } = last
      // What is hidden is not far.
      if (!isIntersecting && (boundingClientRect.height === 0 || isInUse(element))) return
      setNear(isIntersecting)
      if (isIntersecting) return
      heights.set(page, boundingClientRect.height)
      setBuilt(0)
    }
    const root = frame?.element() ?? null
    const observer = new IntersectionObserver(look, { root, rootMargin: `${reach}px 0px` })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (!isNear || built >= size) return
    let isWanted = true
    void nextTask().then(() => isWanted && setBuilt(built + 1))
    return () => {
      isWanted = false
    }
  }, [isNear, built, size])
  return { group, count: Math.min(built, size), height: heights.get(page) }
}
