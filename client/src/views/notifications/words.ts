// Every kind of notification: a picture, and what happened, in words that stand behind who did it.
import type { NotificationGroup } from '#entities/notification.ts'
import { t } from '../../core/texts.ts'
import type { IconName } from '../../parts/controls/icon.tsx'

type Kind = NotificationGroup['type']

interface Look {
  icon: IconName
  tone?: 'boosted' | 'favourited' | 'alarm'
  say: (group: NotificationGroup) => string
  /** It is the server's word, and nobody's deed. */
  isNobodys?: boolean
  /** The post is shown whole, with what can be done with it. */
  isWhole?: boolean
}

const count = ({ notifications_count: number }: NotificationGroup) => ({ count: number })

export const looks: Readonly<Record<Kind, Look>> = {
  mention: { icon: 'at', say: () => t.notified.mention, isWhole: true },
  status: { icon: 'bell', say: () => t.notified.status, isWhole: true },
  reblog: { icon: 'boost', tone: 'boosted', say: (group) => t.notified.reblog(count(group)) },
  favourite: { icon: 'star', tone: 'favourited', say: (group) => t.notified.favourite(count(group)) },
  follow: { icon: 'person', say: (group) => t.notified.follow(count(group)) },
  follow_request: { icon: 'person', say: () => t.notified.followRequest },
  poll: { icon: 'poll', say: () => t.notified.poll, isNobodys: true },
  update: { icon: 'edit', say: () => t.notified.update },
  quote: { icon: 'quote', say: () => t.notified.quote, isWhole: true },
  quoted_update: { icon: 'edit', say: () => t.notified.quotedUpdate },
  'admin.sign_up': { icon: 'person', say: (group) => t.notified.signUp(count(group)) },
  'admin.report': {
    icon: 'flag',
    say: ({ report }) => t.notified.report({ name: `@${report?.target_account.acct ?? ''}` }),
  },
  severed_relationships: {
    icon: 'link',
    tone: 'alarm',
    say: ({ event }) =>
      t.notified.severed({
        name: event?.target_name ?? '',
        followers: event?.followers_count ?? 0,
        following: event?.following_count ?? 0,
      }),
    isNobodys: true,
  },
  moderation_warning: { icon: 'warning', tone: 'alarm', say: () => t.notified.warning, isNobodys: true },
  annual_report: {
    icon: 'calendar',
    say: (group) => t.notified.annualReport({ year: String(group.annual_report?.year ?? '') }),
    isNobodys: true,
  },
  added_to_collection: {
    icon: 'list',
    say: ({ collection }) => t.notified.addedToCollection({ name: collection?.name ?? '' }),
  },
  collection_update: {
    icon: 'list',
    say: ({ collection }) => t.notified.collectionUpdate({ name: collection?.name ?? '' }),
  },
  'pleroma:emoji_reaction': { icon: 'star', say: ({ emoji }) => t.notified.reaction({ emoji: emoji ?? '' }) },
}

/** The tabs: which kinds each shows. All are in the first one. */
export const kinds = {
  mentions: ['mention', 'quote'],
  posts: ['status', 'update', 'quoted_update', 'poll'],
  boosts: ['reblog'],
  favourites: ['favourite', 'pleroma:emoji_reaction'],
  follows: ['follow', 'follow_request'],
} as const satisfies Record<string, readonly Kind[]>
