// The embedded PostgreSQL: its cluster lives in DATA_DIR/postgres, its process as long as this one.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#ports/log.ts'
import { chooseAccount } from './account.ts'
import { chooseAddress, databaseUrl } from './address.ts'
import { findBinaries } from './binaries.ts'
import { ensureCluster, readPassword } from './cluster.ts'
import { watchLog } from './log-file.ts'
import { defaultDatabase, placesIn } from './places.ts'
import { findPostmaster } from './processes.ts'
import { startServer, tryConnect, type ServerOptions } from './server.ts'
import { sizedSettings } from './sizing.ts'

export interface EmbeddedPostgres {
  /** postgres:// URL of the database `stonechat`. */
  url: string
  /** URL of another database in this cluster. */
  urlFor(database: string): string
  /** Shuts the database down, so that all is on the disk. May be called again. */
  stop(): Promise<void>
  /** Resolves when the database ended without being asked and could not be started again either. */
  died: Promise<void>
}

/** For commands that run beside the server, psql, and what a migration opens for itself. */
const spareConnections = 40
const maxConnections = (server: number) => Math.max(60, server + spareConnections)

/**
 * Starts the database, making it on first use; ends what a killed server left running. If its process ends by itself
 * it is started again at the same URL. The caller holds the lock on `dataDir`.
 * Throws an Error of one line that tells the operator what to do.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string
  log: Log
  /** Beyond the defaults and what follows from the machine and the data; they win. */
  settings?: Readonly<Record<string, string>>
  /** Connections that the server itself opens at most. */
  connections?: number
  /** Called before the cluster is made in `folder`, on first use. */
  onMake?: (folder: string) => void
}): Promise<EmbeddedPostgres> {
  const { log } = options
  const places = placesIn(options.dataDir)
  const account = await chooseAccount(places.cluster)
  const { bin, major } = await findBinaries(account, places.dataDir)
  const password = await ensureCluster(places, { bin, major }, { account, onMake: options.onMake })
  const address = await chooseAddress(places.cluster)
  const settings = {
    ...(await sizedSettings(places)),
    max_connections: String(maxConnections(options.connections ?? 0)),
    ...options.settings,
  }
  const server = await supervise({ places, bin, account, address, password, settings, log })
  const stopWatching = watchLog(places.logFile)
  return {
    url: databaseUrl(address, password, defaultDatabase),
    urlFor: (database) => databaseUrl(address, password, database),
    async stop() {
      stopWatching()
      await server.stop()
    },
    died: server.died,
  }
}

/**
 * The URL of the embedded database in `dataDir` while some server runs it, otherwise null. Starts nothing.
 * Throws an Error of one line when it belongs to an account whose files this process may not read.
 */
export async function connectEmbeddedPostgres({ dataDir }: { dataDir: string }): Promise<string | null> {
  const places = placesIn(dataDir)
  const running = await findPostmaster(places.cluster)
  if (!running?.isReady) return null
  const socketDir = running.usesSocket ? places.cluster : null
  const url = databaseUrl({ socketDir, port: running.port }, await readPassword(places), defaultDatabase)
  return (await tryConnect(url)) === null ? url : null
}

/** Starts in a row that may fail, or end within `settled`, before it is given up. */
const restarts = 6
const settled = 60_000

async function supervise(options: ServerOptions): Promise<{ stop(): Promise<void>; died: Promise<void> }> {
  const { log } = options
  const died = Promise.withResolvers<void>()
  let current = await startServer(options)
  let isStopping = false

  const keepAlive = async () => {
    for (let failures = 0; ;) {
      const since = performance.now()
      await current.ended
      if (isStopping) return
      failures = performance.now() - since > settled ? 1 : failures + 1
      if (failures > restarts) break
      log.error({ pid: current.pid, failures }, 'the database process ended by itself, starting it again')
      await sleep(failures === 1 ? 0 : 100 * 2 ** failures)
      if (isStopping) return
      try {
        current = await startServer(options)
      } catch (error) {
        log.error({ reason: (error as Error).message }, 'the database could not be started again')
      }
      if (isStopping) return current.stop()
    }
    log.error({}, 'the database does not stay up, giving up')
    died.resolve()
  }
  const done = keepAlive()

  return {
    died: died.promise,
    async stop() {
      isStopping = true
      await current.stop()
      // A restart may have been under way.
      await done
    },
  }
}
