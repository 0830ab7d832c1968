// What capabilities keep in memory by themselves, and the names of the changes with which each is read again.
import type { Changes } from '#ports/changes.ts'
import type { Config } from '#config/config.ts'
import { invalidateHiddenFiles } from '#domain/content/media/hidden-files.ts'
import { invalidateActiveRules } from '#domain/content/spam/active-rules.ts'
import { invalidateIpBlocks } from '#domain/identity/sign-up-restrictions/find-ip-block.ts'
import { invalidateWebhooks } from '#domain/maintenance/webhooks/queries.ts'
import { invalidateSettings } from '#domain/server/instance/settings.ts'
import { invalidateSiteUploads } from '#domain/server/instance/site-uploads.ts'

const invalidators: ReadonlyMap<string, (reader: { config: Config }) => void> = new Map([
  ['settings', invalidateSettings],
  ['site_uploads', invalidateSiteUploads],
  ['ip_blocks', invalidateIpBlocks],
  ['spam_rules', invalidateActiveRules],
  ['webhooks', invalidateWebhooks],
  ['suspensions', invalidateHiddenFiles],
])

/** From now on what was changed is not answered from memory. */
export function invalidateChanged(changes: Changes, config: Config): void {
  changes.listen((names) => {
    for (const name of names.length > 0 ? names : invalidators.keys()) invalidators.get(name)?.({ config })
  })
}
