import type { CustomEmoji } from '#entities/emoji.ts'
import type { Config } from '#ports/ctx.ts'
import type { EmojiRow } from '#domain/server/instance/emojis/emojis.ts'
import { mediaUrl } from '#domain/server/instance/urls.ts'

/** CustomEmoji (https://docs.joinmastodon.org/entities/CustomEmoji/). */
export function renderEmoji(config: Config, row: EmojiRow): CustomEmoji {
  const { image_key: key } = row
  const url = key === null ? `${config.baseUrl}/media_proxy/emojis/${row.id}` : mediaUrl(config, key)
  return {
    shortcode: row.shortcode,
    url,
    static_url: row.static_key === null ? url : mediaUrl(config, row.static_key),
    visible_in_picker: row.visible_in_picker,
    category: row.category,
  }
}
