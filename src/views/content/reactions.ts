import type { StatusReactors } from '#entities/status.ts'
import type { Reaction } from '#entities/emoji.ts'
import type { Config, Ctx } from '#ports/ctx.ts'
import { mediaUrl } from '#domain/server/instance/urls.ts'
import {
  loadReactions,
  type ReactedEmoji,
  type ReactionRow,
} from '#domain/content/statuses/interactions/reactions.ts'
import { pick } from '#lib/collections.ts'
import { loadAccountViews } from '../identity/accounts.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

/** A reaction to a status, as announcements have it too (https://docs.joinmastodon.org/entities/Reaction/). */
export function renderReaction(
  config: Config,
  viewerId: AccountId | null,
  row: Omit<ReactionRow, 'status_id' | 'account_ids'>,
): Reaction {
  return {
    name: row.domain === null ? row.name : `${row.name}@${row.domain}`,
    count: row.count,
    ...(viewerId !== null && { me: row.me }),
    ...(row.image_key !== null && {
      url: mediaUrl(config, row.image_key),
      static_url: mediaUrl(config, row.static_key ?? row.image_key),
    }),
  }
}

/** What somebody reacted with, as Pleroma's notifications have it: custom emoji as a shortcode with its picture. */
export function renderReactedEmoji(config: Config, emoji: ReactedEmoji) {
  const { name, image_key: key } = emoji
  return key === null
    ? { emoji: name, emoji_url: null }
    : { emoji: `:${name}:`, emoji_url: mediaUrl(config, key) }
}

/** The reactions to one status with who reacted; only those of one name where that is asked for. */
export async function viewReactors(
  ctx: Ctx,
  viewerId: AccountId | null,
  statusId: StatusId,
  name?: string,
): Promise<StatusReactors[]> {
  const all = (await loadReactions(ctx, viewerId, [statusId])).get(statusId) ?? []
  const rows = all.filter((row) => name === undefined || row.name === name)
  const accounts = await loadAccountViews(ctx, [...new Set(rows.flatMap((row) => row.account_ids))])
  return rows.map((row) => ({
    ...renderReaction(ctx.config, viewerId, row),
    me: row.me,
    accounts: pick(row.account_ids, accounts),
  }))
}
