// Message catalogues as modules: ICU messages become functions when the app is built, so that none is parsed in a browser.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { compileCatalogue, type Tree } from './compile-messages.ts'

const all = 'virtual:texts'

/** Provides `virtual:texts`, and a module for each `<language>.json` of the folder. */
export function textsPlugin(folder: string): Plugin {
  return {
    name: 'stonechat-texts',
    resolveId: (id) => (id === all || id.startsWith(`${all}/`) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${all}`) return listCatalogues(folder)
      if (!id.startsWith(`\0${all}/`)) return null
      const files = ['en', id.slice(all.length + 2)].map((language) => join(folder, `${language}.json`))
      for (const file of files) this.addWatchFile(file)
      const [english = {}, own = {}] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Tree)
      return compileCatalogue(fill(english, own))
    },
  }
}

/** English, with the words of a language where it has any. */
function fill(english: Tree, own: Tree): Tree {
  const filled = Object.entries(english).map(([key, text]) => {
    const said = own[key]
    if (typeof text === 'string') return [key, typeof said === 'string' ? said : text]
    return [key, fill(text, typeof said === 'object' ? said : {})]
  })
  return Object.fromEntries(filled) as Tree
}

function listCatalogues(folder: string): string {
  const languages = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
  const entries = languages.map((language) => `'${language}': () => import('${all}/${language}')`)
  return `export const catalogues = { ${entries.join(', ')} }`
}
