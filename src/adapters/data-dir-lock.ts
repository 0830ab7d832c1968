// One server per DATA_DIR. Node has no flock; SQLite, which comes with Node, takes a kernel lock that ends with the
// process however it ends, knows no stale state, cannot be won twice in a race, and is not inherited by children.
import { access, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeDataDir } from '#lib/project/make-folder.ts'

/** SQLite's result code for a lock that someone else holds: https://www.sqlite.org/rescode.html#busy */
const sqliteBusy = 5

/** Held here too, since a lock whose handle is garbage collected would be gone. */
const held = new Set<DatabaseSync>()

/**
 * Takes DATA_DIR for this process until `release` or its end. Makes the folder if it is missing.
 * Throws an Error of one line for the operator when another process has it, or when it cannot be locked.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  const folder = path.resolve(dataDir)
  const pidFile = path.join(folder, 'stonechat.pid')
  await makeDataDir(folder)
  const lock = takeLock(lockFile(folder))
  if (lock === null) {
    const pid = (await readFile(pidFile, 'utf8').catch(() => '')).trim()
    const who = pid === '' ? 'Another Stonechat' : `Another Stonechat (pid ${pid})`
    throw new Error(`${who} already uses DATA_DIR ${folder}: stop it first, or set another DATA_DIR`)
  }
  held.add(lock)
  // Only for the message above: the lock does not depend on it.
  await writeFile(pidFile, `${process.pid}\n`).catch(() => {})
  return {
    async release() {
      if (!held.delete(lock)) return
      lock.close()
    },
  }
}

/** Throws as `lockDataDir` does when another process has DATA_DIR. Makes nothing. */
export async function assertUnlocked(dataDir: string): Promise<void> {
  const exists = await access(lockFile(path.resolve(dataDir))).then(
    () => true,
    () => false,
  )
  if (exists) await (await lockDataDir(dataDir)).release()
}

const lockFile = (folder: string) => path.join(folder, 'stonechat.lock')

function takeLock(file: string): DatabaseSync | null {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file, { timeout: 0 })
    // Two starts at once can both get this far, but only one gets the writer's place.
    lock.exec('begin immediate')
    return lock
  } catch (error) {
    lock?.close()
    const failure = error as Error & { errcode?: number }
    if (((failure.errcode ?? 0) & 0xff) === sqliteBusy) return null
    throw new Error(
      `${file} cannot be locked (${failure.message}): DATA_DIR must be writable and on a file system with file locks`,
      { cause: error },
    )
  }
}
