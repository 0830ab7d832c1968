import type { Kysely } from 'kysely'
import { up as changes } from './0016-changes.ts'
import { up as changesToldToListeners } from './0019-changes-told-to-listeners.ts'
import { up as previewColors } from './0013-preview-colors.ts'
import { up as botsPolicy } from './0008-bots-policy.ts'
import { up as federation } from './0004-federation.ts'
import { up as moderation } from './0006-moderation.ts'
import { up as severingActivities } from './0009-severing-activities.ts'
import { up as endsOfMutes } from './0011-ends-of-mutes.ts'
import { up as notificationIds } from './0012-notification-ids.ts'
import { up as ownApplications } from './0017-own-applications.ts'
import { up as pushAndMail } from './0005-push-and-mail.ts'
import { up as groundFloor } from './0001-ground-floor.ts'
import { up as peopleAndReach } from './0003-people-and-reach.ts'
import { up as verifiedLinks } from './0007-verified-links.ts'
import { up as deliveryErrors } from './0018-delivery-errors.ts'
import { up as drafts } from './0015-drafts.ts'
import { up as identities } from './0020-identities.ts'
import { up as replyPolicy } from './0021-reply-policy.ts'
import { up as hostNotes } from './0022-host-notes.ts'
import { up as reactionCounts } from './0023-reaction-counts.ts'
import { up as takenAlong } from './0024-taken-along.ts'
import { up as archiveContents } from './0025-archive-contents.ts'
import { up as lostPush } from './0026-lost-push.ts'
import { up as shownRows } from './0027-shown-rows.ts'
import { up as accountPresence } from './0028-account-presence.ts'
import { up as feedOwners } from './0030-feed-owners.ts'
import { up as countsOnceAsked } from './0031-counts-once-asked.ts'
import { up as orderingKeys } from './0032-ordering-keys.ts'
import { up as followRequestsShown } from './0033-follow-requests-shown.ts'
import { up as deedsShown } from './0034-deeds-shown.ts'
import { up as deedsOfPeopleHere } from './0035-deeds-of-people-here.ts'
import { up as mergedAtOnce } from './0029-merged-at-once.ts'
import { up as lookAlikeNames } from './0014-look-alike-names.ts'
import { up as statusesWhole } from './0002-statuses-whole.ts'
import { up as traces } from './0010-traces.ts'

export interface Migration {
  number: number
  name: string
  /** It takes away what the program of the version before uses: that one does not run any more. */
  contracts?: true
  /** Not in a transaction, as `create index concurrently` wants it. It may be done again from its begin. */
  outsideTransaction?: true
  up(db: Kysely<unknown>): Promise<void>
}

/** All migrations in order. A landed one is never changed: what comes later is a new one. */
export const migrations: readonly Migration[] = [
  { number: 1, name: 'ground-floor', up: groundFloor },
  { number: 2, name: 'statuses-whole', up: statusesWhole },
  { number: 3, name: 'people-and-reach', up: peopleAndReach },
  { number: 4, name: 'federation', up: federation },
  { number: 5, name: 'push-and-mail', up: pushAndMail },
  { number: 6, name: 'moderation', up: moderation },
  { number: 7, name: 'verified-links', up: verifiedLinks },
  { number: 8, name: 'bots-policy', up: botsPolicy },
  { number: 9, name: 'severing-activities', up: severingActivities },
  { number: 10, name: 'traces', up: traces },
  { number: 11, name: 'ends-of-mutes', up: endsOfMutes },
  { number: 12, name: 'notification-ids', up: notificationIds },
  { number: 13, name: 'preview-colors', up: previewColors },
  { number: 14, name: 'look-alike-names', up: lookAlikeNames },
  { number: 15, name: 'drafts', up: drafts },
  { number: 16, name: 'changes', up: changes },
  { number: 17, name: 'own-applications', up: ownApplications },
  { number: 18, name: 'delivery-errors', up: deliveryErrors },
  { number: 19, name: 'changes-told-to-listeners', up: changesToldToListeners },
  { number: 20, name: 'identities', up: identities },
  { number: 21, name: 'reply-policy', up: replyPolicy },
  { number: 22, name: 'host-notes', up: hostNotes },
  { number: 23, name: 'reaction-counts', up: reactionCounts },
  { number: 24, name: 'taken-along', up: takenAlong },
  { number: 25, name: 'archive-contents', up: archiveContents },
  { number: 26, name: 'lost-push', up: lostPush },
  { number: 27, name: 'shown-rows', up: shownRows },
  { number: 28, name: 'account-presence', up: accountPresence },
  { number: 29, name: 'merged-at-once', up: mergedAtOnce },
  { number: 30, name: 'feed-owners', up: feedOwners },
  { number: 31, name: 'counts-once-asked', up: countsOnceAsked },
  { number: 32, name: 'ordering-keys', up: orderingKeys },
  { number: 33, name: 'follow-requests-shown', up: followRequestsShown },
  { number: 34, name: 'deeds-shown', up: deedsShown },
  { number: 35, name: 'deeds-of-people-here', up: deedsOfPeopleHere },
]
