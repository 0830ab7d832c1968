// Up to where home was read, on whatever device: the marker of the API.
import { signal } from '@preact/signals'
import type { Markers } from '#entities/marker.ts'
import { get, post } from '../api/client.ts'
import { listen } from '../api/streaming.ts'
import { isDrawn } from '../core/drawn.ts'

const path = '/api/v1/markers?timeline[]=home'
/** So long has a post to be at the top to count as read, in milliseconds. */
const dwell = 3_000

/** The newest post that was read. */
export const readMark = signal<string | null>(null)

/** Asks where it is. Without an answer there is none. */
export async function loadMark(): Promise<void> {
  const { body } = await get<Markers>(path)
  readMark.value = body.home?.last_read_id ?? null
}

/** The newest post that is seen now. */
function topmost(): string | null {
  for (const post of document.querySelectorAll<HTMLElement>('[role=feed] article')) {
    if (!isDrawn(post)) continue
    const { top, bottom } = post.getBoundingClientRect()
    if (bottom > 80 && top < innerHeight) return post.dataset['anchor'] ?? null
  }
  return null
}

/** Hears of it when another device moves the marker on. Returns how to stop. */
export const followMark = (onMoved: (id: string) => void): (() => void) =>
  listen(
    { stream: 'user' },
    {
      event(name, payload) {
        if (name !== 'marker') return
        const id = (payload as Markers).home?.last_read_id
        const before = readMark.peek()
        if (id === undefined || (before !== null && BigInt(id) <= BigInt(before))) return
        readMark.value = id
        onMoved(id)
      },
    },
  )

/** Moves the marker on while home is read. Returns how to stop. */
export function followReading(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const save = () => {
    const id = topmost()
    const before = readMark.peek()
    if (id === null || document.hidden || (before !== null && BigInt(id) <= BigInt(before))) return
    readMark.value = id
    post<Markers>('/api/v1/markers', { body: { home: { last_read_id: id } } }).catch(() => {
      // It is said again by whoever goes on reading, or when the network is back.
      if (readMark.peek() === id) readMark.value = before
    })
  }
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(save, dwell)
  }
  wait()
  addEventListener('scroll', wait, { passive: true })
  return () => {
    clearTimeout(timer)
    removeEventListener('scroll', wait)
  }
}
