// What the team of the server announces, with those that were dismissed.
import type { Announcement, AnnouncementReaction } from '#entities/announcement.ts'
import type { Reaction } from '#entities/emoji.ts'
import { del, post, put } from '../api/client.ts'
import { listen } from '../api/streaming.ts'
import { act } from './act.ts'
import { toggled } from './reactions.ts'
import { change, invalidate } from './query.ts'

export const announcementsPath = '/api/v1/announcements?with_dismissed=true'

function changeOne(id: string, part: (before: Announcement) => Partial<Announcement>): () => void {
  return change<Announcement[]>(announcementsPath, (all = []) =>
    all.map((one) => (one.id === id ? { ...one, ...part(one) } : one)),
  )
}

const path = (id: string) => `/api/v1/announcements/${id}`

/** It is read, and does not come up by itself any more. */
export const dismissAnnouncement = (id: string) =>
  act({ show: () => changeOne(id, () => ({ read: true })), ask: () => post(`${path(id)}/dismiss`) })

/** Adds a reaction of one's own, or takes it back. */
export function toggleReaction({ id, reactions }: Announcement, reaction: Reaction) {
  const isOn = reactions.some(({ name, me }) => name === reaction.name && me)
  const address = `${path(id)}/reactions/${encodeURIComponent(reaction.name)}`
  return act({
    show: () => changeOne(id, (before) => ({ reactions: toggled(before.reactions, reaction) })),
    ask: () => (isOn ? del(address) : put(address)),
  })
}

/** Others' reactions, as they are told: the count is that of all. */
function receiveReaction({ announcement_id: id, ...told }: AnnouncementReaction): void {
  changeOne(id, ({ reactions }) => {
    const isKnown = reactions.some(({ name }) => name === told.name)
    const all = isKnown
      ? reactions.map((one) => (one.name === told.name ? { ...one, count: told.count } : one))
      : [...reactions, told]
    return { reactions: all.filter(({ count }) => count > 0) }
  })
}

/** Brings new ones and what is done with them. Returns how to stop. */
export const followAnnouncements = (): (() => void) =>
  listen(
    { stream: 'user' },
    {
      event(name, payload) {
        if (name === 'announcement') invalidate(announcementsPath)
        if (name === 'announcement.reaction') receiveReaction(payload as AnnouncementReaction)
        if (name === 'announcement.delete')
          change<Announcement[]>(announcementsPath, (all = []) =>
            all.filter(({ id }) => id !== String(payload)),
          )
      },
      // They are seldom new: what the document had is good enough.
      resync: (isFirst) => {
        if (!isFirst) invalidate(announcementsPath)
      },
    },
  )
