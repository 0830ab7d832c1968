// `bin/stonechat` as an operator uses it, in a folder of its own: for tests of what commands do and print.
import { afterAll, beforeAll, expect } from 'vitest'
import { withContext } from '#app/command-context.ts'
import { freshDatabase } from '#test/app/databases.ts'
import type { Ended } from './processes.ts'
import { createServerProcess, type ServerProcess, type ServerProcessOptions } from './server-process.ts'

export interface Cli {
  /** The server that the commands are about. */
  readonly server: ServerProcess
  /** Runs a command; what it says and its exit code. */
  command(...words: string[]): Promise<Ended>
  /** Runs a command that must succeed and say nothing on stderr; answers what it prints, trimmed. */
  run(...words: string[]): Promise<string>
  /** As `run`, of what is printed as JSON. */
  json<T = unknown>(...words: string[]): Promise<T>
  /** Runs a command that must fail and print nothing; answers what it says on stderr, trimmed. */
  fails(...words: string[]): Promise<string>
  /** Works on what the commands work on. */
  inDatabase<T>(work: Parameters<typeof withContext<T>>[1]): Promise<T>
}

export interface CliOptions extends Pick<ServerProcessOptions, 'env' | 'log'> {
  /**
   * What the commands find: a server at work; `nothing`, so that they make and run the database themselves; or an
   * `outside` database, which costs least: nobody does what follows from a command, which must not matter then.
   */
  beside?: 'server' | 'nothing' | 'outside'
}

/** One for all tests of a file. */
export function useCli({ beside = 'server', env = {}, log }: CliOptions = {}): Cli {
  let made: ServerProcess | undefined
  let outside: Awaited<ReturnType<typeof freshDatabase>> | undefined
  // What a test adds to its own later is for the commands from then on.
  const whole = () => (outside ? { ...env, DATABASE_URL: outside.url.replace('@/', '@localhost/') } : env)
  beforeAll(async () => {
    if (beside === 'outside') outside = await freshDatabase()
    made = await createServerProcess({ env: whole(), log, prepared: beside === 'server' })
    if (beside === 'server') await made.start()
  })
  afterAll(async () => {
    await made?.remove()
    await outside?.drop()
  })

  const server = () => {
    if (!made) throw new Error('the server is there while tests run')
    return made
  }
  const command = (...words: string[]) => server().command(...words)
  const cli: Cli = {
    get server() {
      return server()
    },
    command,
    async run(...words) {
      const ended = await command(...words)
      expect([ended.code, ended.stderr]).toEqual([0, ''])
      return ended.stdout.trim()
    },
    json: async (...words) => JSON.parse(await cli.run(...words)),
    async fails(...words) {
      const ended = await command(...words)
      expect([ended.code, ended.stdout]).toEqual([1, ''])
      return ended.stderr.trim()
    },
    inDatabase: (work) =>
      withContext({ DATA_DIR: server().dataDir, PORT: String(server().port), ...whole() }, work),
  }
  return cli
}
