// The files that rows name.
import type pg from 'pg'
import { to } from 'pg-copy-streams'
import type { Readable } from 'node:stream'

interface KeyColumn {
  table: string
  column: string
  /** Which rows name a copy of another server's file that is fetched again by itself when it is missing. */
  copies?: string
}

const isRemote = 'domain is not null'
const isCached = 'cached_at is not null'

/** Every column that has a key of the store of media. */
export const keyColumns: readonly KeyColumn[] = [
  { table: 'accounts', column: 'avatar_key', copies: isRemote },
  { table: 'accounts', column: 'avatar_static_key', copies: isRemote },
  { table: 'accounts', column: 'header_key', copies: isRemote },
  { table: 'accounts', column: 'header_static_key', copies: isRemote },
  { table: 'backups', column: 'file_key' },
  { table: 'bulk_imports', column: 'upload_key' },
  { table: 'custom_emojis', column: 'image_key' },
  { table: 'custom_emojis', column: 'static_key' },
  { table: 'media_attachments', column: 'original_key', copies: isCached },
  { table: 'media_attachments', column: 'preview_key', copies: isCached },
  { table: 'media_attachments', column: 'upload_key' },
  { table: 'preview_cards', column: 'image_key' },
  { table: 'site_uploads', column: 'file_key' },
]

/** A query of them all: each key, and whether its file is such a copy. */
export const keysQuery = [
  ...keyColumns.map(
    ({ table, column, copies = 'false' }) => `select ${column} as key, ${copies} as copy from ${table}`,
  ),
  'select v.value, false from site_uploads, jsonb_each_text(versions) v',
].join(' union all ')

/** The keys of all files, each once, a line each. `copies`: also those that can be fetched from other servers again. */
export function copyKeysOut(client: pg.Client, { copies }: { copies: boolean }): Readable {
  return client.query(
    to(`copy (
      select key from (${keysQuery}) k where key is not null
      group by key ${copies ? '' : 'having not bool_and(copy)'}) to stdout`),
  )
}

/** After a restore without copies of other servers' files: rows name none of them any more, so that they are fetched. */
export async function forgetCopies(client: pg.Client): Promise<void> {
  await client.query(
    `update media_attachments set original_key = null, preview_key = null, original_bytes = 0, preview_bytes = 0,
       cached_at = null, used_at = null
     where ${isCached}`,
  )
  await client.query(
    `update accounts set avatar_key = null, avatar_static_key = null, header_key = null, header_static_key = null,
       version = version + 1
     where ${isRemote} and num_nonnulls(avatar_key, avatar_static_key, header_key, header_static_key) > 0`,
  )
}
