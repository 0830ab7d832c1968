import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import type { Id } from '#db/schema/types.ts'
import { invalid } from '#lib/errors.ts'
import { deleteEmojiPictures, readEmojiFile, storeEmojiPicture, type EmojiPicture } from './emoji-pictures.ts'
import { findOwnEmoji } from './emojis.ts'

export interface EmojiInput {
  shortcode: string
  /** A file on this machine, which stays where it is. */
  path: string
  category?: string | null | undefined
  /** true unless given. */
  visibleInPicker?: boolean | undefined
}

const shortcodeForm = /^[A-Za-z0-9_]{2,128}$/

/** Whether this may be the name of an emoji made here. */
export const isShortcode = (text: string) => shortcodeForm.test(text)

export const normalizeCategory = (category: string | null | undefined) =>
  category?.replaceAll('\0', '').trim() || null

const taken = () => invalid('Validation failed: Shortcode has already been taken')

/** Makes an emoji of this server. Emits `emojis.changed`. Throws `invalid` for a bad or taken name or a bad picture. */
export async function createEmoji(ctx: Ctx, input: EmojiInput): Promise<Id> {
  const { shortcode } = input
  if (!isShortcode(shortcode)) throw invalid('Validation failed: Shortcode is invalid')
  if (await findOwnEmoji(ctx, shortcode)) throw taken()
  const id = ctx.newId()
  const picture = await storeEmojiPicture(ctx, id, await readEmojiFile(ctx, input.path))
  const row: NewEmoji = {
    id,
    shortcode,
    picture,
    category: normalizeCategory(input.category),
    visibleInPicker: input.visibleInPicker ?? true,
  }
  try {
    await ctx.transaction(async (tx) => {
      if (!(await insertEmoji(tx, row))) throw taken()
      await tx.emit({ type: 'emojis.changed', shortcodes: [shortcode], domain: null })
    })
  } catch (error) {
    await deleteEmojiPictures(ctx, [picture.imageKey, picture.staticKey])
    throw error
  }
  return id
}

export interface NewEmoji {
  id: Id
  shortcode: string
  picture: EmojiPicture
  category: string | null
  visibleInPicker: boolean
}

/** Whether it was written: not when this server has one of that name. */
export async function insertEmoji(tx: Tx, emoji: NewEmoji): Promise<boolean> {
  const { picture } = emoji
  const { rows } = await sql`
    insert into custom_emojis
      (id, shortcode, domain, image_key, static_key, category, visible_in_picker, updated_at)
    values (${emoji.id}, ${emoji.shortcode}, null, ${picture.imageKey}, ${picture.staticKey},
      ${emoji.category}, ${emoji.visibleInPicker}, ${new Date(tx.clock.now())})
    on conflict (shortcode, domain) do nothing returning id`.execute(tx.db)
  return rows.length > 0
}
