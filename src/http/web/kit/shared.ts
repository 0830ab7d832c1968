import { readFileSync } from 'node:fs'
import path from 'node:path'
import { projectFolder } from '#lib/project/project.ts'

/** Returns the text of a file of client/shared, which pages and app are both made of. */
export function readShared(name: string): string {
  return readFileSync(path.join(projectFolder, 'client/shared', name), 'utf8')
}
