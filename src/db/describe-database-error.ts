// What the database answers when it cannot be used, in words that say what to do.

const known: Readonly<Record<string, (message: string) => string>> = {
  '28P01': signIn,
  '28000': signIn,
  '3D000': (message) => `${message}: make it (createdb), or correct its name in DATABASE_URL`,
  '42501': (message) => `${message}: the user of DATABASE_URL has to own the database`,
  '25006': (message) =>
    `${message}: DATABASE_URL leads to a database that only reads, as a replica does; give the one that writes`,
  '53100': (message) => `The disk of the database is full: make room there (${message})`,
  '53300': (message) => `${message}: raise max_connections of PostgreSQL, or lower DB_POOL`,
  '57P03': (message) => `${message}: try again in a moment`,
}

function signIn(message: string): string {
  return `The database refuses the login (${message}): see that user and password in DATABASE_URL are right, and that pg_hba.conf lets them in`
}

/** One line for what keeps anybody from using the database; null for any other error. */
export function describeDatabaseError(error: Error): string | null {
  const { code = '' } = error as { code?: string }
  if (Object.hasOwn(known, code)) return known[code]?.(error.message) ?? null
  // pg says this one itself, without a code.
  if (error.message === 'The server does not support SSL connections')
    return `${error.message}: take sslmode out of DATABASE_URL, or switch them on there`
  return null
}
