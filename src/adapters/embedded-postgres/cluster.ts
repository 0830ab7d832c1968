// The cluster: the folder that initdb makes once, and the password that goes with it.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import {
  chmod,
  chown,
  lchown,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import path from 'node:path'
import { newSecret } from '#lib/secrets.ts'
import { atExit } from '../at-exit.ts'
import { isRoot, type Account } from './account.ts'
import type { Binaries } from './binaries.ts'
import { databaseUser, nameForAccount, type Places } from './places.ts'
import { finishSwitch } from './switch-cluster.ts'

const unfinished = 'postgres.init-'

/** Makes the cluster on first use, and checks one that exists. Returns the database password. */
export async function ensureCluster(
  places: Places,
  binaries: Binaries,
  { account, onMake }: { account: Account | null; onMake?: ((folder: string) => void) | undefined },
): Promise<string> {
  await makeFolders(places)
  await finishSwitch(places)
  // A first start that was killed halfway leaves its folder under another name, never half a cluster.
  for (const name of await readdir(places.dataDir)) {
    if (name.startsWith(unfinished)) await removeUnfinished(path.join(places.dataDir, name))
  }
  const version = await readVersion(places)
  if (version === null) {
    onMake?.(places.cluster)
    return makeCluster(places, binaries, account)
  }
  if (version !== binaries.major) {
    throw new Error(
      version < binaries.major
        ? `The database in ${places.cluster} was made by PostgreSQL ${version}, this Stonechat brings ${binaries.major}: run \`stonechat database upgrade\``
        : `The database in ${places.cluster} was made by PostgreSQL ${version}, this Stonechat brings only ${binaries.major}: start the newer Stonechat that wrote it`,
    )
  }
  await checkOwner(places.cluster, account)
  return readPassword(places)
}

/** The password of the cluster's one user. Throws when it is lost. */
export async function readPassword(places: Places): Promise<string> {
  const text = await readFile(places.passwordFile, 'utf8').catch((error: Error) => {
    throw new Error(
      `The database password cannot be read (${error.message}): restore that file from a backup`,
      {
        cause: error,
      },
    )
  })
  return text.trim()
}

async function makeFolders(places: Places): Promise<void> {
  try {
    await mkdir(places.dataDir, { recursive: true })
    await mkdir(path.dirname(places.passwordFile), { recursive: true, mode: 0o700 })
    await mkdir(path.dirname(places.logFile), { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Error(
      `DATA_DIR ${places.dataDir} is not writable (${(error as Error).message}): change its owner, or set another DATA_DIR`,
      { cause: error },
    )
  }
}

/** The major version that wrote the cluster, or null when there is none yet. */
export async function readVersion(places: Places): Promise<number | null> {
  try {
    return Number.parseInt(await readFile(path.join(places.cluster, 'PG_VERSION'), 'utf8'), 10)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw wrongOwner(places.cluster, error)
  }
  const content = await readdir(places.cluster).catch(() => [])
  if (content.length === 0) return null
  throw new Error(
    `${places.cluster} has files in it but no PostgreSQL cluster: restore it from a backup, or move it away to start anew`,
  )
}

async function checkOwner(cluster: string, account: Account | null): Promise<void> {
  const { uid, mode } = await stat(cluster)
  if (account === null && uid !== process.getuid?.()) throw wrongOwner(cluster)
  if (account !== null && uid !== account.uid) await chownAll(cluster, account)
  // PostgreSQL refuses a folder that is open to others, as a restored copy may be.
  if (mode & 0o077) await chmod(cluster, 0o700)
}

function wrongOwner(cluster: string, cause?: unknown): Error {
  const hint = `start Stonechat as the account that made it, or as root, or run chown -R on it`
  return new Error(`The database in ${cluster} belongs to another account: ${hint}`, { cause })
}

async function chownAll(folder: string, account: Account): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    await lchown(path.join(entry.parentPath, entry.name), account.uid, account.gid)
  }
  await chown(folder, account.uid, account.gid)
}

