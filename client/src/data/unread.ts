// How many groups of notifications are new: on the bell, in the title of the page, and on the icon of the installed app.
import { computed, effect } from '@preact/signals'
import type { UnreadCount } from '#entities/notification.ts'
import { listen } from '../api/streaming.ts'
import { invalidate, load, queryState } from './query.ts'

const path = '/api/v2/notifications/unread_count'
const state = queryState<UnreadCount>(path)
/** What comes at the same time is counted once, after so many milliseconds. */
const pause = 300
const changing: ReadonlySet<string> = new Set(['notification', 'notifications_merged', 'marker'])

export const unread = computed(() => state.value.data?.count ?? 0)

let timer: ReturnType<typeof setTimeout> | undefined

/** Has them counted anew. */
export function countUnread(): void {
  clearTimeout(timer)
  timer = setTimeout(() => invalidate(path), pause)
}

/** Counts from now on. */
export function startUnread(): void {
  void load(path)
  listen(
    { stream: 'user' },
    {
      event(name) {
        if (changing.has(name)) countUnread()
      },
      resync: countUnread,
    },
  )
  effect(() => {
    const count = unread.value
    // Not every browser has a place for it, and some want to be asked.
    if (count > 0) navigator.setAppBadge?.(count).catch(() => {})
    else navigator.clearAppBadge?.().catch(() => {})
  })
}
