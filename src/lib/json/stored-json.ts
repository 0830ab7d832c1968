/**
 * Returns JSON that PostgreSQL takes, of what strangers may have written: as text it would have halves of pairs of UTF-16
 * replaced on its way, and zero characters cut out by whoever reads it, but as JSON it refuses them.
 */
export const toStoredJson = (value: unknown): string => JSON.stringify(value, storable)

const storable = (_key: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value
