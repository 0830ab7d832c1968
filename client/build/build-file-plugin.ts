// What the server needs to know of the build: build.json beside the files, and each file compressed.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { textsPlugin } from './texts-plugin.ts'

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

type Bundle = Parameters<Extract<NonNullable<Plugin['writeBundle']>, (...args: never[]) => unknown>>[1]

/** The service worker is known by its address: it has no mark of its content. */
export const workerFile = 'sw.js'

/** Writes `build.json`: its form is `AppBuild` of src/http/web/app/build.ts. */
export function buildFilePlugin(): Plugin {
  return {
    name: 'stonechat-build-file',
    async writeBundle(options, bundle) {
      const folder = options.dir ?? ''
      await buildWorker(folder)
      compressAll(folder)
      writeFileSync(join(folder, '../build.json'), JSON.stringify(describe(folder, bundle), null, 1))
    },
  }
}

/** One script without imports, which knows the files of the app. */
async function buildWorker(folder: string): Promise<void> {
  const files = sourceFiles(folder).map((name) => `/app/${name}`)
  await build({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    logLevel: 'warn',
    publicDir: false,
    plugins: [textsPlugin(fileURLToPath(new URL('../locales', import.meta.url)))],
    define: { appFiles: JSON.stringify(files), appMark: JSON.stringify(markOf(files)) },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: 'es2022',
      reportCompressedSize: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('../src/worker/sw.ts', import.meta.url)),
        output: { format: 'iife', entryFileNames: workerFile },
      },
    },
  })
}

/** Another one whenever a file is another one, since their names change with their content. */
const markOf = (files: readonly string[]) =>
  createHash('sha256').update(files.join('\n')).digest('hex').slice(0, 16)

function describe(folder: string, bundle: Bundle) {
  const parts = Object.values(bundle)
  const entry = parts.find((part) => part.type === 'chunk' && part.isEntry)
  const texts = parts.flatMap((part) => {
    const language = part.type === 'chunk' && /^\0virtual:texts\/(.+)$/.exec(part.facadeModuleId ?? '')?.[1]
    return language ? [[language, `/app/${part.fileName}`] as const] : []
  })
  const styles = (entry as { viteMetadata?: { importedCss: Set<string> } } | undefined)?.viteMetadata
    ?.importedCss
  const [stylesheet] = styles ?? []
  if (!entry || stylesheet === undefined) throw new Error('The build has no entry with a stylesheet')
  return {
    script: `/app/${entry.fileName}`,
    stylesheet: `/app/${stylesheet}`,
    texts: Object.fromEntries(texts),
    files: sourceFiles(folder).map((name) => ({
      path: `/app/${name}`,
      type: types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream',
      hashed: name !== workerFile,
    })),
  }
}

const sourceFiles = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !/\.(?:br|gz)$/.test(name))
    .toSorted()

function compressAll(folder: string): void {
  for (const name of sourceFiles(folder)) {
    const bytes = readFileSync(join(folder, name))
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
}
