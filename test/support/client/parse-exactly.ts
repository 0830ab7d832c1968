import type { Json } from './client.ts'

/**
 * Reads JSON as browsers do, whose numbers are doubles. Throws for a number that they would read as another one: ids
 * above 2^53 have to be strings.
 */
export function parseExactly(text: string): Json {
  return JSON.parse(text, (key, value) => {
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      throw new Error(`${key} is a number that is not exact: ${value}`)
    return value
  })
}
