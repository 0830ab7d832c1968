import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** No upload and no conversion takes this long, in milliseconds. */
const maxAge = 24 * 3_600_000

/**
 * Removes what processes that were killed have left under `tmp`. `alone`: nobody else uses the folder, so all of it
 * is left over; otherwise only what is old enough. What cannot be removed stays.
 */
export async function clearTemporary(dataDir: string, alone: boolean): Promise<void> {
  const root = path.join(dataDir, 'tmp')
  for (const kind of await readdir(root).catch(() => [])) {
    for (const name of await readdir(path.join(root, kind)).catch(() => [])) {
      const left = path.join(root, kind, name)
      if (alone || (await isOld(left))) await rm(left, { recursive: true, force: true }).catch(() => {})
    }
  }
}

async function isOld(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null)
  return found !== null && Date.now() - found.mtimeMs > maxAge
}
