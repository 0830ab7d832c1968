import type { Id } from '#db/schema/types.ts'

/**
 * What has happened, by ids only: effects read what they need, so that a late one sees the latest state.
 * A name is `entity.past-participle`.
 */
export type Event =
  /** `reblogOfId`: what it boosts. `past`: it is news to this server alone: no feed gets it and nobody is told. */
  | { type: 'status.created'; statusId: Id; reblogOfId?: Id; past?: boolean }
  /** `editId`: the version that came to be. Null when only something around the text changed, such as the card. */
  | { type: 'status.updated'; statusId: Id; editId: Id | null }
  /** An edit names somebody whom no earlier version named, or names them again. */
  | { type: 'mention.created'; statusId: Id; accountId: Id }
  | { type: 'status.deleted'; statusId: Id; accountId: Id; reblogOfId: Id | null }
  /** Staff deleted a status of another server: it is not to come back. */
  | { type: 'status.banished'; uri: string }
  | { type: 'media.uploaded'; mediaId: Id }
  | { type: 'draft.saved'; draftId: Id; accountId: Id }
  /** Thrown away, or published. */
  | { type: 'draft.deleted'; draftId: Id; accountId: Id }
  | { type: 'files.abandoned' }
  /** `choices`: the options that were chosen now; those of before may lack it. */
  | { type: 'poll.voted'; pollId: Id; accountId: Id; choices?: readonly number[] }
  | { type: 'poll.ended'; pollId: Id }
  | { type: 'quote.revoked'; statusId: Id; quotedStatusId: Id }
  | { type: 'quote-policy.changed'; statusId: Id }
  | { type: 'reaction.created'; reactionId: Id; accountId: Id; statusId: Id; name: string }
  | { type: 'reaction.deleted'; reactionId: Id; accountId: Id; statusId: Id; name: string }
  | { type: 'collection.created'; collectionId: Id }
  | { type: 'collection.updated'; collectionId: Id }
  | { type: 'collection.deleted'; collectionId: Id; accountId: Id }
  | { type: 'collection-item.added'; itemId: Id }
  | { type: 'collection-item.removed'; itemId: Id; collectionId: Id; accountId: Id }
  | { type: 'annual-report.requested'; reportId: Id }
  | { type: 'annual-report.generated'; reportId: Id }
  | { type: 'import.confirmed'; importId: Id }
  | { type: 'archive-export.requested'; backupId: Id }
  /** `favouriteId`, and `uri` of others: which one, of several after each other. */
  | { type: 'favourite.created'; accountId: Id; statusId: Id; favouriteId: Id }
  | { type: 'favourite.deleted'; accountId: Id; statusId: Id; favouriteId: Id }
  | { type: 'bookmark.deleted'; accountId: Id; statusId: Id }
  | { type: 'status.pinned'; accountId: Id; statusId: Id }
  | { type: 'status.unpinned'; accountId: Id; statusId: Id }
  /** `uri` of these: the id of the activity that began it, where another server knows of it. */
  | { type: 'follow.created'; accountId: Id; targetAccountId: Id }
  | { type: 'follow.deleted'; accountId: Id; targetAccountId: Id; uri?: string | null }
  | { type: 'follow-request.created'; accountId: Id; targetAccountId: Id; uri?: string | null }
  | { type: 'follow-request.deleted'; accountId: Id; targetAccountId: Id; uri?: string | null }
  | { type: 'follow-request.accepted'; accountId: Id; targetAccountId: Id; uri?: string | null }
  | { type: 'follow-request.rejected'; accountId: Id; targetAccountId: Id; uri?: string | null }
  | { type: 'follow.rejected'; accountId: Id; targetAccountId: Id; uri?: string | null }
  | { type: 'block.created'; accountId: Id; targetAccountId: Id; uri?: string | null }
  | { type: 'block.deleted'; accountId: Id; targetAccountId: Id; uri?: string | null }
  | { type: 'mute.created'; accountId: Id; targetAccountId: Id }
  | { type: 'mute.updated'; accountId: Id; targetAccountId: Id }
  | { type: 'mute.deleted'; accountId: Id; targetAccountId: Id }
  | { type: 'domain-block.created'; accountId: Id; domain: string }
  /** `conversationId`: of the account's own view of it. */
  | { type: 'conversation.updated'; accountId: Id; conversationId: Id }
  | { type: 'marker.updated'; accountId: Id; timeline: string }
  | { type: 'announcement.published'; announcementId: Id }
  /** Something about a published one changed. */
  | { type: 'announcement.updated'; announcementId: Id }
  | { type: 'announcement.unpublished'; announcementId: Id }
  | { type: 'announcement.deleted'; announcementId: Id }
  | { type: 'announcement-reaction.created'; announcementId: Id; accountId: Id; name: string }
  | { type: 'announcement-reaction.deleted'; announcementId: Id; accountId: Id; name: string }
  /** Accounts of this server lost follows at once by a severance event. */
  | { type: 'relationships.severed'; eventId: Id }
  /** Shown, not set aside. */
  | { type: 'notification.created'; notificationId: Id; accountId: Id; kind: string }
  | { type: 'notification-request.accepted'; accountId: Id; fromAccountId: Id }
  /** `upTo`: the newest notification that was dismissed with it. */
  | { type: 'notification-request.dismissed'; accountId: Id; fromAccountId: Id; upTo: Id }
  /** What was set aside of accepted senders is in the account's list now. */
  | { type: 'notifications.merged'; accountId: Id }
  | { type: 'tag-follow.created'; accountId: Id; tagId: Id }
  | { type: 'tag-follow.deleted'; accountId: Id; tagId: Id }
  /** An account shows the tag on its profile, or no longer does. */
  | { type: 'featured-tag.created'; accountId: Id; tagId: Id }
  | { type: 'featured-tag.deleted'; accountId: Id; tagId: Id }
  | { type: 'account.updated'; accountId: Id }
  /** An account of another server was stored or read again. `first`: it had not been known. */
  | { type: 'remote-account.saved'; accountId: Id; first: boolean; picturesChanged: boolean }
  /** Its server has to be asked for the picture of a custom emoji. */
  | { type: 'remote-emoji.saved'; emojiId: Id }
  /**
   * A status of another server answers one that is not here, or brought the addresses of replies along. `depth` of these:
   * how many fetches led to it.
   */
  | {
      type: 'thread.requested'
      statusId: Id
      parentUri: string | null
      replyUris: readonly string[]
      depth: number
    }
  /** A status of another server names actors who are not known here. */
  | { type: 'mentions.requested'; statusId: Id; uris: readonly string[]; depth: number }
  /** A status of another server quotes what is not here, or something whose author's consent (the stamp) is to be read. */
  | { type: 'quoted-status.requested'; statusId: Id; uri: string; approvalUri: string | null; depth: number }
  /** The consent to a quote that waited for it has come. */
  | { type: 'quote.accepted'; statusId: Id }
  /** The author of the quoted status has to be asked. */
  | { type: 'quote.requested'; statusId: Id }
  /** A local author's answer to the server that asked. `requestUri`: what it asked with. */
  | { type: 'quote.answered'; statusId: Id; requestUri: string }
  /** Its row is kept, emptied, so that it never comes back; all that was theirs goes. */
  /** A handle of another server is `targetAccountId`'s now, and no longer `accountId`'s. */
  | { type: 'account.handle-passed'; accountId: Id; targetAccountId: Id }
  /** `byStaff`: of an account of another server, which does not know. */
  | { type: 'account.deleted'; accountId: Id; byStaff?: boolean }
  | { type: 'account.moved'; accountId: Id; targetAccountId: Id }
  /** Staff shut an account out, with all it wrote, or let it in again. */
  | { type: 'account.suspended'; accountId: Id }
  | { type: 'account.unsuspended'; accountId: Id }
  /** Staff limited an account, marked its media, shut its login out, or gave it a role; or no longer. */
  | { type: 'account.limits-changed'; accountId: Id }
  /** Staff decided about an account of this server. `mail`: it is told by mail, too. */
  | { type: 'warning.created'; warningId: Id; mail: boolean }
  | { type: 'appeal.created'; appealId: Id }
  | { type: 'appeal.decided'; appealId: Id }
  | { type: 'report.created'; reportId: Id }
  | { type: 'report.updated'; reportId: Id }
  /** What is shown of a role with its accounts changed. */
  | { type: 'role.updated'; roleId: Id }
  | { type: 'terms.published'; termsId: Id }
  | { type: 'block-list.subscribed'; subscriptionId: Id }
  /** Staff let a post of another server through that had waited for them. */
  | { type: 'held-post.released'; heldPostId: Id }
  /** A rule against spam matched a post. */
  | { type: 'spam-rule.hit'; hitId: Id }
  /** Staff took back that a rule refused a post of another server. */
  | { type: 'spam-hit.undone'; hitId: Id }
  /** This server's terms with another one changed. */
  | { type: 'host-block.created'; domain: string }
  | { type: 'host-block.updated'; domain: string }
  /** `since`: when it had been made, in milliseconds since the epoch. Accounts that it limited are known by that. */
  | { type: 'host-block.deleted'; domain: string; since: number }
  | { type: 'host.disallowed'; domain: string }
  | { type: 'relay.requested'; relayId: Id }
  | {
      type: 'relay.dropped'
      relayId: Id
      inboxUrl: string
      actorUri: string | null
      followUri: string | null
    }
  | { type: 'filters.changed'; accountId: Id }
  /** Made, changed or deleted. `domain` is null for this server's own. `fresh`: its picture has just come. */
  | { type: 'emojis.changed'; shortcodes: readonly string[]; domain: string | null; fresh?: boolean }
  | { type: 'user.created'; userId: Id }
  | { type: 'user.confirmed'; userId: Id }
  | { type: 'user.approved'; userId: Id }
  | { type: 'password-reset.asked'; email: string }
  | { type: 'confirmation.asked'; email: string }
  | { type: 'mail.requested'; mail: MailRequest }
  | { type: 'token.revoked'; tokenId: Id }