/** The killed server's initdb may still be writing there: what it adds meanwhile is tried again. */
const stubborn = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }
const removeUnfinished = (folder: string) => rm(folder, stubborn)

async function makeCluster(places: Places, binaries: Binaries, account: Account | null): Promise<string> {
  const password = await writePassword(places)
  await makeClusterWith(places, binaries, { account, password })
  return password
}

/** Makes a cluster whose user has this password in `places.cluster`, whole or not at all. */
export async function makeClusterWith(
  places: Places,
  binaries: Binaries,
  { account, password }: { account: Account | null; password: string },
): Promise<void> {
  const folder = await mkdtemp(path.join(places.dataDir, unfinished))
  try {
    if (account) await chown(folder, account.uid, account.gid)
    await initialise({ folder, program: path.join(binaries.bin, 'initdb'), account, password })
    await rename(folder, places.cluster)
    await syncFolder(places.dataDir)
  } catch (error) {
    await removeUnfinished(folder)
    throw error
  }
}

/** Written whole or not at all, and only where there is no cluster that an older password belongs to. */
async function writePassword(places: Places): Promise<string> {
  const password = newSecret()
  const draft = `${places.passwordFile}.new`
  await rm(draft, { force: true })
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${password}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, places.passwordFile)
  return password
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

interface Initialisation {
  folder: string
  program: string
  account: Account | null
  password: string
}

async function initialise({ folder, program, account, password }: Initialisation): Promise<void> {
  const passwordFile = await openPassword(`${folder}.password`, account, password)
  const descriptor = process.platform === 'linux' ? '/proc/self/fd/3' : '/dev/fd/3'
  const options = [
    ['-D', await nameForAccount(folder, account), '-U', databaseUser, `--pwfile=${descriptor}`],
    ['--auth=scram-sha-256', '--encoding=UTF8', '--data-checksums'],
    ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
  ].flat()
  try {
    const child = spawn(program, options, {
      ...account,
      cwd: folder,
      env: databaseEnv,
      // With its own processes a group of its own: Ctrl-C is for us, and we end all of it.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', passwordFile.fd],
    })
    const takeBack = atExit(() => {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
      rmSync(folder, stubborn)
    })
    let output = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text))
    const ended = new Promise<number | null>((resolve, reject) =>
      child.on('error', reject).on('close', resolve),
    )
    const code = await ended.finally(takeBack)
    if (code !== 0) throw new Error(output.trim().replaceAll(/\s*\n\s*/g, ' ') || `initdb ended with ${code}`)
  } catch (error) {
    throw startFailure('The database could not be made', error)
  } finally {
    await passwordFile.close()
  }
}

/** Handed over open, since the account cannot get at our folder; and already without a name on the disk. */
async function openPassword(file: string, account: Account | null, password: string) {
  const writing = await open(file, 'wx', 0o600)
  try {
    await writing.writeFile(`${password}\n`)
    if (account) await writing.chown(account.uid, account.gid)
    return await open(file, 'r')
  } finally {
    await writing.close()
    await rm(file)
  }
}

/** Nothing of our own environment: it holds secrets, and PG* variables would change what PostgreSQL does. */
export const databaseEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Says what a failed start means for the operator. */
export function startFailure(what: string, error: unknown): Error {
  const failure = error as NodeJS.ErrnoException
  if (/No space left on device/.test(failure.message))
    return new Error(`${what}: the disk is full: make room, and start again`, { cause: error })
  const message = failure.message.split('\n')[0]
  if (isRoot() && failure.syscall?.startsWith('spawn') && /EPERM|EINVAL|EACCES/.test(failure.code ?? '')) {
    const hint = 'PostgreSQL refuses root and this system does not let root become another account'
    return new Error(`${what}: ${hint}: start Stonechat as an ordinary user, or set DATABASE_URL`, {
      cause: error,
    })
  }
  const hint = failure.code === 'ENOENT' ? ' (does this system have glibc?)' : ''
  return new Error(`${what}: ${message}${hint}`, { cause: error })
}
