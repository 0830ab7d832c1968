// Tests as the syntax of a source text has them.
import { isNode, type SyntaxNode } from './syntax.ts'

/** `test`, `it` or `describe`, also through `.each(…)`, `.for(…)`, `.skipIf(…)`; undefined for skipped ones and todos. */
function isTestCall(callee: unknown): boolean {
  if (!isNode(callee)) return false
  if (callee.type === 'Identifier') return ['test', 'it', 'describe'].includes(String(callee.name))
  if (callee.type === 'CallExpression') return isTestCall(callee.callee)
  if (callee.type === 'TaggedTemplateExpression') return isTestCall(callee.tag)
  if (callee.type !== 'MemberExpression' || !isNode(callee.property)) return false
  return !['skip', 'todo'].includes(String(callee.property.name)) && isTestCall(callee.object)
}

function textOf(argument: unknown): string | undefined {
  if (!isNode(argument)) return undefined
  if (argument.type === 'Literal' && typeof argument.value === 'string') return argument.value
  if (argument.type !== 'TemplateLiteral' || !Array.isArray(argument.quasis)) return undefined
  const parts = argument.quasis.map((quasi: SyntaxNode) =>
    isNode(quasi.value) ? String(quasi.value.cooked) : '',
  )
  return parts.join('…')
}

/** Returns the title of a test or a group of them; undefined for anything else, and for what is skipped. */
export function titleOf(node: SyntaxNode): string | undefined {
  if (node.type !== 'CallExpression' || !isTestCall(node.callee) || !Array.isArray(node.arguments))
    return undefined
  return textOf(node.arguments[0])
}