export type EventType = Event['type']
export type EventOf<T extends EventType> = Extract<Event, { type: T }>

/**
 * A mail to be written and sent by the worker. A link's token is derived from `tokenId` and the server's
 * secret when the mail is written, so that it is stored nowhere.
 */
export type MailRequest =
  | { kind: 'confirmation'; userId: Id; to: string; tokenId: Id }
  | { kind: 'reset'; userId: Id; to: string; tokenId: Id }
  /** `done`: it has happened; before that it has only been asked for. */
  | { kind: 'email-changed'; userId: Id; to: string; newEmail: string; done: boolean }
  | { kind: 'password-changed'; userId: Id; to: string }
  | { kind: 'sign-up-waiting'; userId: Id; to: string; waitingUserId: Id }
  | { kind: 'approved'; userId: Id; to: string }
  /** To staff: registrations were open and nobody looked after them. */
  | { kind: 'approval-required'; userId: Id; to: string }
  /** Confirmed, where nobody has to approve. */
  | { kind: 'welcome'; userId: Id; to: string }
  /** From a network that they had not signed in from before. */
  | { kind: 'new-sign-in'; userId: Id; to: string; signInId: Id }
  /** `name`: of the passkey. */
  | { kind: 'second-factor'; userId: Id; to: string; change: FactorChange; name: string | null }
  /** What staff decided about their account. */
  | { kind: 'warning'; userId: Id; to: string; warningId: Id }
  /** To staff: somebody objects to such a decision. */
  | { kind: 'appeal'; userId: Id; to: string; warningId: Id }
  | { kind: 'appeal-answered'; userId: Id; to: string; warningId: Id; approved: boolean }
  /** `since`: an id; what was missed is newer. */
  | { kind: 'digest'; userId: Id; to: string; since: Id }
  | { kind: 'report'; userId: Id; to: string; reportId: Id }
  /** It could not be published when its time had come. */
  | { kind: 'scheduled-status-refused'; userId: Id; to: string; scheduledStatusId: Id }
  | { kind: 'archive-ready'; userId: Id; to: string; backupId: Id }
  /** A version of the terms of service is published. */
  | { kind: 'terms'; userId: Id; to: string; termsId: Id }

/** What happened to the second factors of a user. `codes-guessed`: somebody knows their password · `all-removed`: by staff. */
export type FactorChange =
  | 'otp-added'
  | 'otp-removed'
  | 'passkey-added'
  | 'passkey-removed'
  | 'recovery-codes-renewed'
  | 'recovery-code-used'
  | 'codes-guessed'
  | 'all-removed'
