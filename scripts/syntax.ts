import { parseAst } from 'rolldown/parseAst'

export type SyntaxNode = Record<string, unknown>

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Calls `visit` for every syntax node of a TypeScript text, outer nodes first. Throws when it cannot be parsed. */
export function visitNodes(
  source: string,
  visit: (node: SyntaxNode) => void,
  lang: 'ts' | 'tsx' = 'ts',
): void {
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) walk(item)
    if (!isNode(value)) return
    visit(value)
    for (const child of Object.values(value)) walk(child)
  }
  walk(parseAst(source, { lang }).body)
}
