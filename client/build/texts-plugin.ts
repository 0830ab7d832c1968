// Message catalogues as modules: ICU messages become functions when the app is built, so that none is parsed in a browser.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { compileCatalogue } from './compile-messages.ts'

const all = 'virtual:texts'

/** Provides `virtual:texts`, and a module for each `<language>.json` of the folder. */
export function textsPlugin(folder: string): Plugin {
  return {
    name: 'stonechat-texts',
    resolveId: (id) => (id === all || id.startsWith(`${all}/`) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${all}`) return listCatalogues(folder)
      if (!id.startsWith(`\0${all}/`)) return null
      const file = join(folder, `${id.slice(all.length + 2)}.json`)
      this.addWatchFile(file)
      return compileCatalogue(JSON.parse(readFileSync(file, 'utf8')))
    },
  }
}

function listCatalogues(folder: string): string {
  const languages = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
  const entries = languages.map((language) => `'${language}': () => import('${all}/${language}')`)
  return `export const catalogues = { ${entries.join(', ')} }`
}
