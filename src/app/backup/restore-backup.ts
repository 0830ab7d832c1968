// `stonechat restore`: makes of a backup the server that it was made of.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { openDatabase } from '#adapters/postgres/database.ts'
import { migrateJobs } from '#adapters/postgres/jobs.ts'
import { loadConfig, type Config } from '#config/config.ts'
import { beginLoad, type Load } from '#db/dump/load.ts'
import { forgetCopies } from '#db/dump/media-keys.ts'
import type { DumpedTable } from '#db/dump/tables.ts'
import { clearTarget, countServers, keepVapid, markFinished, stateOfTarget } from '#db/dump/target.ts'
import { migrations } from '#db/migrations/index.ts'
import { systemClock } from '#ports/clock.ts'
import type { Log } from '#ports/log.ts'
import { createContext, type App } from '../context.ts'
import { createLog } from '../log/log.ts'
import { openPostgres } from '../postgres.ts'
import { makeSecretKeyPlace, secretKeyFile } from '../secrets.ts'
import { readArchive } from './archive-reader.ts'
import type { Head, Keys, Manifest, ShowProgress } from './format.ts'
import { createMediaTarget, type MediaTarget } from './media-target.ts'
import { unpackRows } from './rows.ts'
import { settleRestored, type Settled } from './settle-restored.ts'
import { verifyBackup, type VerifiedBackup } from './verify-backup.ts'

export interface RestoreOptions {
  file: string
  /** Also where there is something: it is replaced. */
  force: boolean
  /** What waited to be sent is sent. */
  resume: boolean
  progress: ShowProgress
}

export interface RestoreSummary extends Pick<Manifest, 'id' | 'rows' | 'media'> {
  createdAt: string
  /** Of the backup; the database has that of this program. */
  schema: number
  /** Null when what waited goes on. */
  settled: Settled | null
}

/**
 * Checks the file, then makes its server out of the empty DATA_DIR and database of `env`. Interrupted, it leaves a
 * database that no server starts on, and can be run again. Throws ConfigError, and an Error of one line before
 * anything is touched when the file is damaged, does not fit, or there is a server already.
 */
export async function restoreBackup(
  env: NodeJS.ProcessEnv,
  options: RestoreOptions,
): Promise<RestoreSummary> {
  const config = loadConfig(env)
  const log = createLog({ logLevel: env['LOG_LEVEL'] ? config.logLevel : 'warn' }, 'stderr')
  const backup = await verifyBackup(options.file, options.progress)
  assertFits(config, backup)
  const postgres = await openPostgres(config, log)
  try {
    const client = await connect(postgres.url)
    try {
      await assertFree(client, config, { backup, force: options.force })
      return await restore({ config, log, client, databaseUrl: postgres.url, backup, options })
    } finally {
      await client.end().catch(() => {})
    }
  } finally {
    await postgres.close()
  }
}

function assertFits(config: Config, { head, keys }: VerifiedBackup): void {
  const mine = migrations.at(-1)?.number ?? 0
  if (head.schema > mine) {
    throw new Error(
      `The backup has schema ${head.schema}, this program knows only ${mine}: restore it with Stonechat ${head.software} or newer`,
    )
  }
  if (head.localDomain !== config.localDomain || head.baseUrl !== config.baseUrl) {
    throw new Error(
      `The backup is of ${head.localDomain} at ${head.baseUrl}, and this is ${config.localDomain} at ${config.baseUrl}: set LOCAL_DOMAIN, WEB_DOMAIN, LOCAL_HTTPS and PORT as they were`,
    )
  }
  if (config.secretKeyBase !== null && config.secretKeyBase !== keys.secretKeyBase) {
    throw new Error(
      'SECRET_KEY_BASE is not that of the backup: leave it out, and the one of the backup is used',
    )
  }
  if (config.vapid !== null && config.vapid.privateKey !== keys.vapid.privateKey) {
    throw new Error(
      'VAPID_PRIVATE_KEY is not that of the backup: leave the pair out, and the one of the backup is used',
    )
  }
}

/** For how long the database may go on showing connections that were closed, in milliseconds. */
const closing = 3_000

async function assertNobodyAtWork(client: pg.Client): Promise<void> {
  for (const deadline = performance.now() + closing; (await countServers(client)) > 0; await sleep(100)) {
    if (performance.now() > deadline)
      throw new Error('A server or a command is at work on this database: stop it first')
  }
}

async function assertFree(
  client: pg.Client,
  config: Config,
  { backup, force }: { backup: VerifiedBackup; force: boolean },
): Promise<void> {
  await assertNobodyAtWork(client)
  const state = await stateOfTarget(client)
  if (force || state === 'unfinished') return
  const remedy = 'choose an empty one, or add --force to replace it'
  if (state === 'used') throw new Error(`There is something in this database already: ${remedy}`)
  const folder = path.join(config.dataDir, 'media')
  const isFolderWanted = config.s3 === null && backup.head.media !== 'none'
  if (isFolderWanted && (await readdir(folder).catch(() => [])).length > 0) {
    throw new Error(`There are files in ${folder} already: ${remedy}`)
  }
  const key = await readFile(secretKeyFile(config), 'utf8').catch(() => null)
  if (key !== null && key.trim() !== backup.keys.secretKeyBase) {
    throw new Error(`DATA_DIR ${config.dataDir} has keys of another server already: ${remedy}`)
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'stonechat-restore',
    keepAlive: true,
  })
  // A connection that breaks fails what is asked of it.
  client.on('error', () => {})
  await client.connect()
  // What a restore that was killed had begun ends by itself, also while it makes an index. Not every system can tell.
  await client.query("set client_connection_check_interval = '1s'").catch(() => {})
  return client
}

