/**
 * Builds the web app into client/dist, which the server serves. `npm ci` runs it (`prepare`): it needs nothing but what npm
 * installed, and where that is missing, or the build fails, it says so in one line and the installation goes on.
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { markSources } from '../../scripts/packages/mark-sources.ts'

const client = resolve(import.meta.dirname, '..')
const project = resolve(client, '..')
/** All that the build is made of. */
const sources = ['src', 'build', 'locales', 'shared', 'tokens.css', 'vite.config.ts']
  .map((name) => `client/${name}`)
  .concat('package-lock.json')
const dist = join(client, 'dist')
const markFile = join(dist, 'sources.sha256')

/** Builds the app unless what is there is of the same sources. Several processes may do so at a time. */
export async function buildApp(): Promise<void> {
  const mark = markSources(project, sources)
  if (existsSync(markFile) && readFileSync(markFile, 'utf8') === mark) return
  const { build } = await import('vite')
  const made = `${dist}.${process.pid}`
  // What tests build is what is served and measured: with theirs it would be larger, and name files of this machine.
  const { NODE_ENV: environment } = process.env
  process.env['NODE_ENV'] = 'production'
  try {
    await build({ configFile: join(client, 'vite.config.ts'), build: { outDir: join(made, 'app') } })
    writeFileSync(join(made, 'sources.sha256'), mark)
    const old = `${made}.old`
    if (existsSync(dist)) renameSync(dist, old)
    renameSync(made, dist)
    rmSync(old, { recursive: true, force: true })
  } finally {
    if (environment === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = environment
    rmSync(made, { recursive: true, force: true })
  }
}

async function prepare(): Promise<void> {
  try {
    await buildApp()
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
    console.error(`stonechat: the web app is not built, only plain pages will be served: ${why}`)
  }
}

if (import.meta.main) await prepare()
