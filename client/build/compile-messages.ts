// An ICU catalogue as the source of a module. What a message needs at run time stands in src/core/icu.ts.
import { IntlMessageFormat } from 'intl-messageformat'

/** A catalogue, or a part of one. */
export interface Tree {
  readonly [key: string]: string | Tree
}

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** The kinds of elements, as the parser numbers them. */
const kinds = { literal: 0, argument: 1, number: 2, select: 5, plural: 6, pound: 7 } as const

/** Returns a module that exports `texts`: strings, and functions of what is put into them. */
export function compileCatalogue(catalogue: Tree): string {
  return `import { number, plural, select, text } from '/src/core/icu.ts'\nexport const texts = ${compileTree(catalogue)}`
}

function compileTree(tree: Tree): string {
  const entries = Object.entries(tree).map(
    ([key, value]) =>
      `${JSON.stringify(key)}: ${typeof value === 'string' ? compileMessage(value) : compileTree(value)}`,
  )
  return `{ ${entries.join(', ')} }`
}

/** `'text'`, or `(p) => …` where something is put into it. */
export function compileMessage(text: string): string {
  if (!text.includes('{')) return JSON.stringify(text)
  const elements = new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst()
  return `(p) => ${compileElements(elements, null)}`
}

function compileElements(elements: readonly Element[], counted: string | null): string {
  if (elements.length === 0) return '""'
  return elements.map((element) => compileElement(element, counted)).join(' + ')
}

function compileElement(element: Element, counted: string | null): string {
  const { type } = element
  const value = 'value' in element ? String(element.value) : ''
  if (type === kinds.literal) return JSON.stringify(value)
  const parameter = `p[${JSON.stringify(value)}]`
  if (type === kinds.argument) return `text(${parameter})`
  if (type === kinds.number) return `number(${parameter})`
  if (type === kinds.pound) return `number(${counted})`
  if ((type === kinds.plural || type === kinds.select) && 'options' in element) {
    const isPlural = type === kinds.plural
    const options = Object.entries(element.options).map(
      ([name, option]) =>
        `${JSON.stringify(name)}: () => ${compileElements(option.value, isPlural ? parameter : counted)}`,
    )
    return `${isPlural ? 'plural' : 'select'}(${parameter}, { ${options.join(', ')} })`
  }
  throw new TypeError(`A message of the app has an element that is not known: ${JSON.stringify(element)}`)
}
