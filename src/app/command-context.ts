import { loadConfig } from '#config/config.ts'
import { systemClock } from '#ports/clock.ts'
import type { Log } from '#ports/log.ts'
import { createContext, type App } from './context.ts'
import { createLog } from './log/log.ts'
import { assertNoOtherName } from './own-name.ts'
import { joinPostgres } from './postgres.ts'

interface CommandOptions {
  before?: (databaseUrl: string, log: Log) => Promise<void>
  anyDomain?: boolean
}

/**
 * Runs a command's work on the server's own configuration, whether the server runs or not. What follows from the
 * work is done by the server if it runs, and before this returns if it doesn't. `before` gets the database as it was
 * found, before its schema is brought forward. Throws ConfigError, also for data of another domain, unless it may be of
 * `anyDomain`.
 */
export async function withContext<T>(
  env: NodeJS.ProcessEnv,
  work: (app: App) => Promise<T>,
  { before, anyDomain = false }: CommandOptions = {},
): Promise<T> {
  const config = loadConfig(env)
  // stdout belongs to the command's result, and stderr to errors unless more is asked for.
  const log = createLog({ logLevel: env['LOG_LEVEL'] ? config.logLevel : 'warn' }, 'stderr')
  const postgres = await joinPostgres(config, log)
  try {
    await before?.(postgres.url, log)
    const app = await createContext({
      config,
      databaseUrl: postgres.url,
      clock: systemClock,
      log,
      connections: 4,
      isCommand: true,
    })
    try {
      if (!anyDomain) await assertNoOtherName(app.ctx)
      const result = await work(app)
      if (postgres.own) await finishWork(app)
      return result
    } finally {
      await app.close()
    }
  } finally {
    await postgres.close()
  }
}

/** What a running server would do is loaded when there is none. */
async function finishWork(app: App): Promise<void> {
  const { runUntilIdle } = await import('#worker/worker.ts')
  const client = await app.sessions.connect()
  try {
    await runUntilIdle(app.ctx, client)
  } finally {
    client.release()
  }
}
