// Every post once, whatever views show it: what is done to it in one is seen in all.
import { signal, type Signal } from '@preact/signals'
import type { Status } from '#entities/status.ts'

const known = new Map<string, Signal<Status>>()

/** Keeps posts, and those in them, as they are now. Returns their ids. */
export function keepStatuses(statuses: readonly Status[]): string[] {
  for (const status of statuses) keepStatus(status)
  return statuses.map((status) => status.id)
}

/** Keeps one post. What a stream brings does not know the viewer: their own state stays. */
export function keepStatus(status: Status): void {
  if (status.reblog) keepStatus(status.reblog)
  if (status.quote?.quoted_status) keepStatus(status.quote.quoted_status)
  const before = known.get(status.id)
  if (before) before.value = { ...before.peek(), ...status }
  else known.set(status.id, signal(status))
}

/** The post of this id, which was kept before. */
export function statusOf(id: string): Signal<Status> | undefined {
  return known.get(id)
}

/** Changes a post, if it is known. Returns how to take it back. */
export function changeStatus(id: string, update: (status: Status) => Partial<Status>): () => void {
  const state = known.get(id)
  if (!state) return () => {}
  const before = state.peek()
  const changed = update(before)
  state.value = { ...before, ...changed }
  // Only what was changed goes back: more may have happened meanwhile.
  const old = Object.fromEntries(Object.keys(changed).map((key) => [key, before[key as keyof Status]]))
  return () => {
    state.value = { ...state.peek(), ...old }
  }
}

/** Forgets a deleted post. Timelines leave it out by `deletedIds` of status-actions.ts. */
export function forgetStatus(id: string): void {
  known.delete(id)
}
