// What compiled messages call: see client/build/compile-messages.ts.

type Options = Readonly<Record<string, () => string>>

let rules = new Intl.PluralRules('en')
let numbers = new Intl.NumberFormat('en')

/** Has messages speak this language from now on. */
export function setMessageLanguage(language: string): void {
  rules = new Intl.PluralRules(language)
  numbers = new Intl.NumberFormat(language)
}

export const number = (value: number): string => numbers.format(value)

/** The form of a count: `=0` before `one`, `few`, `other`. */
export function plural(count: number, options: Options): string {
  const form = options[`=${count}`] ?? options[rules.select(count)] ?? options['other']
  return form?.() ?? ''
}

export function select(value: unknown, options: Options): string {
  return (options[String(value)] ?? options['other'])?.() ?? ''
}
