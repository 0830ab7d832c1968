// `stonechat backup`: everything that a server is, in one file, while it goes on working.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, fstat } from 'node:fs'
import { access, open, realpath, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { loadConfig } from '#config/config.ts'
import {
  beginSnapshot,
  copyTableOut,
  listDumped,
  readSequences,
  schemaNumber,
  type DumpedTable,
} from '#db/dump/tables.ts'
import { copyKeysOut } from '#db/dump/media-keys.ts'
import type { Ctx } from '#ports/ctx.ts'
import { recordAction } from '#domain/server/audit/record.ts'
import { softwareVersion } from '#domain/server/instance/document-version.ts'
import { systemClock } from '#ports/clock.ts'
import { createContext, type App } from '../context.ts'
import { createLog } from '../log/log.ts'
import { joinPostgres } from '../postgres.ts'
import { createArchiveWriter, type ArchiveWriter } from './archive-writer.ts'
import {
  formatVersion,
  names,
  numbered,
  type Head,
  type Manifest,
  type MediaChoice,
  type ShowProgress,
} from './format.ts'
import { keepKeys, readFiles, type KeyList } from './media-source.ts'
import { countRows, cutRows, packRows } from './rows.ts'

export interface BackupOptions {
  /** A path, or null: stdout. */
  file: string | null
  /** Replaces a file that is there. */
  overwrite: boolean
  media: MediaChoice
  progress: ShowProgress
}

export interface BackupSummary extends Omit<Manifest, 'sums'> {
  createdAt: string
  schema: number
  /** Of the file. */
  bytes: number
}

/** The name under which a backup is written until it is whole. */
export const unfinishedName = (file: string) => `${file}.part`

/**
 * Writes the backup of the server of `env`, which may run meanwhile: rows are those of one moment, and files of that
 * moment are added after them. Throws ConfigError, and an Error of one line when the file is there or cannot be made.
 */
export async function writeBackup(env: NodeJS.ProcessEnv, options: BackupOptions): Promise<BackupSummary> {
  const config = loadConfig(env)
  if (options.file !== null) await assertFree(options.file, options.overwrite)
  // A link stays, and leads to the new backup.
  const file = options.file && (await realpath(options.file).catch(() => options.file))
  const log = createLog({ logLevel: env['LOG_LEVEL'] ? config.logLevel : 'warn' }, 'stderr')
  const postgres = await joinPostgres(config, log)
  try {
    const databaseUrl = postgres.url
    const app = await createContext({ config, databaseUrl, clock: systemClock, log, connections: 2 })
    try {
      const summary = await intoFile({ ...options, file }, (archive) =>
        fill(app, databaseUrl, archive, options),
      )
      await recordBackup(app.ctx, summary, options)
      return summary
    } finally {
      await app.close()
    }
  } finally {
    await postgres.close()
  }
}

/** `stonechat doctor` tells how old the last one is. The backup is whole, whatever comes of this. */
async function recordBackup(ctx: Ctx, { bytes }: BackupSummary, { media }: BackupOptions): Promise<void> {
  const label = ctx.config.localDomain
  const action = { action: 'backup', targetType: 'instance', label, details: { bytes, media } }
  await ctx
    .transaction((tx) => recordAction(tx, 'operator', action))
    .catch((error: Error) => ctx.log.warn({ error: error.message }, 'that it was made could not be noted'))
}

async function assertFree(file: string, overwrite: boolean): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found?.isDirectory()) throw new Error(`${file} is a folder: give the name of a file`)
  // What would be renamed onto a device takes its place.
  if (found && !found.isFile())
    throw new Error(`${file} is no ordinary file: give - as FILE, and lead stdout there`)
  if (found && !overwrite) throw new Error(`${file} exists already: choose another name, or add --force`)
  const folder = path.dirname(file)
  const isThere = await access(folder).then(
    () => true,
    () => false,
  )
  if (!isThere) throw new Error(`There is no folder ${folder}: make it, or give another name`)
}

/** What is written has its name only when it is whole and on the disk. */
async function intoFile(
  { file, overwrite }: BackupOptions,
  work: (archive: ArchiveWriter) => Promise<BackupSummary>,
): Promise<BackupSummary> {
  if (file === null) return intoSink(process.stdout, work)
  const unfinished = unfinishedName(file)
  await removeLeft(unfinished)
  let written: bigint | null = null
  try {
    const sink = createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true })
    const opened = once(sink, 'open') as Promise<[number]>
    written = await inodeOf(...(await opened))
    const summary = await intoSink(sink, work)
    await assertFree(file, overwrite)
    if ((await inodeAt(unfinished)) !== written)
      throw new Error(`Something else has taken ${unfinished}: does another backup write to it?`)
    await rename(unfinished, file)
    await syncFolder(path.dirname(file))
    return summary
  } catch (error) {
    // Not that of another backup, which may be whole one day.
    if (written !== null && (await inodeAt(unfinished)) === written) await rm(unfinished, { force: true })
    throw error
  }
}

