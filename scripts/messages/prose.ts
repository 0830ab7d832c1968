// Words for people that stand in the source instead of the message catalogues, as far as that can be seen: text between
// the tags of templates, attributes that are read out, and literals that begin as a sentence does.
import { isNode, visitNodes, type SyntaxNode } from '../syntax.ts'

/** What writes to people. Streams answer their handshakes in English, and so does the command line, which is operators'. */
const spoken = /^src\/(?:http|views)\//

/** What programs, other servers and those who look after this one read. */
const forPrograms = /^src\/http\/(?:activitypub|metrics|request-metrics|openapi|health|kit\/rate-limits)/

/** The same in every language. */
const names: ReadonlySet<string> = new Set(['UTC'])

const words = /\p{L}{2,}/u
/** `Two words` or more, as in a title or a sentence. */
const sentence = /^\p{Lu}[\p{L}’']*(?: [\p{L}\d’',:.-]+)+/u
const read = /\b(?:aria-label|alt|title|placeholder)="([^"]*)"/g

const textOf = (quasi: SyntaxNode): string => String((quasi.value as { cooked?: string }).cooked ?? '')

/** `lang="…"` or `selected`: what another template puts into a tag. */
const isAttributes = (quasis: readonly string[]) => /^[a-z\s="-]*$/.test(quasis.join(''))

function proseInHtml(template: SyntaxNode): string[] {
  const quasis = (template.quasis as SyntaxNode[]).map(textOf)
  if (isAttributes(quasis)) return []
  const source = quasis.join('\n').replaceAll(/<(style|script)\b[\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, '')
  const labels = [...source.matchAll(read)].flatMap(([, label = '']) => label.split('\n'))
  const between = source.replaceAll(/<[^>]*>/g, '\n').split('\n')
  return [...between, ...labels]
    .map((text) => text.replaceAll(/&\w+;/g, '').trim())
    .filter((text) => words.test(text) && !names.has(text))
}

function proseIn(node: SyntaxNode): string[] {
  if (node.type === 'TaggedTemplateExpression') {
    const { tag, quasi } = node
    return isNode(tag) && tag.name === 'html' && isNode(quasi) ? proseInHtml(quasi) : []
  }
  const text =
    node.type === 'TemplateLiteral'
      ? (node.quasis as SyntaxNode[]).map(textOf).join('…')
      : node.type === 'Literal' && typeof node.value === 'string'
        ? node.value
        : ''
  // A header such as `Bearer realm="…"` is none.
  return sentence.test(text) && !/\w="/.test(text) ? [text] : []
}

/** A reason in the very words that somebody is told has no literal: that would be a code. */
function saidIn({ type, key, value }: SyntaxNode): string[] {
  if (type !== 'Property' || !isNode(key) || key.name !== 'said' || !isNode(value)) return []
  if (value.type === 'TemplateLiteral') return [(value.quasis as SyntaxNode[]).map(textOf).join('…')]
  return value.type === 'Literal' ? [String(value.value)] : []
}

function proseOf(source: string, find: (node: SyntaxNode) => string[]): Map<string, number> {
  const found = new Map<string, number>()
  // What is thrown without a code is for the log.
  let endOfError = 0
  visitNodes(source, (node) => {
    const isError = node.type === 'NewExpression' && isNode(node.callee) && node.callee.name === 'Error'
    if (isError) endOfError = Number(node.end)
    if (Number(node.start) < endOfError) return
    for (const text of find(node)) if (!found.has(text)) found.set(text, Number(node.start))
  })
  return found
}

/** The words for people in the source, a line each. */
export function findProse(sources: Map<string, string>): string[] {
  return [...sources].flatMap(([file, source]) => {
    const isSpoken = spoken.test(file) && !forPrograms.test(file)
    if (!isSpoken && !source.includes('said:')) return []
    const found = proseOf(source, isSpoken ? (node) => [...proseIn(node), ...saidIn(node)] : saidIn)
    return [...found].map(([text, at]) => {
      const line = source.slice(0, at).split('\n').length
      return `${file}:${line}: words for people belong in locales/: ${text.slice(0, 80)}`
    })
  })
}
