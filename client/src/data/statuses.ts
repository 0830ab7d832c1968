// Every post once, whatever views show it: what is done to it in one is seen in all.
import { computed, signal, type Signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Status } from '#entities/status.ts'
import { get, onMissing, withQuery } from '../api/client.ts'
import { listen } from '../api/streaming.ts'
import { createGone } from './gone.ts'

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

/** Forgets a deleted post, which nothing shows any more: see `markDeleted`. */
export function forgetStatus(id: string): void {
  known.delete(id)
}

/** Posts that were deleted while the page was open. */
const deleted = createGone()
export const deletedIds = deleted.ids

/** Has a post leave whatever shows it. Returns how to take it back. */
export const markDeleted = (id: string): (() => void) => deleted.add(id)

/** Whether a post was deleted, or is a boost of one that was. Lists ask it, and are drawn anew when any post is deleted. */
export function isDeleted(id: string): boolean {
  const boosted = known.get(id)?.peek().reblog?.id
  return deleted.has(id) || (boosted !== undefined && deleted.has(boosted))
}

/** The same for one post: what shows it is drawn anew when that one is deleted. */
export const useDeleted = (id: string): boolean => useMemo(() => computed(() => isDeleted(id)), [id]).value

/** How many the API answers at once. */
const max = 20

/**
 * Asks for posts again: they count as they do now, and those that are there no more leave whatever shows them. Returns how
 * many did; none where the server does not answer.
 */
export async function lookAgain(ids: readonly (string | null | undefined)[]): Promise<number> {
  const wanted = [...new Set(ids)].filter((id) => typeof id === 'string' && known.has(id) && !isDeleted(id)) as string[]
  let gone: string[] = []
  for (let start = 0; start < wanted.length; start += max) {
    const part = wanted.slice(start, start + max)
    const found = await get<Status[]>(withQuery('/api/v1/statuses', { id: part })).then(
      ({ body }) => keepStatuses(body),
      () => part,
    )
    gone = [...gone, ...part.filter((id) => !found.includes(id))]
  }
  if (gone.length > 0) deleted.add(...gone)
  return gone.length
}

/** What a post answers and quotes: they count it. */
export const countedBy = ({ in_reply_to_id: answered, quote }: Status): (string | null | undefined)[] => [
  answered,
  quote?.quoted_status?.id,
]

/** Hears of deletions from now on, whatever the viewer looks at: by the stream, and by what is no longer found. */
export function followDeletions(): void {
  listen(
    { stream: 'user' },
    {
      event(name, payload) {
        if (name !== 'delete') return
        const post = known.get(String(payload))?.peek()
        markDeleted(String(payload))
        if (post) void lookAgain(countedBy(post))
      },
    },
  )
  onMissing((path) => void lookAgain([/^\/api\/v1\/(?:pleroma\/)?statuses\/(\d+)/.exec(path)?.[1]]))
}
