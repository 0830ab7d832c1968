import { sql } from 'kysely'
import type { Reader } from '#ports/ctx.ts'

export interface EmojiRow {
  shortcode: string
  /** null: this server's own. */
  domain: string | null
  image_key: string | null
  static_key: string | null
  category: string | null
  visible_in_picker: boolean
}

const columns = sql`shortcode, domain, image_key, static_key, category, visible_in_picker`

/** The enabled emoji of these shortcodes, of any domain. */
export async function loadEmojis(reader: Reader, shortcodes: readonly string[]): Promise<EmojiRow[]> {
  const { rows } = await sql<EmojiRow>`
    select ${columns} from custom_emojis
    where shortcode = any(${shortcodes}::text[]) and not disabled and image_key is not null`.execute(
    reader.db,
  )
  return rows
}

/** This server's emoji that are offered to people: enabled, listed, with a picture. */
export async function listEmojis(reader: Reader): Promise<EmojiRow[]> {
  const { rows } = await sql<EmojiRow>`
    select ${columns} from custom_emojis
    where domain is null and not disabled and visible_in_picker and image_key is not null
    order by shortcode`.execute(reader.db)
  return rows
}
