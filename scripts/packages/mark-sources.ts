import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Returns a mark of the content of files, and of all files in folders but tests; `names` are relative to `root`. */
export function markSources(root: string, names: readonly string[]): string {
  const hash = createHash('sha256')
  for (const name of names.flatMap((given) => filesIn(root, given)).toSorted())
    hash.update(`${name}\0`).update(readFileSync(join(root, name)))
  return hash.digest('hex')
}

function filesIn(root: string, name: string): string[] {
  if (statSync(join(root, name)).isFile()) return [name]
  return readdirSync(join(root, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
}
