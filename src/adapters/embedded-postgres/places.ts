// Where the embedded database keeps what and how much, and by which name its own account sees its folder.
import { readdir, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { canPassTo, type Account } from './account.ts'

export const databaseUser = 'stonechat'
export const defaultDatabase = 'stonechat'

export interface Places {
  dataDir: string
  cluster: string
  passwordFile: string
  logFile: string
}

/** All absolute, so that a later change of the working folder does not matter. */
export function placesIn(dataDir: string): Places {
  const root = path.resolve(dataDir)
  return {
    dataDir: root,
    cluster: path.join(root, 'postgres'),
    passwordFile: path.join(root, 'secrets', 'postgres-password'),
    logFile: path.join(root, 'logs', 'postgres.log'),
  }
}

/**
 * Bytes of all databases of the cluster: tables, indexes and catalogues, without its log of changes. 0 where a server that
 * is about to end takes files away meanwhile: this is for estimates.
 */
export const storedBytes = ({ cluster }: Places) => bytesIn(path.join(cluster, 'base')).catch(() => 0)

/** Bytes of the files in a folder and the folders in it. Those that go meanwhile are not counted. */
export async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(
    files.map((file) => stat(path.join(file.parentPath, file.name)).catch(() => null)),
  )
  return sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0)
}

/**
 * The name under which the database account, started with the working folder `folder`, gets into it. Under /root,
 * say, no absolute path works for it, but Linux lets a process into its own working folder wherever that is.
 */
export async function nameForAccount(folder: string, account: Account | null): Promise<string> {
  const real = await realpath(folder)
  if (account === null || (await canPassTo(real, account))) return real
  if (process.platform === 'linux') return '/proc/self/cwd'
  throw new Error(
    `PostgreSQL does not run as root and its account cannot get into ${folder}: set DATA_DIR to a folder outside of private ones, or start Stonechat as an ordinary user`,
  )
}
