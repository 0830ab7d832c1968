// Which PostgreSQL to use, and its start and stop where it is ours.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#config/config.ts'
import type { Log } from '#ports/log.ts'
import { assertUnlocked, lockDataDir } from '#adapters/data-dir-lock.ts'
import { connectEmbeddedPostgres, startEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'

export interface Postgres {
  /** Leads around a pooler, where there is one. */
  url: string
  /** It runs for this process only: no other one works on it meanwhile. */
  own: boolean
  /** Resolves when an own database ended by itself and does not come back. */
  died: Promise<void>
  close(): Promise<void>
}

const never = new Promise<void>(() => {})
const notOurs = (url: string): Postgres => ({ url, own: false, died: never, close: async () => {} })

/** For the server: the outside database, or DATA_DIR's, for which this has to be the only server. */
export async function openPostgres(
  config: Config,
  log: Log,
  tell: (line: string) => void = () => {},
): Promise<Postgres> {
  if (config.databaseUrl !== null) return notOurs(config.databaseDirectUrl ?? config.databaseUrl)
  const lock = await lockDataDir(config.dataDir)
  try {
    const postgres = await startEmbeddedPostgres({
      dataDir: config.dataDir,
      log,
      settings: config.postgresSettings,
      connections: config.connections,
      onMake: (folder) => tell(`Making the database in ${folder} …`),
    })
    return {
      url: postgres.url,
      own: true,
      died: postgres.died,
      async close() {
        await postgres.stop()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Throws an Error of one line when another server has DATA_DIR's database. Makes nothing. */
export async function assertAlone(config: Config): Promise<void> {
  if (config.databaseUrl === null) await assertUnlocked(config.dataDir)
}

/** How long a command waits for a server that is just starting or stopping, in milliseconds. */
const patience = 60_000

/** For a command: the database of the server that runs, or, when none does, one that is started for the command. */
export async function joinPostgres(config: Config, log: Log): Promise<Postgres> {
  for (const deadline = performance.now() + patience; ;) {
    try {
      return await openPostgres(config, log)
    } catch (error) {
      const url = await connectEmbeddedPostgres({ dataDir: config.dataDir })
      if (url !== null) return notOurs(url)
      if (!isInUse(error) || performance.now() > deadline) throw error
      await sleep(100)
    }
  }
}

const isInUse = (error: unknown) => error instanceof Error && error.message.startsWith('Another Stonechat')
