// Where the project's files lie: the same whether the program runs from its sources or as it was built
// (scripts/packages/build-program.ts), which puts many modules into one file.
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** The programs that processes run, and where their sources are from the project's folder. */
export const programs = {
  main: 'src/cli/main.ts',
  'image-worker': 'src/adapters/media/images/image-worker.ts',
} as const
export type Program = keyof typeof programs

/** The folder of package.json. Files that are no code (catalogues, assets, documents) are read from where they lie in it. */
export const projectFolder = findProject(import.meta.dirname)

/** The last build, by a link that changes with it. Relative to the project's folder. */
export const lastBuild = 'dist/program'

const isBuilt = path.extname(import.meta.filename) === '.js'

/** Returns the file of a program, of the same build as the one that runs. */
export const programFile = (name: Program): string =>
  isBuilt ? path.join(import.meta.dirname, `${name}.js`) : path.join(projectFolder, programs[name])

/** Returns the file of a program as it was built last, which may be after this one was started. */
export const newestProgramFile = (name: Program): string =>
  isBuilt ? path.join(projectFolder, lastBuild, `${name}.js`) : programFile(name)

/**
 * Returns whether a source, or the lock file, is newer than the program that was built last, though this process runs
 * what was built: as after `git pull` without `npm ci`. bin/stonechat looks at the same when it starts.
 */
export const isBuildOutdated = (): boolean => isBuilt && isAnyNewer(projectFolder)

/** Whether a file in `root` that a build is made of is newer than its last build. */
export function isAnyNewer(root: string): boolean {
  const built = statSync(path.join(root, lastBuild, 'main.js'), { throwIfNoEntry: false })
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  return [path.join(root, 'package-lock.json'), ...sources].some((file) => {
    const found = statSync(file, { throwIfNoEntry: false })
    return built !== undefined && found !== undefined && found.mtimeMs > built.mtimeMs
  })
}

function findProject(folder: string): string {
  if (existsSync(path.join(folder, 'package.json'))) return folder
  const parent = path.dirname(folder)
  if (parent === folder) throw new Error('There is no package.json above the program: is it whole?')
  return findProject(parent)
}
