// What the commands `database …` do: the embedded database on to a newer PostgreSQL, out of this machine, and back.
import { rm } from 'node:fs/promises'
import { lockDataDir } from '#adapters/data-dir-lock.ts'
import { placesIn } from '#adapters/embedded-postgres/places.ts'
import { startEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { listFormer } from '#adapters/embedded-postgres/switch-cluster.ts'
import { upgradeCluster, type Upgraded } from '#adapters/embedded-postgres/upgrade.ts'
import { loadConfig } from '#config/config.ts'
import type { ShowProgress } from '../backup/format.ts'
import { createLog } from '../log/log.ts'
import { copyDatabase, type CopySummary } from './copy-database.ts'

export interface MoveOptions {
  progress: ShowProgress
  tell: (line: string) => void
}

const quietLog = (env: NodeJS.ProcessEnv) =>
  createLog({ logLevel: env['LOG_LEVEL'] ? loadConfig(env).logLevel : 'warn' }, 'stderr')

/** Runs `work` while no other server or command can use DATA_DIR. */
async function withDataDir<T>(env: NodeJS.ProcessEnv, work: (dataDir: string) => Promise<T>): Promise<T> {
  const { dataDir } = loadConfig(env)
  const lock = await lockDataDir(dataDir)
  try {
    return await work(dataDir)
  } finally {
    await lock.release()
  }
}

/** Brings the embedded database to this program's PostgreSQL; null when it is there. Throws an Error of one line. */
export const upgradeEmbedded = (
  env: NodeJS.ProcessEnv,
  { programs, progress, tell }: MoveOptions & { programs: string | null },
): Promise<Upgraded | null> =>
  withDataDir(env, (dataDir) => {
    const log = quietLog(env)
    return upgradeCluster({
      dataDir,
      programs,
      log,
      tell,
      copy: async (from, to) => void (await copyDatabase({ from, to, force: false, progress, log })),
    })
  })

/** Removes what upgrades have kept. Returns the folders. */
export const removeFormer = (env: NodeJS.ProcessEnv): Promise<string[]> =>
  withDataDir(env, async (dataDir) => {
    const folders = await listFormer(placesIn(dataDir))
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
    return folders
  })

/**
 * Copies the embedded database into the one at `url` (`out`), or that one into the embedded one (`in`). Throws an Error
 * of one line.
 */
export const copyEmbedded = (
  env: NodeJS.ProcessEnv,
  { url, direction, force, progress }: MoveOptions & { url: string; direction: 'in' | 'out'; force: boolean },
): Promise<CopySummary> =>
  withDataDir(env, async (dataDir) => {
    const log = quietLog(env)
    const embedded = await startEmbeddedPostgres({ dataDir, log, settings: loadConfig(env).postgresSettings })
    try {
      const [from, to] = direction === 'out' ? [embedded.url, url] : [url, embedded.url]
      return await copyDatabase({ from, to, force, progress, log })
    } finally {
      await embedded.stop()
    }
  })
