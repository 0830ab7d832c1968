// What came for the viewer, in groups, as long as somebody looks.
import { batch, signal, type Signal } from '@preact/signals'
import type { Account } from '#entities/account.ts'
import type { Markers } from '#entities/marker.ts'
import type { GroupedNotificationsResults, NotificationGroup } from '#entities/notification.ts'
import { get, post, withQuery } from '../api/client.ts'
import { isStreaming, listen } from '../api/streaming.ts'
import { isInDocument } from '../core/start.ts'
import { createGrowth, type Growth } from './growth.ts'
import { keepStatuses } from './statuses.ts'
import { countUnread } from './unread.ts'

/** Which of them: see `/api/v2/notifications`. */
export interface Wanted {
  types?: readonly string[]
  /** Of one account, with what is kept back of it. */
  account_id?: string
  include_filtered?: boolean
}

export interface Notifications extends Growth {
  readonly groups: Signal<readonly NotificationGroup[]>
  accountOf(id: string): Account | undefined
  loadMore(): Promise<void>
  /** Brings new ones while somebody looks. Returns how to stop. */
  follow(): () => void
}

const pageSize = 40
const markerPath = withQuery('/api/v1/markers', { timeline: ['notifications'] })

/** Up to where the viewer had read before this view; null until it is known. */
export async function readUpTo(): Promise<string> {
  const { body } = await get<Markers>(markerPath)
  return body.notifications?.last_read_id ?? '0'
}

export const isAfter = (id: string, other: string): boolean => BigInt(id) > BigInt(other)

/** From now on everything up to this one counts as read, on all devices. */
export async function markRead(id: string): Promise<void> {
  await post<Markers>('/api/v1/markers', { body: { notifications: { last_read_id: id } } })
  countUnread()
}

export function createNotifications(wanted: Wanted = {}): Notifications {
  const groups = signal<readonly NotificationGroup[]>([])
  const { loading, error, ended, guarded } = createGrowth()
  const accounts = new Map<string, Account>()
  const first = withQuery('/api/v2/notifications', { limit: pageSize, ...wanted })
  let next: string | null = first
  let wantsFresh = false

  async function read(path: string) {
    const { body, next: following } = await get<GroupedNotificationsResults>(path)
    keepStatuses(body.statuses)
    for (const account of body.accounts) accounts.set(account.id, account)
    return { found: body.notification_groups, following }
  }

  /** What came while something was being asked for is looked for after that. */
  async function inTurn(work: () => Promise<void>): Promise<void> {
    await guarded(work)
    if (!wantsFresh || loading.peek()) return
    wantsFresh = false
    await refresh()
  }

  /** The newest page: groups that grew are moved up, and where nothing of what was known is on it, it begins anew. */
  async function refresh(): Promise<void> {
    if (loading.peek()) {
      wantsFresh = true
      return
    }
    await inTurn(async () => {
      const { found, following } = await read(first)
      const keys = new Set(found.map(({ group_key: key }) => key))
      const isJoined = groups.peek().some(({ group_key: key }) => keys.has(key))
      const older = isJoined ? groups.peek().filter(({ group_key: key }) => !keys.has(key)) : []
      batch(() => {
        groups.value = [...found, ...older]
        if (isJoined) return
        next = following
        ended.value = following === null
      })
    })
  }

  return {
    groups,
    loading,
    error,
    ended,
    accountOf: (id) => accounts.get(id),
    loadMore: () =>
      inTurn(async () => {
        if (next === null) return
        if (isInDocument(next) && isStreaming()) wantsFresh = true
        const { found, following } = await read(next)
        next = following
        const keys = new Set(found.map(({ group_key: key }) => key))
        batch(() => {
          groups.value = [...groups.peek().filter(({ group_key: key }) => !keys.has(key)), ...found]
          ended.value = following === null
        })
      }),
    follow: () =>
      listen(
        { stream: 'user' },
        {
          event(name) {
            if (name === 'notification' || name === 'notifications_merged') void refresh()
          },
          resync: () => void refresh(),
        },
      ),
  }
}
