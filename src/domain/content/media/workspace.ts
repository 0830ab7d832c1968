import { mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { makeFolder } from '#lib/project/make-folder.ts'
import type { Reader } from '#ports/ctx.ts'

/** Runs `work` with an empty folder of its own, which is removed afterwards. A start removes what a kill left. */
export async function inWorkspace<T>(reader: Reader, work: (folder: string) => Promise<T>): Promise<T> {
  const parent = path.join(reader.config.dataDir, 'tmp', 'media')
  await makeFolder(parent, 0o700)
  const folder = await mkdtemp(path.join(parent, 'work-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