/** A backup that goes on writes all the time. What has not changed for so long is left of one that was killed, in milliseconds. */
const quiet = 120_000

/** Where backups take longer than their pause, the one that is at work comes to its end, and not each next one instead. */
async function removeLeft(unfinished: string): Promise<void> {
  const found = await stat(unfinished).catch(() => null)
  if (found && Date.now() - found.mtimeMs < quiet)
    throw new Error(
      `${unfinished} was written to a moment ago, perhaps by a backup that is at work: if not, remove it`,
    )
  await rm(unfinished, { force: true })
}

const inodeOf = async (handle: number): Promise<bigint> =>
  (await promisify(fstat)(handle, { bigint: true })).ino

const inodeAt = (file: string): Promise<bigint | null> =>
  stat(file, { bigint: true }).then(
    (found) => found.ino,
    () => null,
  )

async function intoSink(
  sink: Writable,
  work: (archive: ArchiveWriter) => Promise<BackupSummary>,
): Promise<BackupSummary> {
  const archive = createArchiveWriter(sink)
  try {
    return await work(archive)
  } catch (error) {
    await archive.fail(error as Error)
    throw error
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

async function fill(
  app: App,
  databaseUrl: string,
  archive: ArchiveWriter,
  { media, progress }: BackupOptions,
): Promise<BackupSummary> {
  const { head, rows, keys } = await fillRows(app, databaseUrl, archive, { media, progress })
  try {
    const files = await fillMedia(app.ctx, archive, keys, progress)
    const manifest = { id: head.id, rows, media: files }
    const bytes = await archive.finish(manifest)
    return { ...manifest, createdAt: head.createdAt, schema: head.schema, bytes }
  } finally {
    await keys?.close()
  }
}

interface FilledRows {
  head: Head
  /** Rows of each table. */
  rows: Record<string, number>
  /** The files that they name; null when none are wanted. */
  keys: KeyList | null
}

/** Everything of the database, in one transaction that only reads. */
async function fillRows(
  { ctx }: App,
  databaseUrl: string,
  archive: ArchiveWriter,
  { media, progress }: Pick<BackupOptions, 'media' | 'progress'>,
): Promise<FilledRows> {
  const client = await connect(databaseUrl)
  try {
    await beginSnapshot(client)
    const tables = await listDumped(client)
    const head = await describe(ctx, client, { tables, media })
    await archive.add(names.head, JSON.stringify(head))
    await archive.add(names.keys, JSON.stringify(ctx.secrets))
    const rows: Record<string, number> = {}
    const shown = progress('Rows')
    for (const table of tables) {
      rows[table.name] = await fillTable(client, archive, table, (count) => shown.advance(count))
    }
    shown.done()
    await archive.add(names.sequences, JSON.stringify(await readSequences(client)))
    const copies = media === 'all'
    const keys = media === 'none' ? null : await keepKeys(copyKeysOut(client, { copies }), ctx.config.dataDir)
    return { head, rows, keys }
  } finally {
    await client.end().catch(() => {})
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'stonechat',
    keepAlive: true,
  })
  // A connection that breaks fails what is asked of it.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function describe(
  { config }: Ctx,
  client: pg.Client,
  { tables, media }: { tables: DumpedTable[]; media: MediaChoice },
): Promise<Head> {
  return {
    format: formatVersion,
    id: randomUUID(),
    software: softwareVersion,
    schema: await schemaNumber(client),
    localDomain: config.localDomain,
    baseUrl: config.baseUrl,
    createdAt: new Date().toISOString(),
    media,
    tables,
  }
}

/** Returns how many rows it has. */
async function fillTable(
  client: pg.Client,
  archive: ArchiveWriter,
  table: DumpedTable,
  onRows: (count: number) => void,
): Promise<number> {
  let [parts, total] = [0, 0]
  for await (const part of cutRows(copyTableOut(client, table))) {
    const count = countRows(part, table)
    if (count === null) throw new Error(`The rows of ${table.name} came in an unknown form`)
    await archive.add(`${names.tables}${table.name}/${numbered(++parts)}.zst`, await packRows(part))
    total += count
    onRows(count)
  }
  return total
}

async function fillMedia(
  { storage }: Ctx,
  archive: ArchiveWriter,
  list: KeyList | null,
  progress: ShowProgress,
): Promise<Manifest['media']> {
  const media = { files: 0, bytes: 0, missing: 0 }
  if (list === null) return media
  const shown = progress('Files', list.count)
  for await (const { key, size, source } of readFiles(storage, list.keys())) {
    shown.advance()
    if (source === null) {
      media.missing++
      continue
    }
    await archive.addStream(names.media + key, size, source)
    media.files++
    media.bytes += size
  }
  shown.done()
  return media
}
