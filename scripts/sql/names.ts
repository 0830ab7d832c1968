// Names by which the same value is known wherever it is used.
import * as ts from 'typescript/unstable/ast'
import { noFacts } from './facts.ts'
import {
  isConstant,
  nameOfProperty,
  ownerOf,
  rootOf,
  type Bound,
  type Frame,
  type Meaning,
  type Reading,
} from './reading.ts'

/** A name for an expression that is the same wherever it has the same value. */
export function nameOf(r: Reading, { node, frame }: Bound): string {
  if (ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node)) {
    return nameOf(r, { node: node.expression, frame })
  }
  if (ts.isPropertyAccessExpression(node)) {
    const held = ownBound(r, node.expression, frame)
    const known =
      held && ts.isObjectLiteralExpression(held.node)
        ? propertyOf(r, { ...held, facts: noFacts }, node.name.text)
        : []
    const [only, ...others] = known ?? []
    if (only && others.length === 0) return nameOf(r, only)
    return `${nameOf(r, { node: node.expression, frame })}.${node.name.text}`
  }
  if (ts.isIdentifier(node)) return nameOfIdentifier(r, node, frame)
  if (ts.isStringLiteral(node) || ts.isNumericLiteral(node)) return node.getText()
  if (['true', 'false', 'null'].includes(node.getText())) return node.getText()
  if (ts.isCallExpression(node) && node.arguments.length > 0) {
    const args = node.arguments.map((argument) => nameOf(r, { node: argument, frame }))
    return `${nameOf(r, { node: node.expression, frame })}(${args.join(', ')})`
  }
  return `${node.getText()}#${frame.id}`
}

/** What a parameter was given, where the call is known. */
function ownBound(r: Reading, node: ts.Node, frame: Frame): Bound | null {
  const declaration = ts.isIdentifier(node) ? r.program.declarationOf(node) : undefined
  if (!declaration || !ts.isParameterDeclaration(declaration)) return null
  return ownerOf(declaration, frame)?.bindings.get(declaration) ?? null
}

function nameOfIdentifier(r: Reading, node: ts.Identifier, frame: Frame): string {
  if (node.text === 'undefined') return 'undefined'
  if (ts.isPropertyAssignment(node.parent) && node.parent.name === node) return `'${node.text}'`
  const declaration = r.program.declarationOf(node)
  if (declaration === undefined) return node.text
  if (ts.isParameterDeclaration(declaration)) {
    const owner = ownerOf(declaration, frame)
    const bound = owner?.bindings.get(declaration)
    if (owner && bound === undefined && !declaration.initializer) return 'undefined'
    return bound
      ? nameOf(r, bound)
      : `${node.text}@${r.program.placeOf(declaration)}#${owner?.id ?? rootOf(frame).id}`
  }
  if (ts.isVariableDeclaration(declaration) && declaration.initializer && isConstant(declaration)) {
    const { initializer } = declaration
    if (ts.isIdentifier(initializer) || ts.isPropertyAccessExpression(initializer)) {
      return nameOf(r, { node: initializer, frame })
    }
  }
  if (ts.isBindingElement(declaration)) {
    const name = nameOfElement(r, declaration, frame)
    if (name !== undefined) return name
  }
  return `${node.text}@${r.program.placeOf(declaration)}#${frame.id}`
}

function nameOfElement(r: Reading, element: ts.BindingElement, frame: Frame): string | undefined {
  const holder = element.parent.parent
  const key = (element.propertyName ?? element.name)?.getText()
  const known = knownProperty(r, element, frame)
  if (known !== undefined) return known
  if (element.dotDotDotToken || element.initializer || !ts.isObjectBindingPattern(element.parent))
    return undefined
  if (ts.isVariableDeclaration(holder) && holder.initializer) {
    return `${nameOf(r, { node: holder.initializer, frame })}.${key}`
  }
  if (!ts.isParameterDeclaration(holder)) return undefined
  const owner = ownerOf(holder, frame)
  const bound = owner?.bindings.get(holder)
  return bound ? `${nameOf(r, bound)}.${key}` : undefined
}

/** The one value of what is taken out of an object that is written down; 'undefined' where it has no such property. */
function knownProperty(r: Reading, element: ts.BindingElement, frame: Frame): string | undefined {
  const holder = element.parent.parent
  if (!ts.isVariableDeclaration(holder) || !holder.initializer || element.initializer) return undefined
  const held = ts.isBinaryExpression(holder.initializer) ? holder.initializer.left : holder.initializer
  if (!ts.isElementAccessExpression(held)) return undefined
  const objects = r.resolve({ node: held, frame }, noFacts)
  const [object, ...others] = objects
  if (!object || others.length > 0 || !ts.isObjectLiteralExpression(object.node)) return undefined
  const [value, ...more] =
    propertyOf(r, object, element.propertyName?.getText() ?? element.name?.getText() ?? '') ?? []
  if (value === undefined) return 'undefined'
  return more.length === 0 ? nameOf(r, value) : undefined
}

/** The property of an object that is written down; undefined when it has none of that name. */
export function propertyOf(r: Reading, { node, frame, facts }: Meaning, key: string): Meaning[] | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined
  for (const property of node.properties) {
    if (nameOfProperty(property) !== key) continue
    if (ts.isPropertyAssignment(property)) return r.resolve({ node: property.initializer, frame }, facts)
    if (ts.isShorthandPropertyAssignment(property)) return r.resolve({ node: property.name, frame }, facts)
  }
  return undefined
}
