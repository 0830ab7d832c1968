// Avatars and headers of accounts elsewhere: copies of what their servers show.
import { sql } from 'kysely'
import type { Ctx, Reader } from '#ports/ctx.ts'
import { deleteImages, storeImage, type ImageKind } from '../profile/profile-images.ts'
import type { AccountId } from '#lib/id.ts'

export interface ImageSource {
  kind: ImageKind
  url: string
}

/** Where the pictures of an account of another server are. */
export async function listImageSources(reader: Reader, id: AccountId): Promise<ImageSource[]> {
  const { rows } = await sql<ImageSource>`
    select p.kind, p.url
    from accounts a
    cross join lateral (values ('avatar', a.avatar_remote_url), ('header', a.header_remote_url)) p (kind, url)
    where a.id = ${id} and a.domain is not null and a.deleted_at is null and p.url is not null`.execute(
    reader.db,
  )
  return rows
}

export interface ImageState {
  /** Of the copy, where there is one. */
  key: string | null
  url: string | null
  /** Hosts of whose server it is. */
  hosts: string[]
}

/** What is known of one picture of an account of another server; null for others, suspended and deleted ones. */
export async function findImageState(
  reader: Reader,
  id: AccountId,
  kind: ImageKind,
): Promise<ImageState | null> {
  const { rows } = await sql<ImageState>`
    select ${sql.ref(`${kind}_key`)} as key, ${sql.ref(`${kind}_remote_url`)} as url,
      array_remove(array[domain, uri_host], null) as hosts
    from accounts where id = ${id} and domain is not null and suspended_at is null and deleted_at is null`.execute(
    reader.db,
  )
  return rows[0] ?? null
}

/**
 * Gives an account the picture that was fetched from its address, unless it has another address by now. Throws
 * `invalid` when it is too large or not a picture we take.
 */
export async function setRemoteImage(
  ctx: Ctx,
  id: AccountId,
  source: ImageSource,
  bytes: Buffer,
): Promise<void> {
  const { kind, url } = source
  const picture = await storeImage(ctx, id, kind, bytes)
  const key = sql.ref(`a.${kind}_key`)
  const staticKey = sql.ref(`a.${kind}_static_key`)
  const remoteUrl = sql.ref(`a.${kind}_remote_url`)
  const columns = sql`${sql.ref(`${kind}_key`)} = ${picture.key}, ${sql.ref(`${kind}_static_key`)} = ${picture.staticKey}`
  const { rows } = await sql<{ files: (string | null)[] }>`
    with old as (
      select a.id, array[${key}, ${staticKey}] as files from accounts a
      where a.id = ${id} and a.deleted_at is null and ${remoteUrl} = ${url} for update)
    update accounts set ${columns}, version = version + 1, updated_at = ${new Date(ctx.clock.now())}
    from old where accounts.id = old.id returning old.files`.execute(ctx.db)
  await deleteImages(ctx, rows[0]?.files ?? [picture.key, picture.staticKey])
}
