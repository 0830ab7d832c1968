// Makes the archive of an account, in the form of Mastodon's: a zip that grows on disk, while the posts pass through
// memory a page at a time.
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { ZipFile } from 'yazl'
import type { Ctx, Tx } from '#ports/ctx.ts'
import { findActor, type ActorFacts } from '#domain/identity/accounts/load-actor.ts'
import { getSettings } from '#domain/server/instance/settings.ts'
import { storeFiles } from '#domain/content/media/files.ts'
import { inWorkspace } from '#domain/content/media/workspace.ts'
import type { NoteFacts } from '#domain/content/statuses/load-note-data.ts'
import { conflict, isAppError } from '#lib/errors.ts'
import { newSecret } from '#lib/secrets.ts'
import { readDrafts, readLikes, readMediaKeys, readBookmarks, readOutbox } from './archive-contents.ts'
import { createProgress, type Progress } from './archive-progress.ts'
import type { AccountId, BackupId, UserId } from '#lib/id.ts'

/** How ActivityPub writes things down: federation knows. */
export interface ArchiveWriter {
  context: readonly unknown[]
  actor(facts: ActorFacts): Record<string, unknown>
  activity(facts: NoteFacts): Record<string, unknown>
}

interface Claim {
  id: BackupId
  account_id: AccountId
  attempts: number
}

const maxAttempts = 5
const day = 86_400_000

/**
 * Makes an archive that was asked for, and has its owner told. Idempotent. Rejects, and may be tried again, when
 * files cannot be read or stored; after some tries it is given up.
 */
export async function makeArchive(ctx: Ctx, id: BackupId, writer: ArchiveWriter): Promise<void> {
  const claim = await begin(ctx, id)
  if (!claim) return
  const actor = await findActor(ctx, claim.account_id)
  if (!actor || claim.attempts > maxAttempts) return fail(ctx, claim)
  try {
    const progress = await createProgress(ctx, claim)
    await inWorkspace(ctx, async (folder) => {
      const file = path.join(folder, 'archive.zip')
      await writeZip(ctx, file, { actor, writer, progress })
      await publish(ctx, claim, file)
    })
  } catch (error) {
    // Another worker made it, or its owner is gone.
    if (!isAppError(error, 'conflict')) throw error
  }
}

/** Counts the attempt before it is made: a process that ends cannot count. */
async function begin(ctx: Ctx, id: BackupId): Promise<Claim | null> {
  const { rows } = await sql<Claim>`
    update backups set state = 'in_progress', attempts = attempts + 1
    where id = ${id} and state in ('scheduled', 'in_progress') returning id, account_id, attempts`.execute(
    ctx.db,
  )
  return rows[0] ?? null
}

async function fail(ctx: Ctx, { id, attempts }: Claim): Promise<void> {
  ctx.log.error({ backup: id, attempts }, 'an archive could not be made; it is given up')
  await sql`
    update backups set state = 'failed', finished_at = ${new Date(ctx.clock.now())}
    where id = ${id} and state = 'in_progress'`.execute(ctx.db)
}

async function publish(ctx: Ctx, claim: Claim, file: string): Promise<void> {
  const { backups_retention_period: days } = await getSettings(ctx)
  const { size } = await stat(file)
  const key = `backups/${newSecret()}.zip`
  await storeFiles(ctx, [{ key, path: file, contentType: 'application/zip' }], async (tx) => {
    const now = tx.clock.now()
    const { rows } = await sql`
      update backups set state = 'finished', file_key = ${key}, bytes = ${size}, finished_at = ${new Date(now)},
        expires_at = ${days === null ? null : new Date(now + days * day)}
      where id = ${claim.id} and state = 'in_progress' returning id`.execute(tx.db)
    if (rows.length === 0) throw conflict()
    await tell(tx, claim)
  })
}

async function tell(tx: Tx, claim: Claim): Promise<void> {
  const { rows } = await sql<{ id: UserId; email: string }>`
    select id, email from users where account_id = ${claim.account_id}`.execute(tx.db)
  for (const { id: userId, email: to } of rows) {
    await tx.emit({ type: 'mail.requested', mail: { kind: 'archive-ready', userId, to, backupId: claim.id } })
  }
}

interface Contents {
  actor: ActorFacts
  writer: ArchiveWriter
  progress: Progress
}

