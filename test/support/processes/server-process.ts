// The real program as a child process with a DATA_DIR of its own, for tests from the outside.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { withContext } from '#app/command-context.ts'
import { until } from '#test/run/patience.ts'
import { checkedFetch } from '#test/app/returned.ts'
import { createPeople, type Person } from '#test/people/people.ts'
import { freePort } from './free-port.ts'
import { runProcess, startProcess, type Ended } from './processes.ts'
import { runHere } from './run-here.ts'

export const projectRoot = path.resolve(import.meta.dirname, '../../..')
export const launcher = path.join(projectRoot, 'bin/stonechat')
/** Where Node keeps what it has compiled: a command that finds it there takes half the time to start. */
const compileCache = path.join(projectRoot, 'node_modules/.cache/stonechat-compiled')

export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  /** Of the process that was started last. */
  pid(): number
  /** What it has printed since its last start. */
  output(): string
  /** Starts it and waits until it answers. */
  start(): Promise<void>
  /** Ends it by this signal; resolves with its exit code when the process is gone (null after SIGKILL). */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Runs the command of these words on the same environment, in this process. */
  command(...words: string[]): Promise<Ended>
  /** The same by `bin/stonechat`, in a process of its own. */
  launch(...words: string[]): Promise<Ended>
  /** The process id of its database; null when none runs. */
  databasePid(): Promise<number | null>
  /** New accounts of these names with tokens for everything. */
  people(...names: string[]): Promise<Person[]>
  /** Ends everything and removes the folder. */
  remove(): Promise<void>
}

/** Nothing of the environment in which the tests run, except where programs and temporary files are. */
export function cleanEnv(env: Record<string, string>): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) =>
    ['PATH', 'HOME', 'TMPDIR', 'LANG'].includes(name),
  )
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    NODE_COMPILE_CACHE: compileCache,
    ...env,
  }
}

/** Runs a program to its end on a clean environment. */
export const runToEnd = (
  command: readonly string[],
  options: { env?: Record<string, string>; cwd?: string; input?: string } = {},
): Promise<Ended> => runProcess(command, { ...options, env: cleanEnv(options.env ?? {}) })

export interface ServerProcessOptions {
  env?: Record<string, string>
  /** The LOG_LEVEL of the server, not of the commands beside it. */
  log?: string | undefined
  /** Put before its command, such as a program that changes the user. */
  wrap?: string[]
  command?: string[]
  cwd?: string
  /**
   * Begins with a database that the program made for the run before, and with secrets that others share: for tests
   * that are not about a first start, nor about what distinguishes two servers.
   */
  prepared?: boolean
}

/** A server that is not started yet. */
export async function createServerProcess(options: ServerProcessOptions = {}): Promise<ServerProcess> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stonechat-e2e-'))
  if (options.prepared) await copyPrepared(dataDir)
  const port = await freePort()
  const url = `http://localhost:${port}`
  const env = { DATA_DIR: dataDir, PORT: String(port), RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...options.env }
  const command = [...(options.wrap ?? []), ...(options.command ?? [launcher, 'serve'])]
  let child: ChildProcess | null = null
  let printed = ''

  const server: ServerProcess = {
    url,
    port,
    dataDir,
    pid: () => child?.pid ?? 0,
    output: () => printed,
    async start() {
      printed = ''
      child = startProcess(command[0] as string, command.slice(1), {
        env: cleanEnv({ ...env, ...(options.log && { LOG_LEVEL: options.log }) }),
        cwd: options.cwd ?? '/',
      })
      child.stdout?.on('data', (data) => (printed += data))
      child.stderr?.on('data', (data) => (printed += data))
      await waitUntilHealthy(url, child, () => printed)
    },
    async end(signal) {
      if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
      const exited = once(child, 'exit') as Promise<[number | null]>
      child.kill(signal)
      return (await exited)[0]
    },
    command: (...words) => runHere(words, { DATA_DIR: dataDir, PORT: String(port), ...options.env }),
    launch: (...words) => runToEnd([...(options.wrap ?? []), launcher, ...words], { env, cwd: '/' }),
    databasePid: () => findDatabase(dataDir),
    async people(...names) {
      return withContext(env, ({ ctx }) => {
        const people = createPeople(ctx, checkedFetch(url))
        return Promise.all(names.map((username) => people.person(username, { username })))
      })
    },
    async remove() {
      await server.end('SIGKILL')
      const pid = await findDatabase(dataDir)
      if (pid !== null) await endDatabase(pid, dataDir)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  return server
}

/** The first who asks in a run has the program make a DATA_DIR; each gets a copy of it. */
async function copyPrepared(dataDir: string): Promise<void> {
  const source = path.join(inject('runFolder'), 'prepared')
  const done = `${source}.done`
  const isMine = await mkdir(source).then(
    () => true,
    () => false,
  )
  if (isMine) {
    const made = await runToEnd([launcher, 'accounts', 'list'], { env: { DATA_DIR: source } })
    if (made.code !== 0) throw new Error(`The database was not made: ${made.stderr}`)
    await writeFile(done, '')
  }
  await until(
    () => existsSync(done),
    () => `a prepared database in ${source}`,
  )
  const copied = await runToEnd(['cp', '-a', `${source}/.`, dataDir])
  if (copied.code !== 0) throw new Error(`The prepared database was not copied: ${copied.stderr}`)
}

async function waitUntilHealthy(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  const isHealthy = async () => {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The server ended: ${printed()}`)
    return (await fetch(`${url}/health`).catch(() => null))?.status === 200
  }
  await until(isHealthy, () => `The server does not answer: ${printed()}`, { interval: 50 })
}

async function findDatabase(dataDir: string): Promise<number | null> {
  const text = await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return pid > 1 && isAlive(pid) ? pid : null
}

/** Whether there is a process of this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function endDatabase(pid: number, dataDir: string): Promise<void> {
  process.kill(pid, 'SIGQUIT')
  await until(
    async () => (await findDatabase(dataDir)) === null,
    () => `database process ${pid} does not end`,
  )
}
