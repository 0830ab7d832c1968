// Pictures that staff chose for the server, in place of those that the software brings.
import { sql } from 'kysely'
import type { Config, Reader } from '#ports/ctx.ts'

export const uploadNames = ['thumbnail', 'app_icon', 'favicon'] as const
export type UploadName = (typeof uploadNames)[number]

export interface SiteUpload {
  name: UploadName
  file_key: string
  bytes: string
  /** Pixels of the largest version. */
  width: number | null
  height: number | null
  blurhash: string | null
  /** Keys by the name of a size: `@1x` and `@2x` of the thumbnail, pixels of icons. */
  versions: Record<string, string>
  updated_at: Date
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

/** How long another process's change may go unnoticed, in milliseconds. */
const staleAfter = 1_000

/** By configuration, of which each server in a process has its own. */
const recent = new WeakMap<Config, { readAt: number; uploads: SiteUploads }>()

/** All there are, at most a second old. */
export async function getSiteUploads(reader: Reader): Promise<SiteUploads> {
  const now = reader.clock.now()
  const kept = recent.get(reader.config)
  if (kept && Math.abs(now - kept.readAt) < staleAfter) return kept.uploads
  const uploads = await readSiteUploads(reader)
  recent.set(reader.config, { readAt: now, uploads })
  return uploads
}

/** Has this process read them again. */
export const forgetSiteUploads = ({ config }: Pick<Reader, 'config'>) => recent.delete(config)

/** A mark that changes with the picture, for addresses that stay the same. */
export const markOf = (upload: SiteUpload): string => upload.updated_at.getTime().toString(36)
