import type {
  ApplicationId,
  AccountConversationId,
  AccountId,
  AccountWarningId,
  AnnouncementId,
  AnnualReportId,
  AppealId,
  BackupId,
  BlockListSubscriptionId,
  BulkImportId,
  CollectionId,
  CollectionItemId,
  CustomEmojiId,
  DraftId,
  FavouriteId,
  HeldPostId,
  IdCursor,
  MediaId,
  NotificationId,
  OauthTokenId,
  PollId,
  RelayId,
  ReportId,
  RoleId,
  ScheduledStatusId,
  SeveranceEventId,
  SignInId,
  SpamHitId,
  StatusEditId,
  StatusId,
  StatusReactionId,
  TagId,
  TermsOfServiceId,
  UserId,
  UserTokenId,
} from '#lib/id.ts'

/**
 * What has happened, by ids only: effects read what they need, so that a late one sees the latest state.
 * A name is `entity.past-participle`.
 */
export type Event =
  /** `reblogOfId`: what it boosts. `past`: it is news to this server alone: no feed gets it and nobody is told. */
  | { type: 'status.created'; statusId: StatusId; reblogOfId?: StatusId; past?: boolean }
  /** `editId`: the version that came to be. Null when only something around the text changed, such as the card. */
  | { type: 'status.updated'; statusId: StatusId; editId: StatusEditId | null }
  /** An edit names somebody whom no earlier version named, or names them again. */
  | { type: 'mention.created'; statusId: StatusId; accountId: AccountId }
  | { type: 'status.deleted'; statusId: StatusId; accountId: AccountId; reblogOfId: StatusId | null }
  /** Staff deleted a status of another server: it is not to come back. */
  | { type: 'status.banished'; uri: string }
  | { type: 'media.uploaded'; mediaId: MediaId }
  | { type: 'draft.saved'; draftId: DraftId; accountId: AccountId }
  /** Thrown away, or published. */
  | { type: 'draft.deleted'; draftId: DraftId; accountId: AccountId }
  | { type: 'columns.changed'; accountId: AccountId }
  | { type: 'files.abandoned' }
  /** `choices`: the options that were chosen now; those of before may lack it. */
  | { type: 'poll.voted'; pollId: PollId; accountId: AccountId; choices?: readonly number[] }
  | { type: 'poll.ended'; pollId: PollId }
  | { type: 'quote.revoked'; statusId: StatusId; quotedStatusId: StatusId }
  /** Who may quote or answer it. */
  | { type: 'quote-policy.changed'; statusId: StatusId }
  /** Somebody of another server answered a local status (`statusId`) whose author does not take it. */
  | { type: 'reply.refused'; statusId: StatusId; accountId: AccountId; replyUri: string }
  | {
      type: 'reaction.created'
      reactionId: StatusReactionId
      accountId: AccountId
      statusId: StatusId
      name: string
    }
  | {
      type: 'reaction.deleted'
      reactionId: StatusReactionId
      accountId: AccountId
      statusId: StatusId
      name: string
    }
  | { type: 'collection.created'; collectionId: CollectionId }
  | { type: 'collection.updated'; collectionId: CollectionId }
  | { type: 'collection.deleted'; collectionId: CollectionId; accountId: AccountId }
  | { type: 'collection-item.added'; itemId: CollectionItemId }
  | {
      type: 'collection-item.removed'
      itemId: CollectionItemId
      collectionId: CollectionId
      accountId: AccountId
    }
  | { type: 'annual-report.requested'; reportId: AnnualReportId }
  | { type: 'annual-report.generated'; reportId: AnnualReportId }
  | { type: 'import.confirmed'; importId: BulkImportId }
  | { type: 'archive-export.requested'; backupId: BackupId }
  /** `favouriteId`, and `uri` of others: which one, of several after each other. */
  | { type: 'favourite.created'; accountId: AccountId; statusId: StatusId; favouriteId: FavouriteId }
  | { type: 'favourite.deleted'; accountId: AccountId; statusId: StatusId; favouriteId: FavouriteId }
  | { type: 'bookmark.deleted'; accountId: AccountId; statusId: StatusId }
  | { type: 'status.pinned'; accountId: AccountId; statusId: StatusId }
  | { type: 'status.unpinned'; accountId: AccountId; statusId: StatusId }
  /** `uri` of these: the id of the activity that began it, where another server knows of it. */
  | { type: 'follow.created'; accountId: AccountId; targetAccountId: AccountId }
  | { type: 'follow.deleted'; accountId: AccountId; targetAccountId: AccountId; uri?: string | null }
  | { type: 'follow-request.created'; accountId: AccountId; targetAccountId: AccountId; uri?: string | null }
  | { type: 'follow-request.deleted'; accountId: AccountId; targetAccountId: AccountId; uri?: string | null }
  | { type: 'follow-request.accepted'; accountId: AccountId; targetAccountId: AccountId; uri?: string | null }
  | { type: 'follow-request.rejected'; accountId: AccountId; targetAccountId: AccountId; uri?: string | null }
  | { type: 'follow.rejected'; accountId: AccountId; targetAccountId: AccountId; uri?: string | null }
  | { type: 'block.created'; accountId: AccountId; targetAccountId: AccountId; uri?: string | null }
  | { type: 'block.deleted'; accountId: AccountId; targetAccountId: AccountId; uri?: string | null }
  | { type: 'mute.created'; accountId: AccountId; targetAccountId: AccountId }
  | { type: 'mute.updated'; accountId: AccountId; targetAccountId: AccountId }
  | { type: 'mute.deleted'; accountId: AccountId; targetAccountId: AccountId }
  | { type: 'domain-block.created'; accountId: AccountId; domain: string }
  | { type: 'domain-block.deleted'; accountId: AccountId; domain: string }
  /** `conversationId`: of the account's own view of it. */
  | { type: 'conversation.updated'; accountId: AccountId; conversationId: AccountConversationId }
  | { type: 'marker.updated'; accountId: AccountId; timeline: string }
  | { type: 'announcement.published'; announcementId: AnnouncementId }
  /** Something about a published one changed. */
  | { type: 'announcement.updated'; announcementId: AnnouncementId }
  | { type: 'announcement.unpublished'; announcementId: AnnouncementId }
  | { type: 'announcement.deleted'; announcementId: AnnouncementId }
  | {
      type: 'announcement-reaction.created'
      announcementId: AnnouncementId
      accountId: AccountId
      name: string
    }
  | {
      type: 'announcement-reaction.deleted'
      announcementId: AnnouncementId
      accountId: AccountId
      name: string
    }
  /** Accounts of this server lost follows at once by a severance event. */
  | { type: 'relationships.severed'; eventId: SeveranceEventId }
  /** Shown, not set aside. */
  | { type: 'notification.created'; notificationId: NotificationId; accountId: AccountId; kind: string }
  | { type: 'notification-request.accepted'; accountId: AccountId; fromAccountId: AccountId }
  /** `upTo`: the newest notification that was dismissed with it. */
  | { type: 'notification-request.dismissed'; accountId: AccountId; fromAccountId: AccountId; upTo: IdCursor }
  /** What was set aside of accepted senders is in the account's list now. */
  | { type: 'notifications.merged'; accountId: AccountId }
  | { type: 'tag-follow.created'; accountId: AccountId; tagId: TagId }
  | { type: 'tag-follow.deleted'; accountId: AccountId; tagId: TagId }
  /** An account shows the tag on its profile, or no longer does. */
  | { type: 'featured-tag.created'; accountId: AccountId; tagId: TagId }
  | { type: 'featured-tag.deleted'; accountId: AccountId; tagId: TagId }
  | { type: 'account.updated'; accountId: AccountId }
  /** Somebody wants the pages that their profile links to looked at again. */
  | { type: 'link-check.requested'; accountId: AccountId }
  /** An account of another server was stored or read again. `first`: it had not been known. */
  | { type: 'remote-account.saved'; accountId: AccountId; first: boolean; picturesChanged: boolean }
  /** Its server has to be asked for the picture of a custom emoji. */
  | { type: 'remote-emoji.saved'; emojiId: CustomEmojiId }
  /**
   * A status of another server answers one that is not here, or brought the addresses of replies along. `depth` of these:
   * how many fetches led to it.
   */
  | {
      type: 'thread.requested'
      statusId: StatusId
      parentUri: string | null
      replyUris: readonly string[]
      depth: number
    }
  /** A status of another server names actors who are not known here. */
  | { type: 'mentions.requested'; statusId: StatusId; uris: readonly string[]; depth: number }
  /** A status of another server quotes what is not here, or something whose author's consent (the stamp) is to be read. */
  | {
      type: 'quoted-status.requested'
      statusId: StatusId
      uri: string
      approvalUri: string | null
      depth: number
    }
  /** The consent to a quote that waited for it has come. */
  | { type: 'quote.accepted'; statusId: StatusId }
  /** The author of the quoted status has to be asked. */
  | { type: 'quote.requested'; statusId: StatusId }
  /** A local author's answer to the server that asked. `requestUri`: what it asked with. */
  | { type: 'quote.answered'; statusId: StatusId; requestUri: string }
  /** Of another server: it has another handle or another page. */
  | { type: 'account.renamed'; accountId: AccountId }
  /** A handle of another server is `targetAccountId`'s now, and no longer `accountId`'s. */
  | { type: 'account.handle-passed'; accountId: AccountId; targetAccountId: AccountId }
  /**
   * Its row is kept, emptied, so that it never comes back; all that was theirs goes. `byStaff`: of an account of another
   * server, which does not know.
   */
  | { type: 'account.deleted'; accountId: AccountId; byStaff?: boolean }
  | { type: 'account.moved'; accountId: AccountId; targetAccountId: AccountId }
  /** Staff shut an account out, with all it wrote, or let it in again. */
  | { type: 'account.suspended'; accountId: AccountId }
  | { type: 'account.unsuspended'; accountId: AccountId }
  /** Staff limited an account, marked its media, shut its login out, or gave it a role; or no longer. */
  | { type: 'account.limits-changed'; accountId: AccountId }
  /** Staff decided about an account of this server. `mail`: it is told by mail, too. */
  | { type: 'warning.created'; warningId: AccountWarningId; mail: boolean }
  | { type: 'appeal.created'; appealId: AppealId }
  | { type: 'appeal.decided'; appealId: AppealId }
  | { type: 'report.created'; reportId: ReportId }
  | { type: 'report.updated'; reportId: ReportId }
  /** What is shown of a role with its accounts changed. */
  | { type: 'role.updated'; roleId: RoleId }
  | { type: 'terms.published'; termsId: TermsOfServiceId }
  | { type: 'block-list.subscribed'; subscriptionId: BlockListSubscriptionId }
  /** Staff let a post of another server through that had waited for them. */
  | { type: 'held-post.released'; heldPostId: HeldPostId }
  /** A rule against spam matched a post. */
  | { type: 'spam-rule.hit'; hitId: SpamHitId }
  /** Staff took back that a rule refused a post of another server. */
  | { type: 'spam-hit.undone'; hitId: SpamHitId }
  /** This server's terms with another one changed. */
  | { type: 'host-block.created'; domain: string }
  | { type: 'host-block.updated'; domain: string }
  /** `since`: when it had been made, in milliseconds since the epoch. Accounts that it limited are known by that. */
  | { type: 'host-block.deleted'; domain: string; since: number }
  | { type: 'host.disallowed'; domain: string }
  | { type: 'host-purge.requested'; domain: string }
  | { type: 'relay.requested'; relayId: RelayId }
  | {
      type: 'relay.dropped'
      relayId: RelayId
      inboxUrl: string
      actorUri: string | null
      followUri: string | null
    }
  | { type: 'filters.changed'; accountId: AccountId }
  /** Made, changed or deleted. `domain` is null for this server's own. `fresh`: its first picture has just come. */
  | { type: 'emojis.changed'; shortcodes: readonly string[]; domain: string | null; fresh?: boolean }
  /** What posts show of it has changed. */
  | { type: 'application.updated'; applicationId: ApplicationId }
  /** Nobody has access to it any more. */
  | { type: 'application.deleted'; applicationId: ApplicationId }
  | { type: 'user.created'; userId: UserId }
  | { type: 'user.confirmed'; userId: UserId }
  | { type: 'user.approved'; userId: UserId }
  | { type: 'password-reset.asked'; email: string }
  | { type: 'confirmation.asked'; email: string }
  | { type: 'mail.requested'; mail: MailRequest }
  | { type: 'token.revoked'; tokenId: OauthTokenId }

