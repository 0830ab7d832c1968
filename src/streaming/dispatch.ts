// From the bus to the connections: each kind of message has its lane, in which it keeps its order.
import type { Ctx } from '#ports/ctx.ts'
import {
  accessChannel,
  announcementChannel,
  type AccessMessage,
  type AnnouncementMessage,
  type FeedMessage,
  type PersonMessage,
  type PublicMessage,
} from '#lib/stream-channels.ts'
import { deliverAnnouncements } from './deliver-announcements.ts'
import { deliverFeeds, type FeedItem } from './deliver-feeds.ts'
import { deliverPersonal, type PersonalItem } from './deliver-personal.ts'
import { deliverPublic, type PublicItem } from './deliver-public.ts'
import type { Hub } from './hub.ts'
import { createBatchQueue } from './batch-queue.ts'
import type { RulesCache } from './rules-cache.ts'
import { asId, type AccountId, type OauthTokenId } from '#lib/id.ts'

export interface DispatchParts {
  ctx: Ctx
  /** Asked for when a message comes, because the hub needs the dispatcher first. */
  hub: () => Hub
  rules: RulesCache
  /** A token opens nothing any more. */
  onTokenEnded(tokenId: OauthTokenId): void
  /** The access of an account has to be looked at. */
  onAccessInDoubt(accountId: AccountId): void
}

const capacity = 10_000
const accountPrefix = 'stream:account:'
const homePrefix = 'stream:home:'
const listPrefix = 'stream:list:'

/** What takes the messages of the bus. */
export function createDispatcher(parts: DispatchParts): (channel: string, text: string) => void {
  const { ctx, hub } = parts
  const { log } = ctx
  const statuses = createBatchQueue<PublicItem>({
    name: 'public',
    work: (items) => deliverPublic(ctx, hub(), parts.rules, items),
    log,
    capacity,
    max: 50,
  })
  const feeds = createBatchQueue<FeedItem>({
    name: 'feeds',
    work: (items) => deliverFeeds(ctx, hub(), items),
    log,
    capacity,
    max: 1_000,
  })
  const personal = createBatchQueue<PersonalItem>({
    name: 'personal',
    work: (items) => deliverPersonal(ctx, hub(), items),
    log,
    capacity,
    max: 16,
  })
  const announcements = createBatchQueue<AnnouncementMessage>({
    name: 'announcements',
    work: (items) => deliverAnnouncements(ctx, hub(), items),
    log,
    capacity,
    max: 10,
  })

  function takePersonal(accountId: AccountId, message: PersonMessage): void {
    if (message.event === 'rules' || message.event === 'filters_changed') parts.rules.markStale(accountId)
    if (message.event === 'access') parts.onAccessInDoubt(accountId)
    else if (message.event !== 'rules') personal.push({ accountId, message })
  }

  return (channel, text) => {
    const message: unknown = JSON.parse(text)
    hearOfEdit(ctx, message as PublicMessage | FeedMessage | PersonMessage)
    if (channel === accessChannel) parts.onTokenEnded((message as AccessMessage).token)
    else if (channel === announcementChannel) announcements.push(message as AnnouncementMessage)
    else if (channel.startsWith(accountPrefix)) {
      takePersonal(asId<AccountId>(channel.slice(accountPrefix.length)), message as PersonMessage)
    } else if (channel.startsWith(homePrefix)) feeds.push({ ...(message as FeedMessage), feed: 'user' })
    else if (channel.startsWith(listPrefix)) feeds.push({ ...(message as FeedMessage), feed: 'list' })
    else statuses.push({ ...(message as PublicMessage), topic: channel })
  }
}

/** Whoever edited it may not have told this process yet, and listeners keep what they are sent. */
function hearOfEdit({ changes }: Ctx, message: PublicMessage | FeedMessage | PersonMessage): void {
  if (message.event === 'status.update') changes.hear([`status ${message.id}`])
}
