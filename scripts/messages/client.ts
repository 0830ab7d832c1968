// The web app's catalogues: the same rules, and a stricter one for what is said, since the app says every message as
// `t.part.name`, looks it up in its part as `t.part[name]`, or lists the part as `Object.entries(t.part)`.
import { isNode, visitNodes, type SyntaxNode } from '../syntax.ts'
import { flatten, type Tree } from './compare.ts'

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** The keys of English that no source of the app says, a line each. */
export function findUnsaid(english: Tree, sources: Map<string, string>): string[] {
  const all = [...sources.values()].join('\n')
  const isSaid = (key: string): boolean => {
    const path = key.split('.')
    const part = path.slice(0, -1).join('.')
    const named = new RegExp(`\\bt\\.${escaped(key)}(?![\\w$])`)
    return named.test(all) || all.includes(`t.${part}[`) || all.includes(`Object.entries(t.${part})`)
  }
  return [...flatten(english).keys()]
    .filter((key) => !isSaid(key))
    .map((key) => `client/locales/en.json: nothing says ${key}`)
}

const words = /\p{L}{2,}/u
/** Attributes that are read out or shown. */
const read: ReadonlySet<string> = new Set(['aria-label', 'alt', 'title', 'placeholder', 'label', 'name'])

function proseIn(node: SyntaxNode): string | null {
  if (node.type === 'JSXText') return String(node.value)
  if (node.type !== 'JSXAttribute' || !isNode(node.name) || !isNode(node.value)) return null
  return node.value.type === 'Literal' && read.has(String(node.name.name)) ? String(node.value.value) : null
}

/** Words for people that stand in the source of the app, a line each. Icons and fields have names that are none. */
export function findProseInClient(sources: Map<string, string>): string[] {
  return [...sources].flatMap(([file, source]) => {
    const found: string[] = []
    const look = (node: SyntaxNode) => {
      const text = proseIn(node)?.trim() ?? ''
      if (!words.test(text) || /^[\w-]+$/.test(text)) return
      const line = source.slice(0, Number(node.start)).split('\n').length
      found.push(`${file}:${line}: words for people belong in client/locales/: ${text.slice(0, 80)}`)
    }
    if (file.endsWith('.tsx')) visitNodes(source, look, 'tsx')
    return found
  })
}
