// Message catalogues as modules: ICU messages become functions when the app is built, so that none is parsed in a browser.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { compileCatalogue, type Tree } from './compile-messages.ts'

const all = 'virtual:texts'
/** What the service worker says, in all languages: it has no document that says in which. */
const ofWorker = 'virtual:worker-texts'
const workerPart = 'push'

/** Provides `virtual:texts`, and a module for each `<language>.json` of the folder; and `virtual:worker-texts`. */
export function textsPlugin(folder: string): Plugin {
  return {
    name: 'stonechat-texts',
    resolveId: (id) => (id === all || id === ofWorker || id.startsWith(`${all}/`) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${all}`) return listCatalogues(folder)
      if (id === `\0${ofWorker}`) return compileCatalogue(readWorkerTexts(folder))
      if (!id.startsWith(`\0${all}/`)) return null
      const languages = ['en', id.slice(all.length + 2)]
      for (const language of languages) this.addWatchFile(join(folder, `${language}.json`))
      const [english = {}, own = {}] = languages.map((language) => readCatalogue(folder, language))
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

const readCatalogue = (folder: string, language: string): Tree =>
  JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Tree

const listLanguages = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))

/** Language → the part of its catalogue that the service worker says. */
function readWorkerTexts(folder: string): Tree {
  const partOf = (tree: Tree) => ({ [workerPart]: tree[workerPart] ?? {} })
  const english = partOf(readCatalogue(folder, 'en'))
  const entries = listLanguages(folder).map((language): [string, Tree] => [
    language,
    fill(english, partOf(readCatalogue(folder, language))),
  ])
  return Object.fromEntries(entries)
}

function listCatalogues(folder: string): string {
  const entries = listLanguages(folder).map((language) => `'${language}': () => import('${all}/${language}')`)
  return `export const catalogues = { ${entries.join(', ')} }`
}
