// `bin/stonechat` as an operator uses it, in a folder of its own: for tests of what commands do and print.
import { format } from 'node:util'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { describeProblem, runCommandLine } from '#cli/main.ts'
import { withContext } from '#app/command-context.ts'
import type { Ended } from './processes.ts'
import { createServerProcess, type ServerProcess, type ServerProcessOptions } from './server-process.ts'

export interface Cli {
  /** The server that the commands are about. It runs unless `start` was false. */
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

/**
 * Runs one command line in this process, as the launcher does in one of its own: a hundred processes take longer than
 * all their commands. The launcher itself is tested by cli.test.ts.
 */
async function runHere(words: readonly string[], env: Record<string, string>): Promise<Ended> {
  const said = { stdout: '', stderr: '' }
  const hear = (name: keyof typeof said) => (text: string | Uint8Array) => {
    said[name] += typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
    return true
  }
  const line =
    (name: keyof typeof said) =>
    (...parts: unknown[]) =>
      void hear(name)(`${format(...parts)}\n`)
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(hear('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(hear('stderr')),
    vi.spyOn(console, 'log').mockImplementation(line('stdout')),
    vi.spyOn(console, 'error').mockImplementation(line('stderr')),
  ]
  const before = process.exitCode
  const signals = (['SIGINT', 'SIGTERM'] as const).map((name) => ({ name, known: process.listeners(name) }))
  process.exitCode = 0
  try {
    await runCommandLine(words, env)
  } catch (error) {
    hear('stderr')(`${describeProblem(error)}\n`)
    process.exitCode = 1
  } finally {
    for (const spy of spies) spy.mockRestore()
    // A process of its own would take along what it listens for.
    for (const { name, known } of signals)
      for (const listener of process.listeners(name))
        if (!known.includes(listener)) process.removeListener(name, listener)
  }
  const code = Number(process.exitCode)
  process.exitCode = before
  return { code, ...said }
}

/** One for all tests of a file. */
export function useCli({
  start = true,
  env = {},
  log,
}: { start?: boolean } & Pick<ServerProcessOptions, 'env' | 'log'> = {}): Cli {
  let made: ServerProcess | undefined
  beforeAll(async () => {
    // Where no server runs at first, the commands make the database.
    made = await createServerProcess({ env, log, prepared: start })
    if (start) await made.start()
  })
  afterAll(() => made?.remove())

  const server = () => {
    if (!made) throw new Error('the server is there while tests run')
    return made
  }
  const command = (...words: string[]) =>
    runHere(words, { DATA_DIR: server().dataDir, PORT: String(server().port), ...env })
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
      withContext({ DATA_DIR: server().dataDir, PORT: String(server().port), ...env }, work),
  }
  return cli
}
