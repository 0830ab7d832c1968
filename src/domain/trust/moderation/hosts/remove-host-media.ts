// Copies of a server's files, of which this one wants to have none.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { removeCachedMediaOf } from '#domain/content/media/cache.ts'
import { abandonFiles } from '#domain/content/media/files.ts'
import { isBelow, listHostsBelow, type HostPair } from '#domain/server/hosts/hosts-below.ts'

const batch = 200

/**
 * Deletes the copies of what accounts of a domain, and those below it, posted, of their pictures and of their emoji.
 * Nothing when files are taken from the domain. Where they are taken again, they come when they are next asked for.
 * Safe to run again.
 */
export async function removeHostMedia(ctx: Ctx, domain: string): Promise<void> {
  if (!(await isMediaRejected(ctx, domain))) return
  for (const pair of await listHostsBelow(ctx, domain)) {
    await removeCachedMediaOf(ctx, pair)
    while ((await forgetImages(ctx, pair)) === batch);
  }
  while ((await invalidateEmojiCache(ctx, domain)) === batch);
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

interface EmojiKeys {
  shortcode: string
  domain: string
  image_key: string | null
  static_key: string | null
}

/** The emoji themselves stay: reactions hang on them. */
function invalidateEmojiCache(ctx: Ctx, domain: string): Promise<number> {
  return ctx.transaction(async (tx) => {
    const { rows } = await sql<EmojiKeys>`
      with shown as (
        select id, domain, image_key, static_key from custom_emojis
        where domain is not null and ${isBelow(sql`domain`, domain)} and image_key is not null
        order by id limit ${batch} for update)
      update custom_emojis e set image_key = null, static_key = null, updated_at = ${new Date(tx.clock.now())}
      from shown s where s.id = e.id
      returning e.shortcode, s.domain, s.image_key, s.static_key`.execute(tx.db)
    await abandonFiles(
      tx,
      rows.flatMap((row) => [row.image_key, row.static_key]),
    )
    for (const host of new Set(rows.map((row) => row.domain))) {
      const shortcodes = rows.filter((row) => row.domain === host).map((row) => row.shortcode)
      await tx.emit({ type: 'emojis.changed', shortcodes, domain: host })
    }
    return rows.length
  })
}
