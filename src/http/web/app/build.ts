// The web app as client/build.ts left it, read once at the start: small files, served from memory.
import { readFileSync } from 'node:fs'
import type { HttpApp } from '#http/kit/app.ts'

const folder = new URL('../../../../client/dist/', import.meta.url)

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
    return JSON.parse(readFileSync(new URL('build.json', folder), 'utf8')) as AppBuild
  } catch {
    return null
  }
}

const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

type Bodies = Readonly<Record<'br' | 'gzip' | 'identity', Buffer<ArrayBuffer>>>

function readBodies({ path }: BuiltFile): Bodies {
  const read = (suffix: string) => Buffer.from(readFileSync(new URL(`.${path}${suffix}`, folder)))
  return { br: read('.br'), gzip: read('.gz'), identity: read('') }
}

/** Serves the files of the app: those with a mark for good, the service worker anew each time. */
export function addBuild(app: HttpApp, build: AppBuild): void {
  for (const file of build.files) {
    const bodies = readBodies(file)
    const headers = {
      'content-type': file.type,
      'cache-control': file.hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept-Encoding',
      // The service worker looks after the whole site, from where it stands.
      ...(!file.hashed && { 'service-worker-allowed': '/' }),
    }
    app.get(file.path, (c) => {
      const encoding = pickEncoding(c.req.header('accept-encoding') ?? '')
      const encoded = encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding }
      return new Response(bodies[encoding], { headers: encoded })
    })
  }
}

/** The smaller one that the client takes (RFC 9110 section 12.5.3). */
function pickEncoding(accepted: string): keyof Bodies {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(',')
      .filter((item) => !/;\s*q=0(?:\.0*)?\s*$/.test(item))
      .map((item) => item.split(';')[0]?.trim()),
  )
  return encodings.find(({ name }) => taken.has(name))?.name ?? 'identity'
}
