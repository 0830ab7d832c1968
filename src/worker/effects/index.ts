import type { Ctx } from '#ports/ctx.ts'
import { timed } from '#ports/meter.ts'
import type { Event, EventOf, EventType } from '#ports/events.ts'
import { removeApplication, renameApplication } from './content/application.ts'
import { acceptWaiting } from './social/accept-waiting.ts'
import { blockAddress, followWhoInvited } from './identity/sign-up-restrictions.ts'
import { askForCount } from './content/ask-for-count.ts'
import { applyHostBlock } from './federation/apply-host-block.ts'
import { fetchBlockList } from './trust/block-list.ts'
import { buildArchive, unpackArchive } from './transfer/archives.ts'
import { generateAnnualReport, notifyAnnualReport } from './reading/annual-report.ts'
import { fetchEarlier } from './federation/back-fill.ts'
import { moveBlocks, moveLocalFollowers } from './federation/move-followers.ts'
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
  deliverFavourite,
  deliverTagFeatured,
  deliverPinned,
  deliverEmojiReaction,
  deliverPollResults,
  deliverTagUnfeatured,
  deliverUnpinned,
  deliverPollVotes,
} from './federation/deliver-interaction.ts'
import {
  acceptFollower,
  askToFollow,
  rejectFollower,
  takeBackFollow,
  deliverBlocked,
  deliverUnblocked,
} from './federation/deliver-relationship.ts'
import { followRelay, leaveRelay } from './federation/deliver-relay.ts'
import {
  answerQuote,
  askForQuote,
  rejectReply,
  deliverDelete,
  deliverEdit,
  deliverQuoteRevoked,
  deliverStatus,
  deliverTerms,
} from './federation/deliver-status.ts'
import { fanOut, fanOutTags } from './reading/fan-out.ts'
import { detachQuotes } from './content/detach-quotes.ts'
import { answerConfirmationAsked, answerResetAsked, sendMail } from './identity/mail.ts'
import { mailTermsToAll } from './identity/mail-terms.ts'
import { mailNotification } from './reading/mail-notification.ts'
import { invalidateEmojiCache } from './content/invalidate-emoji-cache.ts'
import { invalidateRoleCache } from './identity/invalidate-role-cache.ts'
import { indexStatus, openToSearch } from './reading/index-status.ts'
import { mergeFeed } from './reading/merge-feed.ts'
import {
  hideFiles,
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
  markListFeedsStaleOfBoth,
  markListFeedsStaleOfFollower,
  markListFeedsStaleOfOwner,
} from './reading/mark-list-feeds-stale.ts'
import { severBlockedDomain, unmergeBlockedDomain } from './social/sever-domain.ts'
import { processUpload } from './content/process-media.ts'
import { purgeDeleted, purgeDisallowed, purgeRequested } from './maintenance/purge.ts'
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
import { actOnHit, allowRejected, storeReleased } from './content/spam.ts'
import { streamAnnouncement, streamAnnouncementGone, streamReaction } from './reading/stream-announcement.ts'
import {
  endStreamsOfAccount,
  endStreamsOfToken,
  streamColumns,
  streamConversation,
  streamDraft,
  streamDraftDeleted,
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
import { renameMentioned } from './content/rename-mentioned.ts'
import { requestLinkCard } from './content/request-link-card.ts'
import { unmergeBlocked, unmergeFeed, unmergeMuted } from './reading/unmerge-feed.ts'
import {
  notifyAccountApproved,
  notifyAccountCreated,
  notifyAccountUpdated,
  notifyReportCreated,
  notifyReportUpdated,
  notifyStatusCreated,
  notifyStatusUpdated,
} from './maintenance/webhooks.ts'

/** One consequence of an event. It may run more than once, and late: it reads the state it finds. */
export interface Effect {
  readonly name: string
  /** Waits for the network or takes long: runs as a job of its own, never before other events. */
  readonly slow?: boolean
  /** As `slow`, and nobody waits for it. */
  readonly background?: boolean
  /** Reaches people or servers elsewhere: a restore does not do it a second time. */
  readonly hasExternalEffects?: boolean
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
  'account.handle-passed': [moveBlocks],
  'account.moved': [endStreamsOfAccount, deliverAccountMove, moveLocalFollowers],
  'account.renamed': [renameMentioned],
  'account.limits-changed': [liftOnTime, endStreamsOfAccount, notifyAccountUpdated],
  'account.suspended': [
    liftOnTime,
    blockAddress,
    endStreamsOfAccount,
    severSuspended,
    hideFiles,
    deliverProfileChange,
    notifyAccountUpdated,
  ],
  'account.unsuspended': [
    blockAddress,
    hideFiles,
    refreshUnsuspended,
    deliverProfileChange,
    notifyAccountUpdated,
  ],
  'account.updated': [
    acceptWaiting,
    openToSearch,
    verifyProfileLinks,
    deliverProfileChange,
    notifyAccountUpdated,
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
  'application.deleted': [removeApplication],
  'application.updated': [renameApplication],
  'archive-export.requested': [buildArchive],
  'block.created': [
    streamRulesOfBoth,
    unmergeBlocked,
    markListFeedsStaleOfBoth,
    removeOfBlock,
    removeBlockedOfConversations,
    deliverBlocked,
  ],
  'block.deleted': [streamRulesOfBoth, deliverUnblocked],
  'bookmark.deleted': [reexamine],
  'collection-item.added': [notifyCollectionItem],
  'collection-item.removed': [removeOfCollectionItem],
  // Who is put into it is told by `collection-item.added`.
  'collection.created': [],
  // What its members were told of it goes with its row.
  'collection.deleted': [],
  'collection.updated': [notifyCollectionUpdate],
  'columns.changed': [streamColumns],
  'confirmation.asked': [answerConfirmationAsked],
  'conversation.updated': [streamConversation],
  'domain-block.created': [
    streamRules,
    unmergeBlockedDomain,
    severBlockedDomain,
    markListFeedsStaleOfOwner,
    removeOfDomainBlock,
  ],
  'domain-block.deleted': [streamRules],
  'draft.deleted': [streamDraftDeleted],
  'draft.saved': [streamDraft],
  'emojis.changed': [invalidateEmojiCache],
  'favourite.created': [notifyFavourite, deliverFavourite],
  'favourite.deleted': [removeOfFavourite, takeBackFavourite, reexamine],
  'featured-tag.created': [deliverTagFeatured],
  'featured-tag.deleted': [deliverTagUnfeatured],
  'files.abandoned': [deleteFiles],
  'filters.changed': [streamFilters],
  'follow-request.accepted': [removeOfFollow],
  'follow-request.created': [notifyFollowRequest, askToFollow],
  'follow-request.deleted': [removeOfFollow, takeBackFollow],
  'follow-request.rejected': [removeOfFollow, rejectFollower],
  'follow.created': [mergeFeed, markListFeedsStaleOfFollower, notifyFollow, acceptFollower, fetchEarlier],
  'follow.deleted': [unmergeFeed, removeOfFollow, takeBackFollow],
  'follow.rejected': [unmergeFeed, removeOfFollow, rejectFollower],
  'held-post.released': [storeReleased],
  'host-block.created': [applyHostBlock],
  'host-block.deleted': [applyHostBlock],
  'host-block.updated': [applyHostBlock],
  'host.disallowed': [purgeDisallowed],
  'host-purge.requested': [purgeRequested],
  'import.confirmed': [carryOutImport, unpackArchive],
  'link-check.requested': [verifyProfileLinks],
  'mail.requested': [sendMail],
  'marker.updated': [streamMarker],
  'media.uploaded': [processUpload],
  'mention.created': [notifyMention],
  'mentions.requested': [fetchMentions],
  'mute.created': [streamRules, unmergeMuted, markListFeedsStaleOfOwner],
  'mute.updated': [streamRules],
  'mute.deleted': [streamRules, mergeFeed, markListFeedsStaleOfOwner],
  'notification-request.accepted': [mergeNotifications],
  'notification-request.dismissed': [deleteDismissedNotifications],
  'notification.created': [streamNotification, pushNotification, mailNotification],
  'notifications.merged': [streamMerged],
  'password-reset.asked': [answerResetAsked],
  'poll.ended': [notifyPoll, refreshEndedPoll, deliverPollResults],
  'poll.voted': [deliverPollVotes, askForCount],
  'quote-policy.changed': [deliverTerms],
  'quote.accepted': [streamQuote, notifyQuoted, indexStatus, deliverTerms],
  'quote.answered': [answerQuote],
  'quote.requested': [askForQuote],
  'quote.revoked': [streamQuote, removeOfQuote, indexStatus, deliverQuoteRevoked],
  'quoted-status.requested': [fetchQuote],
  'reaction.created': [notifyReaction, deliverEmojiReaction],
  'reaction.deleted': [takeBackReaction],
  'relationships.severed': [notifySeverance],
  'relay.dropped': [leaveRelay],
  'block-list.subscribed': [fetchBlockList],
  'relay.requested': [followRelay],
  'reply.refused': [rejectReply],
  'remote-account.saved': [completeRemoteAccount],
  'remote-emoji.saved': [fetchRemoteEmoji],
  'role.updated': [invalidateRoleCache],
  'report.created': [notifyReport, forwardReport, notifyReportCreated],
  'report.updated': [notifyReportUpdated],
  'spam-hit.undone': [allowRejected],
  'spam-rule.hit': [actOnHit],
  'status.banished': [rememberBanished],
  'status.created': [
    fanOut,
    notifyStatus,
    requestLinkCard,
    indexStatus,
    deliverStatus,
    notifyStatusCreated,
    reexaminePast,
  ],
  'status.deleted': [
    streamDelete,
    removeStatus,
    removeOfStatus,
    detachQuotes,
    removeOfConversations,
    indexStatus,
    deliverDelete,
    reexamineBoosted,
  ],
  'status.pinned': [deliverPinned],
  'status.unpinned': [deliverUnpinned, reexamine],
  'status.updated': [
    requestLinkCard,
    fanOutTags,
    streamEdit,
    removeOfPoll,
    notifyEdit,
    indexStatus,
    deliverEdit,
    notifyStatusUpdated,
    reexamine,
  ],
  'tag-follow.created': [mergeFollowedTag],
  'tag-follow.deleted': [unmergeFollowedTag],
  'terms.published': [mailTermsToAll],
  'thread.requested': [fetchThread],
  'token.revoked': [endStreamsOfToken, endPush],
  'user.approved': [followWhoInvited, notifySignUp, notifyAccountApproved],
  'user.confirmed': [followWhoInvited, notifySignUp, notifyAccountApproved],
  'user.created': [notifyAccountCreated],
  'warning.created': [notifyWarning, mailWarning],
}

/** All of them, once for each event. */
export const allEffects: readonly Pick<Effect, 'name' | 'hasExternalEffects'>[] =
  Object.values(effects).flat()

/** Whether this version of the program knows what follows from the event: another one may have written it. */
export const isKnown = (event: Event): boolean => Object.hasOwn(effects, event.type)

export function effectsOf(event: Event): readonly Effect[] {
  return effects[event.type] as readonly Effect[]
}

export function findEffect(event: Event, name: string): Effect | undefined {
  return effectsOf(event).find((effect) => effect.name === name)
}

export async function runEffect(ctx: Ctx, event: Event, effect: Effect): Promise<void> {
  await timed(ctx.meter, 'stonechat_effect_duration_seconds', { effect: effect.name }, () =>
    ctx.trace.span({ name: `effect ${effect.name}` }, async () => effect.run(ctx, event as never)),
  )
}
