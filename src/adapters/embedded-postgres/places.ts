// Where the embedded database keeps what, and by which name its own account sees its folder.
import { realpath } from 'node:fs/promises'
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
