import { sql, type Selectable } from 'kysely'
import type { CustomEmojisTable } from '#db/schema/instance.ts'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { recordAction, type Staff } from '#domain/server/audit/record.ts'
import { normalizeCategory } from './create-emoji.ts'
import { deleteEmojiImages, readEmojiFile, storeEmojiImage, type EmojiImage } from './emoji-images.ts'
import type { CustomEmojiId } from '#lib/id.ts'

/** What is left out stays as it is. */
export interface EmojiChange {
  /** A file on this machine with the new picture, which stays where it is. */
  path?: string | undefined
  category?: string | null | undefined
  visibleInPicker?: boolean | undefined
  /** Shown nowhere, as if there were no such emoji. */
  disabled?: boolean | undefined
}

/**
 * Changes an emoji of this server; one of another can only be disabled. Emits `emojis.changed`. Throws `not_found`, and
 * `invalid` for a bad picture.
 */
export async function updateEmoji(
  ctx: Ctx,
  staff: Staff,
  id: CustomEmojiId,
  change: EmojiChange,
): Promise<void> {
  const picture =
    change.path === undefined ? null : await storeEmojiImage(ctx, id, await readEmojiFile(ctx, change.path))
  try {
    const replaced = await ctx.transaction(async (tx) => {
      const old = await writeEmoji(tx, id, { ...change, picture })
      if (!old) throw notFound()
      if (old.domain !== null && isMoreThanDisabling(change)) throw invalid('base', 'remote_emoji')
      const { disabled } = change
      await recordAction(tx, staff, {
        action: disabled === undefined ? 'update' : disabled ? 'disable' : 'enable',
        targetType: 'custom_emoji',
        targetId: id,
        label: old.domain === null ? old.shortcode : `${old.shortcode}@${old.domain}`,
      })
      await tx.emit({ type: 'emojis.changed', shortcodes: [old.shortcode], domain: old.domain })
      return old
    })
    if (picture) await deleteEmojiImages(ctx, [replaced.image_key, replaced.static_key])
  } catch (error) {
    if (picture) await deleteEmojiImages(ctx, [picture.imageKey, picture.staticKey])
    throw error
  }
}

const isMoreThanDisabling = ({ path, category, visibleInPicker }: EmojiChange) =>
  path !== undefined || category !== undefined || visibleInPicker !== undefined

type OldEmoji = Pick<
  Selectable<CustomEmojisTable>,
  'shortcode' | 'domain' | 'image_key' | 'static_key' | 'category' | 'visible_in_picker' | 'disabled'
>

type WrittenChange = Omit<EmojiChange, 'path'> & { picture: EmojiImage | null }

/** Writes the change. Returns what was there before; null when there is no such emoji. */
export async function writeEmoji(tx: Tx, id: CustomEmojiId, change: WrittenChange): Promise<OldEmoji | null> {
  const { rows } = await sql<OldEmoji>`
    select shortcode, domain, image_key, static_key, category, visible_in_picker, disabled
    from custom_emojis where id = ${id} for update`.execute(tx.db)
  const old = rows[0]
  if (!old) return null
  const { picture } = change
  await tx.db
    .updateTable('custom_emojis')
    .set({
      ...(picture && { image_key: picture.imageKey, static_key: picture.staticKey }),
      category: change.category === undefined ? old.category : normalizeCategory(change.category),
      visible_in_picker: change.visibleInPicker ?? old.visible_in_picker,
      disabled: change.disabled ?? old.disabled,
      updated_at: new Date(tx.clock.now()),
    })
    .where('id', '=', id)
    .execute()
  return old
}
