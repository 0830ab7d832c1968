import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { leastBuffers } from '#adapters/embedded-postgres/sizing.ts'
import { connectEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { freePort } from '#test/processes/free-port.ts'
import { withWatchedFolder } from '#test/processes/watched-folder.ts'

export interface BenchServer {
  readonly base: string
  readonly dataDir: string
  /** The roots of the server's process trees: Node and PostgreSQL. */
  readonly pids: number[]
  readonly databaseUrl: string
  /** Milliseconds from the start of the command to the first answer of /health. */
  readonly startedIn: number
  stop(): Promise<void>
}

/** One for all servers of a benchmark, which are named by it: any that is free, so that several can run; or BENCH_PORT. */
export const port = Number(process.env['BENCH_PORT']) || (await freePort())

/** Which program is started, and where it answers. */
export interface Place {
  /** A checkout; this one unless told. */
  project?: string
  port?: number
  /** What its command is started through; by itself unless told. */
  through?: readonly string[]
}

/** What the program chooses for so few posts, also when it starts again with them. */
export const smallBuffers = { POSTGRES_SETTINGS: `shared_buffers=${leastBuffers}MB` }
const ownProject = path.resolve(import.meta.dirname, '../..')

/** Runs `work` with an empty data folder, which is removed afterwards with all that runs on it, even when this is killed. */
export function withDataDir(work: (dataDir: string) => Promise<void>): Promise<void> {
  return withWatchedFolder('stonechat-bench-', async (folder) => {
    const dataDir = path.join(folder, 'data')
    await mkdir(dataDir, { mode: 0o700 })
    await work(dataDir)
  })
}

/** Runs `work` with a server, which is stopped afterwards, whatever happened. */
export async function withServer<T>(
  dataDir: string,
  work: (server: BenchServer) => Promise<T>,
  env: Record<string, string> = {},
  place: Place = {},
): Promise<T> {
  const server = await startServer(dataDir, env, place)
  return work(server).finally(() => server.stop())
}

/** Starts the server as `npm start` does and waits until it is ready. */
async function startServer(
  dataDir: string,
  env: Record<string, string>,
  { project = ownProject, port: chosen = port, through = [] }: Place,
): Promise<BenchServer> {
  const base = `http://127.0.0.1:${chosen}`
  if (await isReady(base)) throw new Error(`something else answers at ${base}`)
  const begun = performance.now()
  const [program = '', ...words] = [...through, path.join(project, 'bin/stonechat'), 'serve']
  const child = spawn(program, words, {
    env: {
      ...process.env,
      DATABASE_URL: '',
      DATA_DIR: dataDir,
      PORT: String(chosen),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilReady(base, child)
  const startedIn = performance.now() - begun
  const databaseUrl = await connectEmbeddedPostgres({ dataDir })
  if (!databaseUrl || !child.pid) throw new Error('the server has no database')
  return {
    base,
    dataDir,
    databaseUrl,
    startedIn,
    pids: [child.pid, await postmaster(dataDir)],
    async stop() {
      // The benchmark may have killed it.
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function postmaster(dataDir: string): Promise<number> {
  return Number((await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

const isReady = (base: string) =>
  fetch(`${base}/health`).then(
    (answer) => answer.ok,
    () => false,
  )

async function untilReady(base: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    if (await isReady(base)) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the server did not become ready')
}
