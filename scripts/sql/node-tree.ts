// PostgreSQL's own text form of a statement that it has understood: {NAME :field value …} and lists in parentheses.

/** A node, a list, or a word; null for what is not there. */
export type Tree = TreeNode | Tree[] | string | null

export interface TreeNode {
  name: string
  fields: ReadonlyMap<string, Tree>
}

export const isTreeNode = (tree: Tree | undefined): tree is TreeNode =>
  typeof tree === 'object' && tree !== null && !Array.isArray(tree)

const word = /\s*([(){}]|(?:\\.|[^\s(){}\\])+)/gy

/** Reads such a text. Throws SyntaxError where it is not one. */
export function parseTree(text: string): Tree {
  const words = Array.from(text.matchAll(word), (found) => found[1] ?? '')
  let at = 0
  const next = (): Tree => {
    const token = words[at]
    at += 1
    if (token === undefined) throw new SyntaxError('The text of the statement ends too early')
    if (token === '(') return readList()
    if (token === '{') return readNode()
    return token === '<>' ? null : token
  }
  const readList = (): Tree[] => {
    const items: Tree[] = []
    while (words[at] !== ')') items.push(next())
    at += 1
    return items
  }
  const readNode = (): TreeNode => {
    const name = words[at] ?? ''
    at += 1
    const fields = new Map<string, Tree>()
    while (words[at] !== '}') {
      const field = words[at]?.slice(1) ?? ''
      at += 1
      fields.set(field, next())
      // Constants are a length and their bytes, and some fields are pairs: only the first is looked at.
      while (words[at] !== undefined && words[at] !== '}' && !words[at]?.startsWith(':')) next()
    }
    at += 1
    return { name, fields }
  }
  return next()
}

/** A field that is a node. */
export function nodeIn(node: TreeNode, field: string): TreeNode | undefined {
  const found = node.fields.get(field)
  return isTreeNode(found) ? found : undefined
}

/** The members of a field that is a list. */
export function listIn(node: TreeNode, field: string): Tree[] {
  const found = node.fields.get(field)
  return Array.isArray(found) ? found : []
}

/** A field that is a number, or NaN. */
export const numberIn = (node: TreeNode, field: string): number =>
  Number(node.fields.get(field) ?? Number.NaN)

/** A field that is a word. */
export function textIn(node: TreeNode, field: string): string {
  const found = node.fields.get(field)
  return typeof found === 'string' ? found : ''
}
