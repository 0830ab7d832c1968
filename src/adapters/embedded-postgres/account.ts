// PostgreSQL refuses to run as root. Started by root, it runs as an account of its own, which can reach less.
import { lstat, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

/** Whom the database processes run as. */
export interface Account {
  uid: number
  gid: number
}

/** In this order. It must be in /etc/passwd, since initdb looks it up. */
const names = ['stonechat', 'postgres', '_postgres', 'nobody']

/** Whether this process is root, and so has to run PostgreSQL as someone else. */
export const isRoot = () => process.getuid?.() === 0

/**
 * The account for the cluster in `clusterDir`: null is this process's own. A cluster keeps the owner that it has;
 * a new one, or one that root owns (as a copy may be), gets the first suitable account of the system.
 */
export async function chooseAccount(clusterDir: string): Promise<Account | null> {
  if (!isRoot()) return null
  const owner = await stat(clusterDir).catch(() => null)
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const account = findAccount(await readFile('/etc/passwd', 'utf8').catch(() => ''))
  if (account) return account
  throw new Error(
    'PostgreSQL does not run as root and there is no other account for it: add one (useradd --system stonechat), or start Stonechat as an ordinary user',
  )
}

/** The best of the accounts in the text of /etc/passwd, or null. */
export function findAccount(passwd: string): Account | null {
  const accounts = new Map<string, Account>()
  for (const line of passwd.split('\n')) {
    const [name = '', , uid = '', gid = ''] = line.split(':')
    if (/^[1-9]\d*$/.test(uid) && /^\d+$/.test(gid))
      accounts.set(name, { uid: Number(uid), gid: Number(gid) })
  }
  const name = names.find((candidate) => accounts.has(candidate))
  return name === undefined ? null : (accounts.get(name) ?? null)
}

/** Whether `account` may pass through every folder on the way to `target` (a real path), by their mode bits. */
export async function canPassTo(target: string, account: Account): Promise<boolean> {
  for (let folder = path.dirname(target); ; folder = path.dirname(folder)) {
    if (!(await mayUse(folder, account, 0o1))) return false
    if (folder === path.dirname(folder)) return true
  }
}

/** Whether the mode bits of `file` grant `account` all of `bits` (4 read, 2 write, 1 execute or pass through). */
export async function mayUse(file: string, account: Account, bits: number): Promise<boolean> {
  const found = await lstat(file).catch(() => null)
  if (!found) return false
  const shift = found.uid === account.uid ? 6 : found.gid === account.gid ? 3 : 0
  return ((found.mode >> shift) & bits) === bits
}