interface Restoring {
  config: Config
  log: Log
  client: pg.Client
  databaseUrl: string
  backup: VerifiedBackup
  options: RestoreOptions
}

async function restore(parts: Restoring): Promise<RestoreSummary> {
  const { client, backup, options } = parts
  const { head, manifest } = backup
  await clearTarget(client, head.id)
  await makeQueue(parts)
  const app = await load(parts)
  try {
    if (head.media === 'own') await forgetCopies(client)
    const settled = options.resume ? null : await settleRestored(app.ctx, client)
    await client.query('analyze')
    await markFinished(client)
    const { id, rows, media } = manifest
    return { id, rows, media, createdAt: head.createdAt, schema: head.schema, settled }
  } finally {
    await app.close()
  }
}

/** The queue's tables come with its package, and commit by themselves. */
async function makeQueue({ databaseUrl, log }: Restoring): Promise<void> {
  const database = openDatabase({ url: databaseUrl, max: 1, log })
  // The handle closes only what it has used itself.
  await migrateJobs(database.pool).finally(() => database.pool.end())
}

/** Brings everything in. Returns the server of it, whose worker does not work. */
async function load(parts: Restoring): Promise<App> {
  const { client, config, backup, options } = parts
  const state: { rows?: RowLoader; app?: App; media?: MediaTarget; files?: ReturnType<ShowProgress> } = {}
  try {
    await readArchive(options.file, {
      async head(head) {
        if (head.id !== backup.head.id) throw new Error(`${options.file} was changed meanwhile`)
        state.rows = await beginRows(client, backup, options.progress)
      },
      keys: (keys) => writeKeys(config, keys),
      table: (name, part) => needed(state.rows).add(name, part),
      async sequences(values) {
        await needed(state.rows).finish(values)
        await keepVapid(client, JSON.stringify(backup.keys.vapid))
        state.app = await openApp(parts)
        state.media = createMediaTarget(state.app.ctx.storage, config.dataDir)
        state.files = options.progress('Files', backup.manifest.media.files)
      },
      async media(key, size, source) {
        await needed(state.media).put(key, size, source)
        state.files?.advance()
      },
    })
    await needed(state.media).finish()
    state.files?.done()
    return needed(state.app)
  } catch (error) {
    await state.rows?.abandon()
    await state.media?.finish().catch(() => {})
    await state.app?.close()
    throw error
  }
}

/** The order of the entries was checked with the file. */
function needed<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The parts of the backup are not in their order')
  return value
}

/** Migrates what is older. Mails are sent by nobody meanwhile, whatever asks for them. */
const openApp = ({ config, databaseUrl, log }: Restoring): Promise<App> =>
  createContext({
    config,
    databaseUrl,
    clock: systemClock,
    log,
    mailer: { send: async () => {} },
    connections: 4,
    restoring: true,
  })

async function writeKeys(config: Config, { secretKeyBase }: Keys): Promise<void> {
  if (config.secretKeyBase !== null) return
  const file = await makeSecretKeyPlace(config)
  await writeFile(file, secretKeyBase, { mode: 0o600, flush: true })
}

interface RowLoader {
  add(table: string, part: Buffer): Promise<void>
  finish(sequences: Record<string, string>): Promise<void>
  abandon(): Promise<void>
}

async function beginRows(
  client: pg.Client,
  { head, manifest }: { head: Head; manifest: Manifest },
  progress: ShowProgress,
): Promise<RowLoader> {
  const target: Load = await beginLoad(client, head)
  const tables = new Map(head.tables.map((table): [string, DumpedTable] => [table.name, table]))
  const loaded = new Map<string, number>()
  const total = Object.values(manifest.rows).reduce((sum, count) => sum + count, 0)
  const shown = progress('Rows', total)
  let isOver = false
  return {
    async add(name, part) {
      const table = needed(tables.get(name))
      const count = await target.copyIn(table, await unpackRows(part))
      loaded.set(name, (loaded.get(name) ?? 0) + count)
      shown.advance(count)
    },
    async finish(sequences) {
      shown.done()
      const short = head.tables.find(({ name }) => (loaded.get(name) ?? 0) !== manifest.rows[name])
      if (short)
        throw new Error(
          `${short.name} took ${loaded.get(short.name) ?? 0} rows instead of ${manifest.rows[short.name]}`,
        )
      const indexes = progress('Indexes and keys')
      await target.finish(sequences, () => indexes.advance())
      indexes.done()
      isOver = true
    },
    async abandon() {
      if (!isOver) await target.abandon()
    },
  }
}
