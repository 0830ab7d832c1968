// The web app as client/build.ts left it, read once at the start: small files, served from memory.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectFolder } from '#lib/project/project.ts'
import type { HttpApp } from '#http/kit/app.ts'
import { createStaticFile, type StaticFile } from '#http/kit/compression/static-file.ts'

const folder = join(projectFolder, 'client/dist')

/** What client/build.ts writes beside the files. All paths begin with `/app/`. */
export interface AppBuild {
  /** The one script of the document. */
  readonly script: string
  readonly stylesheet: string
  /** Language → the script with its texts, which is wanted beside the first one. */
  readonly texts: Readonly<Record<string, string>>
  /** Every file, in the order of its path. */
  readonly files: readonly BuiltFile[]
}

export interface BuiltFile {
  readonly path: string
  readonly type: string
  /** Its content has a mark in its name, and it has no other. */
  readonly hashed: boolean
}

/** Returns the build; null where there is none, as without development dependencies. */
export function readBuild(): AppBuild | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'build.json'), 'utf8')) as AppBuild
  } catch {
    return null
  }
}

/** By their paths: what has a mark of its content is the same for every app of this process. */
const marked = new Map<string, StaticFile>()

function readOnce(built: BuiltFile): StaticFile {
  const file = marked.get(built.path) ?? readFile(built)
  if (built.hashed) marked.set(built.path, file)
  return file
}

/** The file as the build compressed it: those with a mark are kept for good, the service worker is asked for each time. */
function readFile({ path, type, hashed }: BuiltFile): StaticFile {
  const read = (suffix: string) => new Uint8Array(readFileSync(join(folder, `${path}${suffix}`)))
  const compressed = { br: read('.br'), gzip: read('.gz') }
  return createStaticFile({ bytes: read(''), type, compressed, ...(!hashed && { caching: 'no-cache' }) })
}

/** Serves the files of the app. */
export function addBuild(app: HttpApp, build: AppBuild): void {
  for (const built of build.files) {
    const file = readOnce(built)
    app.get(built.path, async (c) => {
      const response = await file.answer(c.req.raw)
      response.headers.set('cross-origin-resource-policy', 'same-origin')
      // The service worker looks after the whole site, from where it stands.
      if (!built.hashed) response.headers.set('service-worker-allowed', '/')
      return response
    })
  }
}
