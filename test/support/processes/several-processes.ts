// `stonechat supervise` as a child process: the whole server as several processes over one PostgreSQL and Redis.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { withContext } from '#app/command-context.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Fetch, Json } from '#test/client/client.ts'
import { until } from '#test/run/patience.ts'
import { checkedFetch } from '#test/app/returned.ts'
import { createPeople, type Person } from '#test/people/people.ts'
import { startProcess } from './processes.ts'
import { cleanEnv, projectRoot, runToEnd } from './server-process.ts'

/** Such as `web 2`. */
export type ProcessName = `${'web' | 'worker' | 'streaming'} ${number}`

export interface SeveralProcesses {
  /** Of the web processes. */
  readonly urls: readonly [string, string]
  /** `http://…` of the streaming process. */
  readonly streamingUrl: string
  /** Their environment. */
  readonly env: Record<string, string>
  /** What all have printed. */
  output(): string
  /** The lines of the log that are among it. */
  log(): Json[]
  /** The process that has this name now. */
  pidOf(name: ProcessName): number
  /** Ends a process by SIGKILL; resolves when another one has been started in its place. */
  kill(name: ProcessName): Promise<void>
  /** Replaces all processes one by one, by `stonechat supervise restart`; resolves when that is done. */
  restart(): Promise<void>
  /** Ends the supervisor by SIGKILL. */
  killSupervisor(): void
  /** Resolves when all that were started are at work. */
  ready(): Promise<void>
  /** New people with tokens for everything, who talk to the web process of this index. */
  people(web: 0 | 1, ...names: string[]): Promise<Person[]>
  /** The same by a fetch of the caller's, such as through a proxy. */
  peopleThrough(fetch: Fetch, ...names: string[]): Promise<Person[]>
  /** Ends all by SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** Ends what still runs and removes the folder. */
  remove(): Promise<void>
}

export interface SeveralOptions {
  databaseUrl: string
  redisUrl: string
  /** How many workers there are; two unless told. */
  workers?: number
  /** Further variables. */
  env?: Record<string, string>
  /** The folder of the program; this one unless told. */
  program?: string
}

/** Two web processes, the workers and a streaming one, all ready. */
export async function startSeveral({
  databaseUrl,
  redisUrl,
  workers = 2,
  ...more
}: SeveralOptions): Promise<SeveralProcesses> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'stonechat-several-'))
  const port = await threeFreePorts()
  const env = cleanEnv({
    DATA_DIR: dataDir,
    PORT: String(port),
    // With a host, as operators' tools want it; the socket in its query is what counts.
    DATABASE_URL: databaseUrl.replace('@/', '@localhost/'),
    REDIS_URL: redisUrl,
    SECRET_KEY_BASE: 'several '.repeat(8),
    RATE_LIMITS: 'off',
    ...more.env,
  })
  const launcher = path.join(more.program ?? projectRoot, 'bin/stonechat')
  const supervisor = startSupervisor(env, { streamingPort: port + 2, workers, launcher })
  const inside = <T>(work: (ctx: Ctx) => Promise<T>) =>
    withContext({ LOCAL_DOMAIN: `localhost:${port}`, ...env }, ({ ctx }) => work(ctx))
  const several: SeveralProcesses = {
    ...supervisor,
    env,
    urls: [`http://localhost:${port}`, `http://localhost:${port + 1}`],
    streamingUrl: `http://localhost:${port + 2}`,
    people: (web, ...names) => several.peopleThrough(checkedFetch(several.urls[web] ?? ''), ...names),
    peopleThrough: (ask, ...names) =>
      inside((ctx) => {
        const people = createPeople(ctx, ask)
        return Promise.all(names.map((username) => people.person(username, { username })))
      }),
    async remove() {
      await supervisor.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  await several.ready().catch(async (error: unknown) => {
    await several.remove()
    throw error
  })
  return several
}

type Supervisor = Pick<
  SeveralProcesses,
  'output' | 'log' | 'pidOf' | 'kill' | 'restart' | 'killSupervisor' | 'ready' | 'stop'
>

function startSupervisor(
  env: Record<string, string>,
  { streamingPort, workers, launcher }: { streamingPort: number; workers: number; launcher: string },
): Supervisor {
  const options = ['--streaming-port', String(streamingPort), '--worker', String(workers)]
  const child = startProcess(launcher, ['supervise', ...options], { env, cwd: '/' })
  const all = workers + 3
  const ended = once(child, 'exit') as Promise<[number | null]>
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  const lines = () => printed.split('\n').slice(0, -1).flatMap(parseLine)
  let wanted = all
  const untilSaid = (check: () => boolean) =>
    until(
      () => {
        if (isOver()) throw new Error(`It has ended: ${printed}`)
        return check()
      },
      () => printed,
    )
  const pidOf = (name: ProcessName) => {
    const found = lines().findLast((line) => line.msg === 'started' && line.process === name)
    if (!found) throw new Error(`There is no ${name}: ${printed}`)
    return found.pid
  }
  return {
    output: () => printed,
    log: lines,
    pidOf,
    async kill(name) {
      const pid = pidOf(name)
      process.kill(pid, 'SIGKILL')
      wanted++
      await untilSaid(() => pidOf(name) !== pid)
    },
    async restart() {
      const replaced = () => lines().filter((line) => line.msg === 'replaced').length
      const before = replaced()
      // It sends SIGUSR2.
      const command = await runToEnd([launcher, 'supervise', 'restart'], { env })
      if (command.code !== 0) throw new Error(command.stderr)
      await untilSaid(() => replaced() === before + all)
      wanted += all
    },
    killSupervisor: () => void child.kill('SIGKILL'),
    ready: () => untilSaid(() => lines().filter((line) => line.msg === 'ready').length >= wanted),
    async stop() {
      if (!isOver()) child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}

/** The lines of the log; others are for people. */
function parseLine(line: string): Json[] {
  return line.startsWith('{') ? [JSON.parse(line)] : []
}

/** The first of three in a row on which nothing listens, below those that the system gives to anybody who asks. */
async function threeFreePorts(): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000)
    const free = await Promise.all([0, 1, 2].map((offset) => isFree(first + offset)))
    if (free.every(Boolean)) return first
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const [outcome] = await Promise.race([
    once(server, 'listening').then(() => ['free']),
    new Promise<string[]>((resolve) => server.once('error', () => resolve(['taken']))),
  ])
  if (outcome === 'taken') return false
  server.close()
  await once(server, 'close')
  return true
}
