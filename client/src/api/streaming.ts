// One WebSocket for all streams. It is opened when somebody listens, and again when it breaks. Whenever it is open, listeners
// are told to look at what they missed: what they show is as old as the page, and on a slow phone that is seconds.
import { effect } from '@preact/signals'
import { isSignedIn, streamingProtocols, streamingUrl } from '../core/start.ts'
import { isOnline } from './client.ts'

/** As `user`, `public:local`, `hashtag` with `tag`, `list` with `list`. */
export interface Stream {
  stream: string
  tag?: string
  list?: string
}

export interface Listener {
  /** `payload`: parsed where it is JSON. */
  event(name: string, payload: unknown): void
  /** The stream is there, or there again: what happened before it did not bring. `isFirst`: since the page was opened. */
  resync?(isFirst: boolean): void
}

interface Subscription {
  stream: Stream
  listeners: Set<Listener>
}

const subscriptions = new Map<string, Subscription>()
let socket: WebSocket | null = null
let failures = 0
let isFirst = true
let timer: ReturnType<typeof setTimeout> | undefined

const nameOf = ({ stream, tag, list }: Stream) => [stream, tag ?? list].filter(Boolean).join(' ')

/** Listens to a stream. Returns how to stop. */
export function listen(stream: Stream, listener: Listener): () => void {
  if (!isSignedIn()) return () => {}
  const name = nameOf(stream)
  const subscription = subscriptions.get(name) ?? { stream, listeners: new Set<Listener>() }
  if (subscription.listeners.size === 0) say('subscribe', stream)
  subscription.listeners.add(listener)
  subscriptions.set(name, subscription)
  open()
  return () => {
    subscription.listeners.delete(listener)
    if (subscription.listeners.size > 0) return
    subscriptions.delete(name)
    say('unsubscribe', stream)
  }
}

/** Whether what happens from now on is heard. */
export const isStreaming = (): boolean => socket?.readyState === WebSocket.OPEN

function say(type: 'subscribe' | 'unsubscribe', stream: Stream): void {
  if (isStreaming()) socket?.send(JSON.stringify({ type, ...stream }))
}

function open(): void {
  if (socket || subscriptions.size === 0 || !isOnline.peek()) return
  clearTimeout(timer)
  const opened = new WebSocket(`${streamingUrl}/api/v1/streaming`, streamingProtocols())
  socket = opened
  opened.addEventListener('open', () => {
    failures = 0
    for (const { stream } of subscriptions.values()) say('subscribe', stream)
    for (const { listeners } of subscriptions.values())
      for (const listener of listeners) listener.resync?.(isFirst)
    isFirst = false
  })
  opened.addEventListener('message', ({ data }) => receive(String(data)))
  opened.addEventListener('close', () => {
    socket = null
    failures++
    // A second at first, a minute at most, and not all who were cut off at the same time.
    const wait = Math.min(60_000, 1_000 * 2 ** failures) * (0.5 + Math.random() / 2)
    timer = setTimeout(open, wait)
  })
}

function receive(text: string): void {
  const message = JSON.parse(text) as { stream?: string[]; event?: string; payload?: string }
  const [stream = '', detail] = message.stream ?? []
  const found = subscriptions.get([stream, detail].filter(Boolean).join(' '))
  if (!found || message.event === undefined) return
  const payload = /^[{[]/.test(message.payload ?? '') ? JSON.parse(message.payload ?? '') : message.payload
  for (const listener of found.listeners) listener.event(message.event, payload)
}

effect(() => {
  if (isOnline.value) open()
})
