// Who may answer a post, as clients say it: an extension of Mastodon's API.
import { replyPolicies, type ReplyPolicy } from '#domain/identity/accounts/viewer.ts'
import { word } from './fields.ts'

/** Those whom a post names may always answer, so that `nobody` says the same as `mentioned`. */
export const replyPolicy = () => word([...replyPolicies, 'nobody'])

/** The policy that was asked for. */
export const toReplyPolicy = (asked: ReplyPolicy | 'nobody' | undefined): ReplyPolicy | undefined =>
  asked === 'nobody' ? 'mentioned' : asked
