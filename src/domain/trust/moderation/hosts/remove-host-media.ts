// Copies of a server's files, of which this one wants to have none.
import { sql, type Selectable } from 'kysely'
import type { CustomEmojisTable } from '#db/schema/instance.ts'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { removeCachedMediaOf } from '#domain/content/media/cache.ts'
import { abandonFiles } from '#domain/content/media/files.ts'
import { invalidateFilesOf } from '#domain/content/statuses/invalidate-render-cache.ts'
import { isBelow, listHostsBelow, type HostPair } from '#domain/server/hosts/hosts-below.ts'

const batch = 200

/**
 * Deletes the copies of what accounts of a domain, and those below it, posted, of their pictures and of their emoji.
 * Nothing when files are taken from the domain. Where they are taken again, they come when they are next asked for.
 * Returns whether none are taken. Safe to run again.
 */
export async function removeHostMedia(ctx: Ctx, domain: string): Promise<boolean> {
  if (!(await isMediaRejected(ctx, domain))) return false
  for (const pair of await listHostsBelow(ctx, domain)) {
    await removeCachedMediaOf(ctx, pair)
    while ((await forgetImages(ctx, pair)) === batch);
  }
  while ((await forgetEmojiImages(ctx, domain)) === batch);
  return true
}

/** Has accounts of a domain, and those below it, and what they posted, be shown with the files that are taken now. */
export async function showHostFiles(ctx: Ctx, domain: string): Promise<void> {
  for (const pair of await listHostsBelow(ctx, domain)) await invalidateFilesOf(ctx, pair)
}

async function isMediaRejected(reader: Reader, domain: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from domain_blocks where domain = ${domain} and (reject_media or severity = 'suspend')`.execute(
    reader.db,
  )
  return rows.length > 0
}

type Keys = Record<'avatar_key' | 'avatar_static_key' | 'header_key' | 'header_static_key', string | null>

function forgetImages(ctx: Ctx, { domain, uriHost }: HostPair): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<Keys>`
      with shown as (
        select id, avatar_key, avatar_static_key, header_key, header_static_key from accounts
        where domain = ${domain} and uri_host is not distinct from ${uriHost}
          and (avatar_key is not null or header_key is not null)
        order by id limit ${batch} for no key update)
      update accounts a set avatar_key = null, avatar_static_key = null, header_key = null, header_static_key = null,
        version = version + 1, updated_at = ${new Date(tx.clock.now())}
      from shown s where s.id = a.id
      returning s.avatar_key, s.avatar_static_key, s.header_key, s.header_static_key`.execute(tx.db)
    await abandonFiles(
      tx,
      rows.flatMap((row) => Object.values(row)),
    )
    return rows.length
  })
}

type EmojiKeys = Pick<Selectable<CustomEmojisTable>, 'image_key' | 'static_key'>

/** The emoji themselves stay: reactions hang on them. */
function forgetEmojiImages(ctx: Ctx, domain: string): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<EmojiKeys>`
      with shown as (
        select id, image_key, static_key from custom_emojis
        where domain is not null and ${isBelow(sql`domain`, domain)} and image_key is not null
        order by id limit ${batch} for update)
      update custom_emojis e set image_key = null, static_key = null, updated_at = ${new Date(tx.clock.now())}
      from shown s where s.id = e.id
      returning s.image_key, s.static_key`.execute(tx.db)
    await abandonFiles(
      tx,
      rows.flatMap((row) => [row.image_key, row.static_key]),
    )
    return rows.length
  })
}
