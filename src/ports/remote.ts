import type { AccountId, CustomEmojiId, PollId, StatusId } from '#lib/id.ts'

/** What another server was asked for, as this one now has it. */
export type Found = { kind: 'account'; id: AccountId } | { kind: 'status'; id: StatusId }

/** `away`: its server does not answer now. `unclear`: it answers, but not so that anything follows from it. */
export type Presence = 'there' | 'gone' | 'away' | 'unclear'

/**
 * Looks things up on other servers and stores what it finds, and takes leave of them. Every method has its bounds of time, bytes and requests,
 * and answers null, or leaves things as they are, when the other server does not answer, refuses, or is blocked.
 * None may run inside a transaction.
 */
export interface Remote {
  /** The account of a handle. Asks nobody when it is known and fresh. */
  findAccount(username: string, domain: string): Promise<AccountId | null>
  /** Whether the server of a handle has such an account, but only for protocols other than ActivityPub (OStatus). */
  speaksOtherProtocol(username: string, domain: string): Promise<boolean>
  /** The account or status at an address, a page or a document. */
  findByUrl(url: string): Promise<Found | null>
  /** Reads an account's document again when the copy is older than a day. `anew`: whatever its age. */
  refreshAccount(accountId: AccountId, options?: { anew?: boolean }): Promise<void>
  /** Asks the server of an account whether it is still there. Changes nothing here. */
  probeAccount(accountId: AccountId): Promise<Presence>
  /**
   * Reads a poll's results again when the poll is another server's and the copy is older than some minutes, or than
   * `since` (milliseconds since the epoch).
   */
  refreshPoll(pollId: PollId, options?: { since?: number }): Promise<void>
  /** Fetches the replies to a status of another server that are missing here. Returns how many came. */
  fetchReplies(statusId: StatusId): Promise<number>
  /**
   * The key of a copy of a picture of an account, fetched when there is none; once for all who ask meanwhile, and not for
   * some minutes after a failure. Null when it has none, it cannot be had, or is not to be shown.
   */
  ensureImage(accountId: AccountId, kind: 'avatar' | 'header'): Promise<string | null>
  /** As `ensureImage`, of an emoji of another server. */
  ensureEmoji(emojiId: CustomEmojiId): Promise<string | null>
  /**
   * Has the server of an account told, also one with which this server has broken off, that all follows, requests and
   * blocks between it and people here are over. Returns when that is queued; safe to run again.
   */
  takeLeave(accountId: AccountId): Promise<void>
}
