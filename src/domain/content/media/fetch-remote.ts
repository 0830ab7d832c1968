// Copies of other servers' files: fetched when somebody looks, made anew like uploads, kept for a while.
import path from 'node:path'
import { sql } from 'kysely'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { conflict, isAppError, notFound, unavailable } from '#lib/errors.ts'
import { RemoteError } from '#ports/http-client.ts'
import { onlyFileHosts } from '#domain/server/hosts/check-hops.ts'
import { loadHostPolicy } from '#domain/server/hosts/host-policy.ts'
import { abandonFiles, storeFiles } from './files.ts'
import { getMediaRow, type MediaRow } from './load.ts'
import { filesOf, nameMedia, namePreview, setOriginal, setPreview, type NamedPreview } from './processed.ts'
import { inWorkspace } from './workspace.ts'
import type { MediaId } from '#lib/id.ts'

export type MediaPart = 'original' | 'small'

const folder = 'cache/media_attachments'
/** From the request to the last byte, in milliseconds. */
const patience = 60_000
/** How long it is not tried again after a failure, in seconds. */
const quietTime = { gone: 3600, away: 120 }
/** A server may not know what its files are. What counts is told by the bytes. */
const anyBytes = 'application/octet-stream'

type Failure = keyof typeof quietTime

/** Fetches under way in this process. */
const underWay = new WeakMap<Ctx, Map<string, Promise<string>>>()

/**
 * The key of a copy of another server's file, which is fetched when there is none; once for all who ask meanwhile.
 * Throws `not_found` when it cannot be had or shown, and `unavailable` when its server does not answer.
 */
export async function fetchRemoteMedia(ctx: Ctx, media: MediaRow, part: MediaPart): Promise<string> {
  const known = keyOf(media, part)
  if (known !== null) return known
  const fetches = underWay.get(ctx) ?? new Map<string, Promise<string>>()
  underWay.set(ctx, fetches)
  const name = `${media.id}/${part}`
  const running = fetches.get(name) ?? fetchOnce(ctx, media, part).finally(() => fetches.delete(name))
  fetches.set(name, running)
  return running
}

/** What is shown small is the preview, or a picture that needs none. */
function keyOf(media: MediaRow, part: MediaPart): string | null {
  if (part === 'original') return media.original_key
  return media.preview_key ?? (media.type === 'image' ? media.original_key : null)
}

async function fetchOnce(ctx: Ctx, media: MediaRow, part: MediaPart): Promise<string> {
  const quietKey = `remote-media:${media.id}:${part}`
  // What is remembered only saves work.
  const earlier = (await ctx.kv.get(quietKey).catch(() => null)) as Failure | null
  if (earlier !== null) throw refusal(earlier)
  if (await isRejected(ctx, media)) throw notFound()
  try {
    if (part === 'small' && media.remote_preview_url !== null) {
      await fetchPreview(ctx, media, media.remote_preview_url)
    } else if (part === 'original' || media.type !== 'audio') await fetchOriginal(ctx, media)
  } catch (error) {
    if (!isAppError(error, 'conflict')) {
      const failure = failureOf(error)
      if (failure === null) throw error
      ctx.log.info({ media: media.id, cause: String(error) }, 'a remote file could not be fetched')
      await ctx.kv.set(quietKey, failure, quietTime[failure]).catch(() => {})
      throw refusal(failure)
    }
  }
  const key = keyOf(await getMediaRow(ctx, media.id), part)
  if (key === null) throw notFound()
  return key
}

/** This server takes no files from the one whose account posted it (domain blocks). */
async function isRejected(ctx: Ctx, { account_id: accountId }: MediaRow): Promise<boolean> {
  const { rows } = await sql<{ domain: string; uri_host: string | null }>`
    select domain, uri_host from accounts where id = ${accountId} and domain is not null`.execute(ctx.db)
  if (!rows[0]) return false
  const hosts = [rows[0].domain, rows[0].uri_host].filter((host) => host !== null)
  return (await loadHostPolicy(ctx, hosts)).rejectMedia
}

const refusal = (failure: Failure) => (failure === 'gone' ? notFound() : unavailable())

/** Null for what is no fault of the file or its server. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof RemoteError) {
    return error.problem === 'unreachable' || error.problem === 'timeout' ? 'away' : 'gone'
  }
  if (isAppError(error, 'invalid')) return 'gone'
  return error instanceof StatusError ? (error.status < 500 && error.status !== 429 ? 'gone' : 'away') : null
}

class StatusError extends Error {
  readonly status: number

  constructor(status: number) {
    super(`the server answered ${status}`)
    this.status = status
  }
}

async function fetchOriginal(ctx: Ctx, media: MediaRow): Promise<void> {
  const { imageBytes, videoBytes } = ctx.config.limits
  await inWorkspace(ctx, async (directory) => {
    const source = path.join(directory, 'remote')
    await download(ctx, {
      url: media.remote_url ?? '',
      path: source,
      maxBytes: media.type === 'image' ? imageBytes : Math.max(imageBytes, videoBytes),
      types: ['image/*', 'video/*', 'audio/*', anyBytes],
    })
    const named = nameMedia(media.id, await ctx.media.process(source, { directory }), folder)
    await storeFiles(ctx, filesOf(named), async (tx) => {
      const now = new Date(tx.clock.now())
      const { rows } = await sql<{ preview_key: string | null }>`
        update media_attachments
        set state = 'complete', cached_at = ${now}, used_at = ${now}, ${setOriginal(named)}
        where id = ${media.id} and original_key is null returning preview_key`.execute(tx.db)
      if (!rows[0]) throw conflict()
      const preview = named.preview
      if (preview && rows[0].preview_key === null) await setCachedPreview(tx, media.id, preview)
      else await abandonFiles(tx, [preview?.file.key ?? null])
      await showAnew(tx, media.id)
    })
  })
}

async function fetchPreview(ctx: Ctx, media: MediaRow, url: string): Promise<void> {
  await inWorkspace(ctx, async (directory) => {
    const source = path.join(directory, 'remote')
    const maxBytes = ctx.config.limits.imageBytes
    await download(ctx, { url, path: source, maxBytes, types: ['image/*', anyBytes] })
    const preview = namePreview(media.id, await ctx.media.preview(source, directory), folder)
    await storeFiles(ctx, [preview.file], async (tx) => {
      if (!(await setCachedPreview(tx, media.id, preview))) throw conflict()
      await showAnew(tx, media.id)
    })
  })
}

async function download(
  ctx: Ctx,
  request: { url: string; path: string; maxBytes: number; types: string[] },
): Promise<void> {
  const { status } = await ctx.http.download({ ...request, timeout: patience, sign: onlyFileHosts(ctx) })
  if (status < 200 || status > 299) throw new StatusError(status)
}

async function setCachedPreview(tx: Tx, id: MediaId, preview: NamedPreview): Promise<boolean> {
  const now = new Date(tx.clock.now())
  const { rows } = await sql`
    update media_attachments set cached_at = ${now}, used_at = ${now}, ${setPreview(preview)}
    where id = ${id} and preview_key is null returning id`.execute(tx.db)
  return rows.length > 0
}

/** What is kept of the status rendered names the way through this server; now the copy has an address of its own. */
async function showAnew(tx: Tx, id: MediaId): Promise<void> {
  await sql`
    update statuses set version = version + 1
    where id = (select status_id from media_attachments where id = ${id})`.execute(tx.db)
}
