// What is put into an ICU message.
import { IntlMessageFormat } from 'intl-messageformat'

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** The kinds of elements, as the parser numbers them. */
const kinds = { argument: 1, number: 2, date: 3, time: 4, select: 5, plural: 6 } as const

/** The parameters of a message: name → its TypeScript type, in the order of their names. Throws for broken syntax. */
export function paramsOf(text: string): Record<string, string> {
  const found = new Map<string, string>()
  const visit = (elements: readonly Element[]): void => {
    for (const element of elements) {
      const type = typeOf(element)
      // A number that decides about a word is also shown: the narrower type counts.
      if (type && (found.get(named(element)) ?? anything) === anything) found.set(named(element), type)
      if ('options' in element) for (const { value } of Object.values(element.options)) visit(value)
    }
  }
  visit(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst())
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const anything = 'string | number'
const named = (element: Element) => String((element as { value: unknown }).value)

function typeOf({ type }: Element): string | null {
  if (type === kinds.argument) return anything
  if (type === kinds.number || type === kinds.plural) return 'number'
  if (type === kinds.select) return 'string | boolean'
  if (type === kinds.date || type === kinds.time) return 'Date | number'
  return null
}
