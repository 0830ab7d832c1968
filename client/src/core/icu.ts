// What compiled messages call: see client/build/compile-messages.ts.

type Options = Readonly<Record<string, () => string>>

let rules = new Intl.PluralRules('en')
let numbers = new Intl.NumberFormat('en')
let isFromRight = false

/** Languages that are read from the right: as src/lib/text/direction.ts of the server has them, which a test holds it to. */
const fromRight = /^(?:ar|fa|he|ur|yi|ckb|ps|sd|ug|dv)\b/

/** Has messages speak this language from now on. */
export function setMessageLanguage(language: string): void {
  rules = new Intl.PluralRules(language)
  numbers = new Intl.NumberFormat(language)
  isFromRight = fromRight.test(language)
}

/** A name or an address keeps its own direction: else `@wren` is `wren@` among words that are read from the right. */
export const text = (value: unknown): string => (isFromRight ? `\u2068${String(value)}\u2069` : String(value))

export const number = (value: number): string => numbers.format(value)

/** The form of a count: `=0` before `one`, `few`, `other`. */
export function plural(count: number, options: Options): string {
  const form = options[`=${count}`] ?? options[rules.select(count)] ?? options['other']
  return form?.() ?? ''
}

export function select(value: unknown, options: Options): string {
  return (options[String(value)] ?? options['other'])?.() ?? ''
}
