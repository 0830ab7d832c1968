import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connectEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'

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

const port = 3999
const project = path.resolve(import.meta.dirname, '../..')

export async function makeDataDir(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), 'stonechat-bench-'))
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true })
}

/** Starts the server as `npm start` does and waits until it is ready. */
export async function startServer(dataDir: string): Promise<BenchServer> {
  const base = `http://127.0.0.1:${port}`
  const begun = performance.now()
  const child = spawn(path.join(project, 'bin/stonechat'), ['serve'], {
    env: {
      ...process.env,
      DATABASE_URL: '',
      DATA_DIR: dataDir,
      PORT: String(port),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
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
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function postmaster(dataDir: string): Promise<number> {
  return Number((await readFile(path.join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

async function untilReady(base: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const ready = await fetch(`${base}/health`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the server did not become ready')
}