export type EventType = Event['type']
export type EventOf<T extends EventType> = Extract<Event, { type: T }>

/**
 * A mail to be written and sent by the worker. A link's token is derived from `tokenId` and the server's
 * secret when the mail is written, so that it is stored nowhere.
 */
export type MailRequest =
  | { kind: 'confirmation'; userId: UserId; to: string; tokenId: UserTokenId }
  | { kind: 'reset'; userId: UserId; to: string; tokenId: UserTokenId }
  /** `done`: it has happened; before that it has only been asked for. */
  | { kind: 'email-changed'; userId: UserId; to: string; newEmail: string; done: boolean }
  | { kind: 'password-changed'; userId: UserId; to: string }
  | { kind: 'sign-up-waiting'; userId: UserId; to: string; waitingUserId: UserId }
  | { kind: 'approved'; userId: UserId; to: string }
  /** To staff: registrations were open and nobody looked after them. */
  | { kind: 'approval-required'; userId: UserId; to: string }
  /** Confirmed, where nobody has to approve. */
  | { kind: 'welcome'; userId: UserId; to: string }
  /** From a network that they had not signed in from before. */
  | { kind: 'new-sign-in'; userId: UserId; to: string; signInId: SignInId }
  /** `name`: of the passkey. */
  | { kind: 'second-factor'; userId: UserId; to: string; change: FactorChange; name: string | null }
  /** A way to sign in through others was added or taken away. `provider`: as it is shown to people. */
  | { kind: 'identity'; userId: UserId; to: string; provider: string; added: boolean }
  /** What staff decided about their account. */
  | { kind: 'warning'; userId: UserId; to: string; warningId: AccountWarningId }
  /** To staff: somebody objects to such a decision. */
  | { kind: 'appeal'; userId: UserId; to: string; warningId: AccountWarningId }
  | { kind: 'appeal-answered'; userId: UserId; to: string; warningId: AccountWarningId; approved: boolean }
  /** `since`: an id; what was missed is newer. */
  | { kind: 'digest'; userId: UserId; to: string; since: IdCursor }
  | { kind: 'report'; userId: UserId; to: string; reportId: ReportId }
  /** It could not be published when its time had come. */
  | { kind: 'scheduled-status-refused'; userId: UserId; to: string; scheduledStatusId: ScheduledStatusId }
  | { kind: 'archive-ready'; userId: UserId; to: string; backupId: BackupId }
  /** A version of the terms of service is published. */
  | { kind: 'terms'; userId: UserId; to: string; termsId: TermsOfServiceId }

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
