import type { FeaturedTag } from '#entities/tag.ts'
import type { Config } from '#ports/ctx.ts'
import type { FeaturedTagRow } from '#domain/content/tags/featured-tags.ts'
import { profileUrl } from '#domain/server/instance/urls.ts'
import { formatAcct } from '#lib/acct.ts'
import { formatDate } from '#lib/time/time.ts'

/** FeaturedTag (https://docs.joinmastodon.org/entities/FeaturedTag/) of an account. */
export function renderFeaturedTag(
  config: Config,
  row: FeaturedTagRow,
  account: { username: string; domain: string | null },
): FeaturedTag {
  const profile = profileUrl(config, formatAcct(account.username, account.domain))
  return {
    id: row.id,
    name: row.display_name,
    url: `${profile}/tagged/${encodeURIComponent(row.name)}`,
    statuses_count: String(row.statuses_count),
    last_status_at: row.last_status_at === null ? null : formatDate(row.last_status_at),
  }
}
