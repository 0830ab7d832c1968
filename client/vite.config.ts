import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { buildFilePlugin } from './build/build-file-plugin.ts'
import { textsPlugin } from './build/texts-plugin.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  // What the server serves: see src/http/web/app/build.ts.
  base: '/app/',
  publicDir: false,
  cacheDir: here('../node_modules/.cache/vite-client'),
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [textsPlugin(here('locales')), buildFilePlugin()],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    emptyOutDir: true,
    rolldownOptions: {
      input: here('src/main.tsx'),
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: '[name]-[hash].js',
        chunkFileNames: '[name]-[hash].js',
        assetFileNames: '[name]-[hash][extname]',
        // All that the first view needs is one script, whatever other chunks share with it; so is the composer, which comes
        // right after it.
        codeSplitting: {
          groups: [
            { name: 'main', tags: ['$initial'] },
            {
              name: 'composer',
              test: /\/client\/src\/(?:parts\/(?:composer|controls)|data\/writing)\/(?!.*\.json$)/,
            },
          ],
        },
      },
    },
  },
})
