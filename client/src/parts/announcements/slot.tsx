// Announcements above home: what was not read yet comes up by itself, all of them when they are asked for.
import { useEffect, useState } from 'preact/hooks'
import type { Announcement } from '#entities/announcement.ts'
import { t } from '../../core/texts.ts'
import { announcementsPath, followAnnouncements } from '../../data/announcements.ts'
import { useQuery } from '../../data/query.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { lazyPart } from '../page/lazy-part.tsx'

const Panel = lazyPart(() => import('./announcements.tsx').then((module) => module.Announcements))

export interface AnnouncementState {
  all: readonly Announcement[]
  shown: readonly Announcement[]
  isOpen: boolean
  toggle: () => void
}

/** Which announcements there are, and which are shown. */
export function useAnnouncements(): AnnouncementState {
  const { data: all = [] } = useQuery<Announcement[]>(announcementsPath)
  const [isOpen, setOpen] = useState(false)
  useEffect(followAnnouncements, [])
  const shown = isOpen ? all : all.filter(({ read }) => read !== true)
  return { all, shown, isOpen, toggle: () => setOpen(!isOpen) }
}

/** Shows also those that were read; nothing where there are none. */
export const AnnouncementsButton = ({ all, isOpen, toggle }: AnnouncementState) =>
  all.length === 0 ? null : (
    <IconButton icon="speak" label={t.announcements.title} pressed={isOpen} onClick={toggle} />
  )

export const AnnouncementsPanel = ({ shown }: AnnouncementState) =>
  shown.length === 0 ? null : <Panel announcements={shown} />
