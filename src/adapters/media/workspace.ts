import { randomBytes } from 'node:crypto'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { MediaFile } from '#ports/media-processor.ts'

/**
 * Runs `work` with a folder of its own inside `directory`. The files it answers are moved up into `directory` under
 * new names; everything else is gone afterwards, and so are those when something fails.
 */
export async function inWorkspace<T>(
  directory: string,
  work: (folder: string) => Promise<{ result: T; files: (MediaFile | null)[] }>,
): Promise<T> {
  const folder = await mkdtemp(path.join(path.resolve(directory), 'work-'))
  const moved: string[] = []
  try {
    const { result, files } = await work(folder)
    for (const file of files) {
      if (!file) continue
      const target = path.join(directory, `${randomBytes(12).toString('hex')}.${file.extension}`)
      await rename(file.path, target)
      moved.push(target)
      file.path = target
    }
    return result
  } catch (error) {
    await Promise.all(moved.map((file) => rm(file, { force: true })))
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
