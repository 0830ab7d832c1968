// Pictures that staff chose for the server, in place of those that the software brings.
import { sql, type Selectable } from 'kysely'
import type { SiteUploadsTable } from '#db/schema/moderation.ts'
import type { Reader } from '#ports/ctx.ts'
import { createTtlCache } from '#lib/time/ttl-cache.ts'

export const uploadNames = ['thumbnail', 'app_icon', 'favicon'] as const
export type UploadName = (typeof uploadNames)[number]

export interface SiteUpload extends Pick<
  Selectable<SiteUploadsTable>,
  'file_key' | 'bytes' | 'height' | 'blurhash' | 'updated_at'
> {
  name: UploadName
  /** Pixels of the largest version. */
  width: number | null
  /** Keys by the name of a size: `@1x` and `@2x` of the thumbnail, pixels of icons. */
  versions: Record<string, string>
}

export type SiteUploads = ReadonlyMap<UploadName, SiteUpload>

/** All there are as they are now. */
async function readSiteUploads(reader: Reader): Promise<SiteUploads> {
  const { rows } = await sql<SiteUpload>`
    select name, file_key, bytes, width, height, blurhash, versions, updated_at from site_uploads`.execute(
    reader.db,
  )
  return new Map(rows.map((row) => [row.name, row]))
}

const recent = createTtlCache(1_000, readSiteUploads)

/** All there are, at most a second old. */
export const getSiteUploads = (reader: Reader): Promise<SiteUploads> => recent.get(reader)

/** Has this process read them again: the database has told that they changed. */
export const invalidateSiteUploads = recent.forget

/** A mark that changes with the picture, for addresses that stay the same. */
export const markOf = (upload: SiteUpload): string => upload.updated_at.getTime().toString(36)
