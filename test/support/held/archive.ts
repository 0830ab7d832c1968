// An archive is read until it ends or is refused.
import { readArchive, type ArchiveLimits } from '#domain/server/instance/emojis/read-archive.ts'
import type { Watch } from './held.ts'

/** Returns the names of its files and how long they are, or the code of the refusal. */
export async function work({ file, limits }: { file: string; limits: ArchiveLimits }, watch: Watch) {
  watch.begin()
  const found: [string, number | null][] = []
  try {
    for await (const { name, body } of readArchive(file, limits)) {
      found.push([name, body?.length ?? null])
    }
  } catch (error) {
    return (error as { code: unknown }).code
  }
  return found
}
