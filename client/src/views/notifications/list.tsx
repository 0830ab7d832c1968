import { useEffect, useMemo, useState } from 'preact/hooks'
import { isOnline } from '../../api/client.ts'
import { createNotifications, isAfter, markRead, readUpTo, type Wanted } from '../../data/notifications.ts'
import { isSilenced } from '../../data/relationships.ts'
import { isDeleted } from '../../data/statuses.ts'
import { PagesEnd } from '../../parts/page/paged.tsx'
import { Group } from './group.tsx'
import css from './notifications.module.css'

export interface NotificationListProps {
  name: string
  wanted?: Wanted
  empty: string
  /** What is shown counts as read from then on. */
  marks?: boolean
}

/** Notifications, newest first. What was unread when the view was come to stays marked until it is left. */
export function NotificationList({ name, wanted, empty, marks = false }: NotificationListProps) {
  const list = useMemo(() => createNotifications(wanted), [])
  const [readTo, setReadTo] = useState<string | null>(null)
  useEffect(() => list.follow(), [list])
  const isThere = isOnline.value
  useEffect(() => {
    // Without it nothing is marked.
    if (marks && readTo === null)
      readUpTo()
        .then(setReadTo)
        .catch(() => {})
  }, [marks, isThere])
  const groups = list.groups.value
  const newest = groups[0]?.most_recent_notification_id
  useEffect(() => {
    if (readTo !== null && newest !== undefined && isAfter(newest, readTo)) markRead(newest).catch(() => {})
  }, [readTo, newest])
  const shown = groups.filter(
    ({ status_id: id, sample_account_ids: ids }) =>
      (id === undefined || !isDeleted(id)) && (ids.length === 0 || !ids.every(isSilenced)),
  )
  return (
    <>
      {shown.length > 0 && (
        <div role="feed" aria-label={name} aria-busy={list.loading.value} class={css['feed']}>
          {shown.map((group) => (
            <Group
              key={group.group_key}
              group={group}
              accounts={group.sample_account_ids.flatMap((id) => list.accountOf(id) ?? [])}
              isUnread={readTo !== null && isAfter(group.most_recent_notification_id, readTo)}
            />
          ))}
        </div>
      )}
      <PagesEnd pages={list} isEmpty={shown.length === 0} empty={empty} />
    </>
  )
}
