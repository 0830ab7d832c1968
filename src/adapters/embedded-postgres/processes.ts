// The database process as its cluster folder knows it, whoever started it.
import { execFile } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

/** What `postmaster.pid` says: https://www.postgresql.org/docs/18/storage-file-layout.html */
export interface Postmaster {
  pid: number
  port: number
  /** Whether it listens on a socket in its cluster folder; otherwise on 127.0.0.1. */
  usesSocket: boolean
  isReady: boolean
}

/** How long each kind of shutdown gets: fast, then immediate (recovers at the next start), then kill. */
const shutdowns: readonly { signal: NodeJS.Signals; milliseconds: number }[] = [
  { signal: 'SIGINT', milliseconds: 30_000 },
  { signal: 'SIGQUIT', milliseconds: 10_000 },
  { signal: 'SIGKILL', milliseconds: 5_000 },
]

/** The live database process of this cluster, or null. A file left by a dead one says nothing. */
export async function findPostmaster(cluster: string): Promise<Postmaster | null> {
  const text = await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(ignoreMissing)
  if (text === null) return null
  const [pid = '', , , port = '', socket = '', , , status = ''] = text.split('\n').map((line) => line.trim())
  const found = {
    pid: Number(pid),
    port: Number(port),
    usesSocket: socket !== '',
    isReady: status === 'ready',
  }
  return found.pid > 1 && (await isPostgresOf(found.pid, cluster)) ? found : null
}

/** Null for a missing file; a cluster that may not be read is an error, for it may well be running. */
function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw new Error(
    `The database in DATA_DIR belongs to another account (${error.message}): run this as the account that started Stonechat`,
    { cause: error },
  )
}

/** Files that name a process. If that number belongs to another one by now, PostgreSQL would refuse to start. */
const processFiles = ['postmaster.pid', '.s.PGSQL.5432.lock', '.s.PGSQL.5432']

/**
 * Ends a database process of this cluster that an earlier, killed server left, and clears the traces of one that was
 * killed itself. Its process id, or null when there was none.
 */
export async function endLeftover(cluster: string): Promise<number | null> {
  const leftover = await findPostmaster(cluster)
  if (leftover) await endProcess(leftover.pid, () => isPostgresOf(leftover.pid, cluster))
  for (const name of processFiles) await rm(path.join(cluster, name), { force: true })
  return leftover?.pid ?? null
}

/**
 * Ends single sessions that outlived the database process they belonged to, which a long computation does. They stand
 * in the way of the next start, and nothing that they still do can be committed. Elsewhere than on Linux they are left.
 */
export async function endStraySessions(cluster: string): Promise<void> {
  const entries = process.platform === 'linux' ? await readdir('/proc') : []
  for (const pid of entries.map(Number).filter(Number.isInteger)) {
    if (await isPostgresOf(pid, cluster)) sendSignal(pid, 'SIGQUIT')
  }
}

/** Shuts a database process down, in harder ways when it takes too long; resolves when `isAlive` says so. */
export async function endProcess(pid: number, isAlive: () => boolean | Promise<boolean>): Promise<void> {
  for (const { signal, milliseconds } of shutdowns) {
    if (!(await isAlive())) return
    sendSignal(pid, signal)
    const deadline = performance.now() + milliseconds
    while (performance.now() < deadline) {
      if (!(await isAlive())) return
      await sleep(10)
    }
  }
  throw new Error(`The database process ${pid} does not end: end it by hand, then start again`)
}

function sendSignal(pid: number, signal: NodeJS.Signals) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** PostgreSQL's processes have the cluster as their working folder; a number alone may belong to anyone by now. */
async function isPostgresOf(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return commandNames(pid, cluster)
  const [own, theirs, name] = await Promise.all([
    stat(cluster).catch(() => null),
    stat(`/proc/${pid}/cwd`).catch(() => null),
    readFile(`/proc/${pid}/comm`, 'utf8').catch(() => ''),
  ])
  return name.startsWith('postgres') && own !== null && own.ino === theirs?.ino && own.dev === theirs.dev
}

async function commandNames(pid: number, cluster: string): Promise<boolean> {
  const shown = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }))
  return shown.stdout.includes('postgres') && shown.stdout.includes(cluster)
}
