import type { Ctx } from '#ports/ctx.ts'
import type { Event, EventOf, EventType } from '#ports/events.ts'
import { acceptWaiting } from './social/accept-waiting.ts'
import { blockAddress, followWhoInvited } from './identity/sign-up-restrictions.ts'
import { askForCount } from './content/ask-for-count.ts'
import { applyHostBlock } from './federation/apply-host-block.ts'
import { fetchBlockList } from './trust/block-list.ts'
import { buildArchive, unpackArchive } from './transfer/archives.ts'
import { generateAnnualReport, notifyAnnualReport } from './reading/annual-report.ts'
import { fetchEarlier } from './federation/back-fill.ts'
import { carryBlocks, carryFollowers } from './federation/move-followers.ts'
import { completeRemoteAccount, fetchRemoteEmoji } from './federation/complete-actor.ts'
import {
  fetchMentions,
  fetchQuote,
  fetchThread,
  notifyQuoted,
  refreshEndedPoll,
} from './federation/complete-status.ts'
import { removeBlockedOfConversations, removeOfConversations } from './reading/conversations.ts'
import { deleteFiles } from './content/delete-files.ts'
import {
  deliverAccountMove,
  deliverFarewell,
  deliverProfileChange,
  forwardReport,
} from './federation/deliver-account.ts'
import {
  takeBackFavourite,
  takeBackReaction,
  tellFavourite,
  tellFeaturedTag,
  tellPinned,
  tellReaction,
  tellResults,
  tellUnfeaturedTag,
  tellUnpinned,
  tellVotes,
} from './federation/deliver-interaction.ts'
import {
  acceptFollower,
  askToFollow,
  rejectFollower,
  takeBackFollow,
  tellBlocked,
  tellUnblocked,
} from './federation/deliver-relationship.ts'
import { followRelay, leaveRelay } from './federation/deliver-relay.ts'
import {
  answerQuote,
  askForQuote,
  deliverDelete,
  deliverEdit,
  deliverQuoteRevoked,
  deliverStatus,
  deliverTerms,
} from './federation/deliver-status.ts'
import { fanOut, fanOutTags } from './reading/fan-out.ts'
import { loseQuoted } from './content/detach-quotes.ts'
import { answerConfirmationAsked, answerResetAsked, sendMail } from './identity/mail.ts'
import { mailTermsToAll } from './identity/mail-terms.ts'
import { mailNotification } from './reading/mail-notification.ts'
import { forgetEmojis } from './content/invalidate-emoji-cache.ts'
import { forgetRole } from './identity/invalidate-role-cache.ts'
import { indexStatus, openToSearch } from './reading/index-status.ts'
import { mergeFeed } from './reading/merge-feed.ts'
import {
  liftOnTime,
  refreshUnsuspended,
  rememberBanished,
  severSuspended,
} from './trust/moderated-account.ts'
import { notifyCollectionItem, notifyCollectionUpdate } from './reading/notify-collection.ts'
import { notifyEdit, notifyMention, removeOfPoll } from './reading/notify-edit.ts'
import { notifyFavourite } from './reading/notify-favourite.ts'
import { notifyFollow, notifyFollowRequest } from './reading/notify-follow.ts'
import {
  mailWarning,
  notifyReport,
  notifySeverance,
  notifySignUp,
  notifyWarning,
} from './trust/notify-of-moderation.ts'
import { notifyPoll } from './reading/notify-poll.ts'
import { notifyReaction } from './reading/notify-reaction.ts'
import { notifyStatus } from './reading/notify-status.ts'
import {
  outdateListsOfBoth,
  outdateListsOfFollower,
  outdateListsOfOwner,
} from './reading/mark-list-feeds-stale.ts'
import { partFromDomain } from './social/sever-domain.ts'
import { processUpload } from './content/process-media.ts'
import { purgeDeleted, purgeDisallowed } from './maintenance/purge.ts'
import { endPush, pushNotification } from './reading/push.ts'
import {
  removeOfBlock,
  removeOfCollectionItem,
  removeOfDomainBlock,
  removeOfFavourite,
  removeOfFollow,
  removeOfQuote,
  removeOfStatus,
} from './reading/remove-notifications.ts'
import { reexamine, reexamineBoosted, reexaminePast } from './maintenance/reexamine-status.ts'
import { removeStatus } from './reading/remove-status.ts'
import { deleteDismissedNotifications, mergeNotifications } from './reading/settle-requests.ts'
import { actOnHit, forgetRefused, storeReleased } from './content/spam.ts'
import { streamAnnouncement, streamAnnouncementGone, streamReaction } from './reading/stream-announcement.ts'
import {
  endStreamsOfAccount,
  endStreamsOfToken,
  streamConversation,
  streamFilters,
  streamMarker,
  streamMerged,
  streamNotification,
  streamRules,
  streamRulesOfBoth,
} from './reading/stream-person.ts'
import { streamDelete, streamEdit, streamQuote } from './reading/stream-status.ts'
import { mergeFollowedTag, unmergeFollowedTag } from './reading/tag-feed.ts'
import { carryOutImport } from './transfer/run-import.ts'
import { verifyProfileLinks } from './identity/verify-links.ts'
import { wantCard } from './content/request-link-card.ts'
import { unmergeBlocked, unmergeFeed, unmergeMuted } from './reading/unmerge-feed.ts'
import {
  tellAccountApproved,
  tellAccountCreated,
  tellAccountUpdated,
  tellReportCreated,
  tellReportUpdated,
  tellStatusCreated,
  tellStatusUpdated,
} from './maintenance/webhooks.ts'

