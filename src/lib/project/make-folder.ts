// Folders, made one after the other: where the system says of a new one that there is no such file, as below /proc, Node's
// recursive mkdir tries again for ever.
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'

/** Makes a folder and what it is in, unless they are there. Throws what the system refuses. */
export async function makeFolder(folder: string, mode = 0o777): Promise<void> {
  const refused = await refusalOf(folder, mode)
  if (refused === null) return
  const parent = path.dirname(folder)
  if (refused.code !== 'ENOENT' || parent === folder) throw refused
  await makeFolder(parent, mode)
  const still = await refusalOf(folder, mode)
  if (still !== null) throw still
}

/** Why it is not there now. */
async function refusalOf(folder: string, mode: number): Promise<NodeJS.ErrnoException | null> {
  try {
    await mkdir(folder, { mode })
    return null
  } catch (error) {
    const found = await stat(folder).catch(() => null)
    return found?.isDirectory() === true ? null : (error as NodeJS.ErrnoException)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no folder can be made there',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'nothing can be written there',
  ENOTDIR: 'a file is in its way',
  EEXIST: 'a file is in its way',
  ENOSPC: 'the disk is full',
  EDQUOT: 'this user may not store any more',
}

/** Makes DATA_DIR unless it is there. Throws an Error of one line for the operator. */
export async function makeDataDir(dataDir: string): Promise<void> {
  await makeFolder(dataDir).catch((error: NodeJS.ErrnoException) => {
    const reason = reasons[error.code ?? ''] ?? error.message
    throw new Error(`DATA_DIR ${dataDir} cannot be made: ${reason}; set another DATA_DIR`, { cause: error })
  })
}
