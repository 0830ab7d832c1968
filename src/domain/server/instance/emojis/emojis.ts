import { sql, type Selectable } from 'kysely'
import type { CustomEmojisTable } from '#db/schema/instance.ts'
import type { Reader } from '#ports/ctx.ts'
import { inPage, orderAndLimit } from '#db/paging.ts'
import { refusesFiles } from '../refuses-files.ts'
import { notFound } from '#lib/errors.ts'
import { toPage, type Page, type PageRequest } from '#lib/page.ts'
import type { CustomEmojiId } from '#lib/id.ts'

export interface EmojiRow extends Pick<
  Selectable<CustomEmojisTable>,
  'id' | 'shortcode' | 'image_key' | 'static_key' | 'category' | 'visible_in_picker'
> {
  /** null: this server's own. */
  domain: string | null
  /** When it last changed. */
  updated_at?: Date
}

const columns = sql`id, shortcode, domain, image_key, static_key, category, visible_in_picker, updated_at`

/** The enabled emoji of these shortcodes, of any domain, also those of others whose picture is not copied yet. */
export async function loadEmojis(reader: Reader, shortcodes: readonly string[]): Promise<EmojiRow[]> {
  const { rows } = await sql<EmojiRow>`
    select ${columns} from custom_emojis
    where shortcode = any(${shortcodes}::text[]) and not disabled and (image_key is not null
      or (domain is not null and remote_image_url is not null and not ${refusesFiles(sql`domain`)}))`.execute(
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

/** This server's emoji with a picture after `shortcode`, unlisted and disabled ones too, a batch at a time. */
export async function listOwnEmojis(
  reader: Reader,
  { after, category, limit }: { after: string; category: string | null; limit: number },
): Promise<EmojiRow[]> {
  const { rows } = await sql<EmojiRow>`
    select ${columns} from custom_emojis
    where domain is null and image_key is not null and shortcode > ${after}
      and (${category}::text is null or category = ${category})
    order by shortcode limit ${limit}`.execute(reader.db)
  return rows
}

type OwnEmoji = Pick<Selectable<CustomEmojisTable>, 'id' | 'shortcode' | 'image_key' | 'static_key'>

/** The id and files of this server's emoji of a shortcode, in any case; null when there is none. */
export async function findOwnEmoji(reader: Reader, shortcode: string): Promise<OwnEmoji | null> {
  const { rows } = await sql<OwnEmoji>`
    select id, shortcode, image_key, static_key from custom_emojis
    where domain is null and lower(shortcode) = lower(${shortcode})
    order by shortcode = ${shortcode} desc limit 1`.execute(reader.db)
  return rows[0] ?? null
}

/** An emoji as staff see it. */
export interface FullEmoji extends EmojiRow {
  id: CustomEmojiId
  disabled: boolean
  updated_at: Date
}

export interface EmojiFilter {
  origin?: 'local' | 'remote' | undefined
  /** Of just this server. */
  domain?: string | undefined
  /** Part of the shortcode, in any case. */
  shortcode?: string | undefined
  disabled?: boolean | undefined
}

/** All emoji that fit, newest first: unlisted and disabled ones, those of other servers, and those without a picture. */
export async function listAllEmojis(
  reader: Reader,
  filter: EmojiFilter,
  page: PageRequest,
): Promise<Page<FullEmoji>> {
  const { origin, domain, shortcode, disabled } = filter
  const conditions = [inPage('id', page)]
  if (origin === 'local') conditions.push(sql`domain is null`)
  if (origin === 'remote') conditions.push(sql`domain is not null`)
  if (domain) conditions.push(sql`domain = ${domain.toLowerCase()}`)
  if (shortcode) conditions.push(sql`strpos(lower(shortcode), ${shortcode.toLowerCase()}) > 0`)
  if (disabled !== undefined) conditions.push(sql`disabled = ${disabled}`)
  const { rows } = await sql<FullEmoji>`
    select ${columns}, disabled from custom_emojis where ${sql.join(conditions, sql` and `)}
    ${orderAndLimit('id', page)}`.execute(reader.db)
  return toPage(rows, page, (row) => row.id)
}

/** Throws `not_found`. */
export async function getEmoji(reader: Reader, id: CustomEmojiId): Promise<FullEmoji> {
  const { rows } = await sql<FullEmoji>`
    select ${columns}, disabled from custom_emojis where id = ${id}`.execute(reader.db)
  if (!rows[0]) throw notFound()
  return rows[0]
}