/** One consequence of an event. It may run more than once, and late: it reads the state it finds. */
export interface Effect {
  readonly name: string
  /** Waits for the network or takes long: runs as a job of its own, never before other events. */
  readonly slow?: boolean
  /** Reaches people or servers elsewhere: a restore does not do it a second time. */
  readonly outward?: boolean
  /** Jobs of one queue run one after the other. For what takes so long that it must not take every worker. */
  readonly queue?: (event: never) => string
  run(ctx: Ctx, event: never): Promise<void>
}

type EffectFor<T extends EventType> = Omit<Effect, 'run' | 'queue'> & {
  readonly queue?: (event: EventOf<T>) => string
  run(ctx: Ctx, event: EventOf<T>): Promise<void>
}

/**
 * Event → what follows from it, in this order. Local and remote origin alike. Every event stands here: an empty list says
 * that nothing follows, and why.
 */
const effects: { readonly [T in EventType]: readonly EffectFor<T>[] } = {
  'account.deleted': [endStreamsOfAccount, deliverFarewell, purgeDeleted],
  'account.handle-passed': [carryBlocks],
  'account.moved': [endStreamsOfAccount, deliverAccountMove, carryFollowers],
  'account.limits-changed': [liftOnTime, endStreamsOfAccount, tellAccountUpdated],
  'account.suspended': [
    liftOnTime,
    blockAddress,
    endStreamsOfAccount,
    severSuspended,
    deliverProfileChange,
    tellAccountUpdated,
  ],
  'account.unsuspended': [blockAddress, refreshUnsuspended, deliverProfileChange, tellAccountUpdated],
  'account.updated': [
    acceptWaiting,
    openToSearch,
    verifyProfileLinks,
    deliverProfileChange,
    tellAccountUpdated,
  ],
  'announcement-reaction.created': [streamReaction],
  'announcement-reaction.deleted': [streamReaction],
  'announcement.deleted': [streamAnnouncementGone],
  'announcement.published': [streamAnnouncement],
  'announcement.unpublished': [streamAnnouncementGone],
  'announcement.updated': [streamAnnouncement],
  'annual-report.generated': [notifyAnnualReport],
  'annual-report.requested': [generateAnnualReport],
  // Staff, and later the appellant, are told by mails that are requested in the same transaction.
  'appeal.created': [],
  'appeal.decided': [],
  'backup.requested': [buildArchive],
  'block.created': [
    streamRulesOfBoth,
    unmergeBlocked,
    outdateListsOfBoth,
    removeOfBlock,
    removeBlockedOfConversations,
    tellBlocked,
  ],
  'block.deleted': [streamRulesOfBoth, tellUnblocked],
  'bookmark.deleted': [reexamine],
  'collection-item.added': [notifyCollectionItem],
  'collection-item.removed': [removeOfCollectionItem],
  // Who is put into it is told by `collection-item.added`.
  'collection.created': [],
  // What its members were told of it goes with its row.
  'collection.deleted': [],
  'collection.updated': [notifyCollectionUpdate],
  'confirmation.asked': [answerConfirmationAsked],
  'conversation.updated': [streamConversation],
  'domain-block.created': [streamRules, partFromDomain, outdateListsOfOwner, removeOfDomainBlock],
  'emojis.changed': [forgetEmojis],
  'favourite.created': [notifyFavourite, tellFavourite],
  'favourite.deleted': [removeOfFavourite, takeBackFavourite, reexamine],
  'featured-tag.created': [tellFeaturedTag],
  'featured-tag.deleted': [tellUnfeaturedTag],
  'files.abandoned': [deleteFiles],
  'filters.changed': [streamFilters],
  'follow-request.accepted': [removeOfFollow],
  'follow-request.created': [notifyFollowRequest, askToFollow],
  'follow-request.deleted': [removeOfFollow, takeBackFollow],
  'follow-request.rejected': [removeOfFollow, rejectFollower],
  'follow.created': [mergeFeed, outdateListsOfFollower, notifyFollow, acceptFollower, fetchEarlier],
  'follow.deleted': [unmergeFeed, removeOfFollow, takeBackFollow],
  'follow.rejected': [unmergeFeed, removeOfFollow, rejectFollower],
  'held-post.released': [storeReleased],
  'host-block.created': [applyHostBlock],
  'host-block.deleted': [applyHostBlock],
  'host-block.updated': [applyHostBlock],
  'host.disallowed': [purgeDisallowed],
  'import.confirmed': [carryOutImport, unpackArchive],
  'mail.wanted': [sendMail],
  'marker.updated': [streamMarker],
  'media.uploaded': [processUpload],
  'mention.created': [notifyMention],
  'mentions.wanted': [fetchMentions],
  'mute.created': [streamRules, unmergeMuted, outdateListsOfOwner],
  'mute.updated': [streamRules],
  'mute.deleted': [streamRules, mergeFeed, outdateListsOfOwner],
  'notification-request.accepted': [mergeNotifications],
  'notification-request.dismissed': [deleteDismissedNotifications],
  'notification.created': [streamNotification, pushNotification, mailNotification],
  'notifications.merged': [streamMerged],
  'password-reset.asked': [answerResetAsked],
  'poll.ended': [notifyPoll, refreshEndedPoll, tellResults],
  'poll.voted': [tellVotes, askForCount],
  'quote-policy.changed': [deliverTerms],
  'quote.accepted': [streamQuote, notifyQuoted, indexStatus, deliverTerms],
  'quote.answered': [answerQuote],
  'quote.requested': [askForQuote],
  'quote.revoked': [streamQuote, removeOfQuote, indexStatus, deliverQuoteRevoked],
  'quote.wanted': [fetchQuote],
  'reaction.created': [notifyReaction, tellReaction],
  'reaction.deleted': [takeBackReaction],
  'relationships.severed': [notifySeverance],
  'relay.dropped': [leaveRelay],
  'block-list.subscribed': [fetchBlockList],
  'relay.wanted': [followRelay],
  'remote-account.saved': [completeRemoteAccount],
  'remote-emoji.saved': [fetchRemoteEmoji],
  'role.updated': [forgetRole],
  'report.created': [notifyReport, forwardReport, tellReportCreated],
  'report.updated': [tellReportUpdated],
  'spam-hit.undone': [forgetRefused],
  'spam-rule.hit': [actOnHit],
  'status.banished': [rememberBanished],
  'status.created': [
    fanOut,
    notifyStatus,
    wantCard,
    indexStatus,
    deliverStatus,
    tellStatusCreated,
    reexaminePast,
  ],
  'status.deleted': [
    streamDelete,
    removeStatus,
    removeOfStatus,
    loseQuoted,
    removeOfConversations,
    indexStatus,
    deliverDelete,
    reexamineBoosted,
  ],
  'status.pinned': [tellPinned],
  'status.unpinned': [tellUnpinned, reexamine],
  'status.updated': [
    wantCard,
    fanOutTags,
    streamEdit,
    removeOfPoll,
    notifyEdit,
    indexStatus,
    deliverEdit,
    tellStatusUpdated,
    reexamine,
  ],
  'tag-follow.created': [mergeFollowedTag],
  'tag-follow.deleted': [unmergeFollowedTag],
  'terms.published': [mailTermsToAll],
  'thread.wanted': [fetchThread],
  'token.revoked': [endStreamsOfToken, endPush],
  'user.approved': [followWhoInvited, notifySignUp, tellAccountApproved],
  'user.confirmed': [followWhoInvited, notifySignUp, tellAccountApproved],
  'user.created': [tellAccountCreated],
  'warning.created': [notifyWarning, mailWarning],
}

/** All of them, once for each event. */
export const allEffects: readonly Pick<Effect, 'name' | 'outward'>[] = Object.values(effects).flat()

/** Returns none for an event that another version of the program wrote and this one does not know. */
export function effectsOf(event: Event): readonly Effect[] {
  return (effects[event.type] ?? []) as readonly Effect[]
}

export function findEffect(event: Event, name: string): Effect | undefined {
  return effectsOf(event).find((effect) => effect.name === name)
}

export async function runEffect(ctx: Ctx, event: Event, effect: Effect): Promise<void> {
  await ctx.trace.span({ name: `effect ${effect.name}` }, async () => effect.run(ctx, event as never))
}
