import type { CustomEmoji } from '#entities/emoji.ts'
import type { Reader } from '#ports/ctx.ts'
import { extractShortcodes } from '#lib/text/text.ts'
import { loadEmojis } from '#domain/server/instance/emojis/emojis.ts'
import { renderEmoji } from '../render/emoji.ts'

/** A text and the domain whose emoji its shortcodes mean. */
export interface EmojiSource {
  text: string
  domain: string | null
}

/** Finds the emoji of many texts in one query; the answer tells those of one text. */
export async function hydrateEmojis(
  reader: Reader,
  sources: readonly EmojiSource[],
): Promise<(source: EmojiSource) => CustomEmoji[]> {
  const wanted = new Set(sources.flatMap((source) => extractShortcodes(source.text)))
  if (wanted.size === 0) return () => []
  const rows = await loadEmojis(reader, [...wanted])
  const byKey = new Map(
    rows.map((row) => [`${row.shortcode}@${row.domain ?? ''}`, renderEmoji(reader.config, row)]),
  )
  return (source) =>
    [...new Set(extractShortcodes(source.text))].flatMap(
      (code) => byKey.get(`${code}@${source.domain ?? ''}`) ?? [],
    )
}