async function writeZip(ctx: Ctx, target: string, contents: Contents): Promise<void> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // All that goes wrong ends the file, and so all that waits for it.
  zip.on('error', (error: Error) => output.destroy(error))
  const written = pipeline(output, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
  written.catch(() => {})
  try {
    await fill(ctx, createAdder(ctx, zip, written), contents)
    zip.end()
  } catch (error) {
    output.destroy(error as Error)
  }
  await written
}

/** Puts one stream after the other into the archive. */
type Add = (name: string, source: Readable, options: { compress: boolean; size?: number }) => Promise<void>

function createAdder(ctx: Ctx, zip: ZipFile, written: Promise<void>): Add {
  return async (name, source, options) => {
    zip.addReadStream(source, name, { ...options, mtime: new Date(ctx.clock.now()), mode: 0o100644 })
    try {
      await Promise.race([finished(source), written])
    } finally {
      source.destroy()
    }
  }
}

/** The order is Mastodon's. Drafts are an extension, and come last of the texts. */
async function fill(ctx: Ctx, add: Add, { actor, writer, progress }: Contents): Promise<void> {
  const text = (name: string, pieces: Iterable<string> | AsyncIterable<string>) =>
    add(name, Readable.from(pieces, { objectMode: false }), { compress: true })
  const activities = withoutHost(progress.count(readOutbox(ctx, actor.id)), writer)
  await text(
    'outbox.json',
    collection('outbox.json', { context: writer.context, total: progress.statuses, items: activities }),
  )
  for await (const key of progress.count(readMediaKeys(ctx, actor.id))) await addFile(ctx, add, key, key)
  for (const [name, items] of [
    ['likes.json', readLikes(ctx, actor.id)],
    ['bookmarks.json', readBookmarks(ctx, actor.id)],
  ] as const) {
    await text(name, collection(name, { context: writer.context, items }))
  }
  await text('drafts.json', list(readDrafts(ctx, actor.id)))
  const { icon, image } = { icon: imageName('avatar', actor), image: imageName('header', actor) }
  if (icon) await addFile(ctx, add, icon, actor.avatar_key as string)
  if (image) await addFile(ctx, add, image, actor.header_key as string)
  await text('actor.json', [JSON.stringify(localActor(writer, actor, { icon, image }))])
}

/** https://www.w3.org/TR/activitystreams-vocabulary/#dfn-orderedcollection, one item at a time. */
async function* collection(
  id: string,
  { context, total, items }: { context: readonly unknown[]; total?: number; items: AsyncIterable<unknown> },
): AsyncGenerator<string> {
  const head = {
    '@context': context,
    id,
    type: 'OrderedCollection',
    ...(total !== undefined && { totalItems: total }),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"orderedItems":[`
  yield* separated(items)
  yield ']}'
}

/** A list in JSON, one item at a time. */
async function* list(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield '['
  yield* separated(items)
  yield ']'
}

async function* separated(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = ''
  for await (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ','
  }
}

/** Attachments are named by their place in the archive. */
async function* withoutHost(notes: AsyncIterable<NoteFacts>, writer: ArchiveWriter): AsyncGenerator<unknown> {
  for await (const note of notes) {
    const activity = writer.activity(note)
    const object = activity['object']
    if (typeof object !== 'object' || object === null || note.media.length === 0) {
      yield activity
      continue
    }
    const attachment = ((object as Record<string, unknown>)['attachment'] as { url: string }[]).map((one) => {
      const media = note.media.find(({ original_key: key }) => key !== null && one.url.endsWith(`/${key}`))
      return media ? { ...one, url: `/${media.original_key}` } : one
    })
    yield { ...activity, object: { ...object, attachment } }
  }
}

async function addFile(ctx: Ctx, add: Add, name: string, key: string): Promise<void> {
  const file = await ctx.storage.open(key)
  if (!file) return ctx.log.warn({ key }, 'a file that belongs into an archive is missing')
  await add(name, Readable.fromWeb(file.stream), { compress: false, size: file.size })
}

function imageName(name: 'avatar' | 'header', actor: ActorFacts): string | null {
  const key = actor[`${name}_key`]
  return key === null ? null : `${name}${path.extname(key)}`
}

function localActor(
  writer: ArchiveWriter,
  facts: ActorFacts,
  pictures: { icon: string | null; image: string | null },
): Record<string, unknown> {
  const actor = writer.actor(facts)
  for (const [name, url] of Object.entries(pictures)) {
    if (url !== null) actor[name] = { ...(actor[name] as object), url }
  }
  return {
    '@context': writer.context,
    ...actor,
    outbox: 'outbox.json',
    likes: 'likes.json',
    bookmarks: 'bookmarks.json',
  }
}
