// Answers that views share: asked once for all who look at the same time, shown at once when seen before, asked anew when
// they are old.
import { effect, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get, isOnline } from '../api/client.ts'
import { isOffline, wordsOf } from '../api/errors.ts'

export interface Query<T> {
  /** Undefined until the first answer came. */
  readonly data: T | undefined
  /** Why there is none, in words. */
  readonly error: string | null
  readonly loading: boolean
}

type Update = (before: unknown) => unknown

interface Entry {
  state: Signal<Query<unknown>>
  /** What was answered last, with what was done to it longest ago. */
  answered: unknown
  /** What was done to it since: one is taken back by doing the others anew. */
  updates: Update[]
  /** When the answer came, in milliseconds; 0 to have it asked anew. */
  at: number
  asked: Promise<void> | null
  /** How many show it. */
  shown: number
  /** The server could not be reached when it was last asked for. */
  isLost: boolean
}

const nothing: Query<never> = { data: undefined, error: null, loading: false }
const entries = new Map<string, Entry>()
/** For how long an answer is taken as it is, in milliseconds. */
const fresh = 30_000
const max = 200
/** How many changes of an answer can be taken back. */
const maxUpdates = 100

function entryOf(path: string): Entry {
  const known = entries.get(path)
  if (known) return known
  if (entries.size >= max) forgetOne()
  const state = signal<Query<unknown>>(nothing)
  const made: Entry = { state, answered: undefined, updates: [], at: 0, asked: null, shown: 0, isLost: false }
  entries.set(path, made)
  return made
}

/** Forgets the oldest of those that nobody shows. */
function forgetOne(): void {
  for (const [path, { shown }] of entries) if (shown === 0) return void entries.delete(path)
}

/** Asks for this path of the API, unless what is known is new enough. Never throws: the state has the error. */
export function load(path: string): Promise<void> {
  const entry = entryOf(path)
  if (Date.now() - entry.at < fresh) return Promise.resolve()
  entry.asked ??= ask(path, entry).finally(() => (entry.asked = null))
  return entry.asked
}

async function ask(path: string, entry: Entry): Promise<void> {
  entry.state.value = { ...entry.state.value, loading: true }
  try {
    const { body } = await get<unknown>(path)
    entry.at = Date.now()
    entry.isLost = false
    entry.answered = body
    entry.updates = []
    entry.state.value = { data: body, error: null, loading: false }
  } catch (error) {
    entry.isLost = isOffline(error)
    entry.state.value = { ...entry.state.value, error: wordsOf(error), loading: false }
  }
}

/** The state of an answer of the API. Asks for it when the component is shown. */
export function useQuery<T>(path: string | null): Query<T> {
  useEffect(() => {
    if (path === null) return
    const entry = entryOf(path)
    entry.shown += 1
    void load(path)
    return () => void (entry.shown -= 1)
  }, [path])
  if (path === null) return nothing
  return entryOf(path).state.value as Query<T>
}

/** What is known of a path now, for what is no component. */
export const peek = <T>(path: string): T | undefined => entries.get(path)?.state.peek().data as T | undefined

/** The state of what is shown for as long as the app is open. */
export function queryState<T>(path: string): ReadonlySignal<Query<T>> {
  const entry = entryOf(path)
  entry.shown += 1
  return entry.state as ReadonlySignal<Query<T>>
}

/** Changes what is known, as after an action. Returns how to take that back: what else was done to it stays. */
export function change<T>(path: string, update: (before: T | undefined) => T): () => void {
  const entry = entryOf(path)
  const own: Update = (before) => update(before as T | undefined)
  entry.updates.push(own)
  if (entry.updates.length > maxUpdates) entry.answered = entry.updates.shift()?.(entry.answered)
  put(entry, own(entry.state.peek().data))
  return () => {
    // A newer answer is without it already.
    if (entry.updates.includes(own)) {
      entry.updates = entry.updates.filter((one) => one !== own)
      let data = entry.answered
      for (const one of entry.updates) data = one(data)
      put(entry, data)
    }
    // What was refused may be otherwise than it was thought to be.
    entry.at = 0
    void load(path)
  }
}

const put = (entry: Entry, data: unknown): void => {
  entry.state.value = { ...entry.state.peek(), data }
}

/** Has all answers whose path begins so asked anew when they are looked at next; those on show at once. */
export function invalidate(prefix: string): void {
  for (const [path, entry] of entries) {
    if (!path.startsWith(prefix)) continue
    entry.at = 0
    void load(path)
  }
}

// What could not be asked without a network is asked when there is one.
effect(() => {
  if (!isOnline.value) return
  for (const [path, { shown, isLost }] of entries) if (isLost && shown > 0) void load(path)
})
