// What events and effects were called before. Rows and jobs that an earlier version of the program wrote, and those in its
// backups, have these names.
import type { Event, EventType } from '#ports/events.ts'

const formerEvents: Readonly<Record<string, EventType>> = {
  'backup.requested': 'archive-export.requested',
  'mail.wanted': 'mail.requested',
  'mentions.wanted': 'mentions.requested',
  'quote.wanted': 'quoted-status.requested',
  'relay.wanted': 'relay.requested',
  'thread.wanted': 'thread.requested',
}

export const formerEffects: Readonly<Record<string, string>> = {
  'carry-blocks': 'move-blocks',
  'carry-followers': 'move-followers',
  'forget-emojis': 'invalidate-emoji-cache',
  'forget-refused': 'allow-rejected',
  'forget-role': 'invalidate-role-cache',
  'lose-quoted': 'detach-quotes',
  'outdate-lists-of-both': 'mark-list-feeds-stale-of-both',
  'outdate-lists-of-follower': 'mark-list-feeds-stale-of-follower',
  'outdate-lists-of-owner': 'mark-list-feeds-stale-of-owner',
  'part-from-domain': 'sever-domain',
  'tell-blocked': 'deliver-block',
  'tell-favourite': 'deliver-favourite',
  'tell-featured-tag': 'deliver-featured-tag',
  'tell-pinned': 'deliver-pin',
  'tell-reaction': 'deliver-reaction',
  'tell-results': 'deliver-results',
  'tell-unblocked': 'deliver-unblock',
  'tell-unfeatured-tag': 'deliver-unfeatured-tag',
  'tell-unpinned': 'deliver-unpin',
  'tell-votes': 'deliver-votes',
  'want-card': 'request-link-card',
}

/** Returns the event by the name that it has now. */
export function renameEvent(event: Event): Event {
  const type = formerEvents[event.type]
  return type === undefined ? event : ({ ...event, type } as Event)
}

/** Returns the name that the effect has now. */
export const renameEffect = (name: string): string => formerEffects[name] ?? name
