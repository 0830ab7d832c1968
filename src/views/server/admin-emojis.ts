import type { AdminCustomEmoji } from '#entities/admin/server.ts'
import type { Config } from '#ports/ctx.ts'
import type { FullEmoji } from '#domain/server/instance/emojis/emojis.ts'
import { formatTime } from '#lib/time/time.ts'
import { renderEmoji } from '../render/emoji.ts'

/** CustomEmoji (https://docs.joinmastodon.org/entities/CustomEmoji/), with what only staff need to know. */
export function renderAdminEmoji(config: Config, emoji: FullEmoji): AdminCustomEmoji {
  const hasImage = emoji.image_key !== null
  const { url, static_url, ...more } = renderEmoji(config, emoji)
  return {
    id: emoji.id,
    ...more,
    // Empty while that of another server has not come.
    url: hasImage ? url : '',
    static_url: hasImage ? static_url : '',
    domain: emoji.domain,
    disabled: emoji.disabled,
    updated_at: formatTime(emoji.updated_at),
  }
}
