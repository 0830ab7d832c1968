import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { invalid } from '#lib/errors.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import {
  deleteEmojiImages,
  readEmojiFile,
  readStoredEmoji,
  storeEmojiImage,
  type EmojiImage,
} from './emoji-images.ts'
import { findOwnEmoji, getEmoji } from './emojis.ts'
import type { CustomEmojiId } from '#lib/id.ts'

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
  category?.replaceAll('\0', '').trim().slice(0, maxCategoryLength) || null

const maxCategoryLength = 200

const taken = () => invalid('shortcode', 'taken')

/** Makes an emoji of this server. Emits `emojis.changed`. Throws `invalid` for a bad or taken name or a bad picture. */
export async function createEmoji(ctx: Ctx, staff: Staff, input: EmojiInput): Promise<CustomEmojiId> {
  await assertFree(ctx, input.shortcode)
  return storeEmoji(ctx, staff, input, await readEmojiFile(ctx, input.path))
}

/**
 * Makes an emoji of another server one of this server's, under the same name unless another is given. Throws
 * `not_found`, and `invalid` for a bad or taken name or a picture that is not here.
 */
export async function copyEmoji(
  ctx: Ctx,
  staff: Staff,
  id: CustomEmojiId,
  input: Partial<Omit<EmojiInput, 'path'>>,
): Promise<CustomEmojiId> {
  const from = await getEmoji(ctx, id)
  if (from.domain === null) throw invalid('base', 'emoji_is_local')
  const shortcode = input.shortcode || from.shortcode
  await assertFree(ctx, shortcode)
  const picture = from.image_key === null ? null : await readStoredEmoji(ctx, from.image_key)
  if (!picture) throw invalid('base', 'emoji_picture_missing')
  return storeEmoji(ctx, staff, { ...input, shortcode, copyOf: from.domain }, picture)
}

async function assertFree(ctx: Ctx, shortcode: string): Promise<void> {
  if (!isShortcode(shortcode)) throw invalid('shortcode', 'invalid')
  if (await findOwnEmoji(ctx, shortcode)) throw taken()
}

type StoredInput = Omit<EmojiInput, 'path'> & { copyOf?: string }

async function storeEmoji(ctx: Ctx, staff: Staff, input: StoredInput, body: Buffer): Promise<CustomEmojiId> {
  const { shortcode, copyOf } = input
  const id = ctx.newId<CustomEmojiId>()
  const picture = await storeEmojiImage(ctx, id, body)
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
      await recordAction(tx, staff, {
        action: copyOf === undefined ? 'create' : 'copy',
        targetType: 'custom_emoji',
        targetId: id,
        label: shortcode,
        details: copyOf === undefined ? {} : { domain: copyOf },
      })
      await tx.emit({ type: 'emojis.changed', shortcodes: [shortcode], domain: null })
    })
  } catch (error) {
    await deleteEmojiImages(ctx, [picture.imageKey, picture.staticKey])
    throw error
  }
  return id
}

export interface NewEmoji {
  id: CustomEmojiId
  shortcode: string
  picture: EmojiImage
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
