// `bin/stonechat` as an operator uses it, in a folder of its own: for tests of what commands do and print.
import { afterAll, beforeAll, expect } from 'vitest'
import { withContext } from '#app/command-context.ts'
import { createServerProcess, type ServerProcess } from './server-process.ts'

export interface Cli {
  /** The server that the commands are about. It runs unless `start` was false. */
  readonly server: ServerProcess
  /** Runs a command that must succeed and say nothing on stderr; answers what it prints, trimmed. */
  run(...words: string[]): Promise<string>
  /** As `run`, of what is printed as JSON. */
  json<T = unknown>(...words: string[]): Promise<T>
  /** Runs a command that must fail and print nothing; answers what it says on stderr, trimmed. */
  fails(...words: string[]): Promise<string>
  /** Works on what the commands work on. */
  inDatabase<T>(work: Parameters<typeof withContext<T>>[1]): Promise<T>
}

/** One for all tests of a file. */
export function useCli({
  start = true,
  env = {},
}: { start?: boolean; env?: Record<string, string> } = {}): Cli {
  let made: ServerProcess | undefined
  beforeAll(async () => {
    made = await createServerProcess({ env })
    if (start) await made.start()
  }, 60_000)
  afterAll(() => made?.remove())

  const server = () => {
    if (!made) throw new Error('the server is there while tests run')
    return made
  }
  const cli: Cli = {
    get server() {
      return server()
    },
    async run(...words) {
      const ended = await server().command(...words)
      expect([ended.code, ended.stderr]).toEqual([0, ''])
      return ended.stdout.trim()
    },
    json: async (...words) => JSON.parse(await cli.run(...words)),
    async fails(...words) {
      const ended = await server().command(...words)
      expect([ended.code, ended.stdout]).toEqual([1, ''])
      return ended.stderr.trim()
    },
    inDatabase: (work) =>
      withContext({ DATA_DIR: server().dataDir, PORT: String(server().port), ...env }, work),
  }
  return cli
}
