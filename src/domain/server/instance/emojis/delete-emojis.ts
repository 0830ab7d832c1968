import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { CustomEmojisTable } from '#db/schema/instance.ts'
import type { Ctx } from '#ports/ctx.ts'
import { groupBy } from '#lib/collections.ts'
import { notFound } from '#lib/errors.ts'
import { recordActions, type Staff } from '#domain/server/audit/record.ts'
import { deleteEmojiImages } from './emoji-images.ts'
import type { CustomEmojiId } from '#lib/id.ts'

/** `remote`: of other servers. `suspended`: of servers with which this one has broken off. */
export type EmojiKind = 'all' | 'remote' | 'suspended'

const batch = 50

const conditions: Record<EmojiKind, RawBuilder<boolean>> = {
  all: sql`true`,
  remote: sql`domain is not null`,
  suspended: sql`exists (
    select 1 from domain_blocks b
    where b.severity = 'suspend' and (custom_emojis.domain = b.domain or custom_emojis.domain like '%.' || b.domain))`,
}

/** Deletes an emoji and its files. Emits `emojis.changed`. Throws `not_found`. */
export async function deleteEmoji(ctx: Ctx, staff: Staff, id: CustomEmojiId): Promise<void> {
  if ((await deleteWhere(ctx, staff, sql`id = ${id}`)) === 0) throw notFound()
}

/** Deletes all emoji of a kind with their files. Returns how many there were. */
export async function purgeEmojis(ctx: Ctx, staff: Staff, kind: EmojiKind): Promise<number> {
  let count = 0
  for (;;) {
    const deleted = await deleteWhere(ctx, staff, conditions[kind])
    if (deleted === 0) return count
    count += deleted
  }
}

type DeletedEmoji = Pick<
  Selectable<CustomEmojisTable>,
  'id' | 'shortcode' | 'domain' | 'image_key' | 'static_key'
>

async function deleteWhere(ctx: Ctx, staff: Staff, condition: RawBuilder<boolean>): Promise<number> {
  const rows = await ctx.transaction(async (tx) => {
    const { rows: deleted } = await sql<DeletedEmoji>`
      delete from custom_emojis where id in (select id from custom_emojis where ${condition} limit ${batch})
      returning id, shortcode, domain, image_key, static_key`.execute(tx.db)
    await recordActions(
      tx,
      staff,
      deleted.map(({ id, shortcode, domain }) => ({
        action: 'destroy',
        targetType: 'custom_emoji',
        targetId: id,
        label: domain === null ? shortcode : `${shortcode}@${domain}`,
      })),
    )
    for (const [domain, emojis] of groupBy(deleted, (row) => row.domain)) {
      await tx.emit({ type: 'emojis.changed', shortcodes: emojis.map((row) => row.shortcode), domain })
    }
    return deleted
  })
  await deleteEmojiImages(
    ctx,
    rows.flatMap((row) => [row.image_key, row.static_key]),
  )
  return rows.length
}
