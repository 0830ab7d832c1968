// All that removes what nobody needs any more, by the names under which the command line and staff know it.
import type { Ctx } from '#ports/ctx.ts'
import { purgeIpBlocks } from '#domain/identity/sign-up-restrictions/ip-blocks.ts'
import { deleteStale } from '#domain/identity/accounts/registration/delete-stale.ts'
import { trimAuditLog } from '#domain/server/audit/queries.ts'
import { purgePublishers } from '#domain/content/cards/providers.ts'
import { purgeCards } from '#domain/content/cards/purge.ts'
import { deleteDueAccounts } from '#domain/maintenance/deletion/delete-suspended.ts'
import { purgeTombstones } from '#domain/federation/queue/tombstones.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { trimMediaCache } from '#domain/content/media/cache.ts'
import { deleteUnattachedMedia } from '#domain/content/media/delete.ts'
import { deleteAbandonedFiles } from '#domain/content/media/files.ts'
import { trimNotifications } from '#domain/reading/notifications/trim.ts'
import { forgetAddresses } from '#domain/identity/oauth/addresses.ts'
import { purgeOauth } from '#domain/identity/oauth/purge.ts'
import { purgeArchives } from '#domain/transfer/portability/archive/archive-export.ts'
import { purgeImports } from '#domain/transfer/portability/imports.ts'
import { purgeDeletedStatuses, purgeIdempotencyKeys } from '#domain/content/statuses/purge.ts'
import { deleteOwnStatuses } from './delete-own.ts'
import { remoteStatuses } from './remote-statuses.ts'
import type { BatchTask } from './run-batches.ts'

/** Work that is bounded by itself, or takes no notice of where it was left. Returns how much it removed. */
export interface PlainTask {
  readonly name: string
  run(ctx: Ctx): Promise<number>
}

const plain: Readonly<Record<string, { summary: string; run(ctx: Ctx): Promise<number> }>> = {
  'own-statuses': { summary: "People's own old posts, where they want that", run: deleteOwnStatuses },
  'media-cache': { summary: "Copies of other servers' files, by age and size", run: trimMediaCache },
  'unattached-media': { summary: 'Uploads that no post carries', run: deleteUnattachedMedia },
  'abandoned-files': { summary: 'Files that nothing names any more', run: deleteAbandonedFiles },
  notifications: { summary: 'Old notifications', run: trimNotifications },
  'deleted-statuses': { summary: 'What is left of posts deleted a month ago', run: purgeDeletedStatuses },
  'suspended-accounts': { summary: 'Data of accounts suspended a month ago', run: deleteDueAccounts },
  'stale-users': { summary: 'Sign-ups that were never confirmed, and old links', run: deleteStale },
  addresses: { summary: 'Addresses from which people signed up and in', run: forgetAddresses },
  tokens: { summary: 'Sessions that ended, and dead tokens', run: purgeOauth },
  'ip-blocks': { summary: 'Blocks of addresses that ended', run: purgeIpBlocks },
  'idempotency-keys': { summary: 'What keeps a post from being sent twice', run: purgeIdempotencyKeys },
  cards: {
    summary: 'Link previews that no post shows',
    run: async (ctx) => (await purgeCards(ctx)) + (await purgePublishers(ctx)),
  },
  archives: { summary: 'Archives of their data that people asked for', run: purgeArchives },
  imports: { summary: 'Imports that ended', run: purgeImports },
  tombstones: { summary: 'Names of what other servers deleted', run: purgeTombstones },
  'audit-log': {
    summary: 'Old rows of the audit log',
    run: async (ctx) => trimAuditLog(ctx, (await getSettings(ctx)).audit_log_retention_period),
  },
}

/** What goes in batches, may take hours and is continued where it was left. */
const batched: readonly { summary: string; work: BatchTask }[] = [
  { summary: "Other servers' old posts that nobody here touched", work: remoteStatuses },
]

/** All by name, with one line about each. */
export const workSummaries: ReadonlyMap<string, string> = new Map([
  ...batched.map(({ work, summary }) => [work.name, summary] as const),
  ...Object.entries(plain).map(([name, { summary }]) => [name, summary] as const),
])

export const batchTasks: readonly BatchTask[] = batched.map(({ work }) => work)

export const findBatchTask = (name: string): BatchTask | undefined =>
  batchTasks.find((work) => work.name === name)

/** The plain work of this name; undefined for others. */
export function findPlainTask(name: string): PlainTask | undefined {
  const found = Object.hasOwn(plain, name) ? plain[name] : undefined
  return found && { name, run: found.run }
}
