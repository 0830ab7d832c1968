// Values of ActivityPub objects: each may be a string, an object or a list of these.
import { cleanText } from '#lib/text/text.ts'

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value as a list; nothing when there is none. */
export function list(value: unknown): unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** The value, or the first of them. */
export const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value)

/** The address of what is named by it, or stands in place of it. */
export function idOf(value: unknown): string | null {
  const id = isRecord(value) ? value['id'] : value
  return typeof id === 'string' && id !== '' ? cleanText(id) : null
}

/** A text as it can be stored. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? cleanText(value) : null
}

const maxAddresses = 10_000

/** The addresses of all that is named. */
export function addressesOf(value: unknown): string[] {
  return list(value)
    .slice(0, maxAddresses)
    .flatMap((one) => idOf(one) ?? [])
}
