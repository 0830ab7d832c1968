import { mediaUrl } from '#domain/server/instance/urls.ts'
import type { EmojiRow } from '#domain/server/instance/emojis/emojis.ts'
import { mediaTypeOf } from '#lib/net/content-type.ts'
import { formatTime } from '#lib/time/time.ts'
import type { Config } from '#ports/ctx.ts'

/** A custom emoji of this server, as the `tag` of what uses it has it. */
export function toEmoji(config: Config, emoji: EmojiRow): Record<string, unknown> {
  const url = mediaUrl(config, emoji.image_key ?? '')
  return {
    id: `${config.baseUrl}/emojis/${emoji.shortcode}`,
    type: 'Emoji',
    name: `:${emoji.shortcode}:`,
    ...(emoji.updated_at && { updated: formatTime(emoji.updated_at) }),
    icon: { type: 'Image', mediaType: mediaTypeOf(url) ?? 'image/png', url },
  }
}
