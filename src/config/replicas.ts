// Read replicas of the database, by one variable or by Mastodon's several.
import type { EnvReader } from '#config/env.ts'

const allowed =
  'a list of URLs that start with postgres:// or postgresql://, one for each replica, separated by blanks or commas'

/** Reads REPLICA_DATABASE_URL, or else the REPLICA_DB_ variables; empty: there are none. */
export function readReplicas(reader: EnvReader): string[] {
  const given = reader.list('REPLICA_DATABASE_URL', parseAddress, allowed) ?? fromParts(reader)
  if (given.length > 0)
    reader.required('DATABASE_URL', 'replicas are of an outside PostgreSQL, not of the embedded one')
  return [...new Set(given)]
}

function parseAddress(entry: string): string | null {
  const url = URL.parse(entry)
  return url && /^postgres(?:ql)?:$/.test(url.protocol) ? entry : null
}

/** What they do not say is as in the address of the database itself. */
function fromParts(reader: EnvReader): string[] {
  const host = reader.text('REPLICA_DB_HOST')
  const name = reader.text('REPLICA_DB_NAME')
  const user = reader.text('REPLICA_DB_USER')
  const password = reader.text('REPLICA_DB_PASS')
  const port = reader.integer('REPLICA_DB_PORT', { min: 0, max: 65_535, fallback: 0 })
  if (host === null && name === null && user === null && password === null && port === 0) return []
  const url = URL.parse(reader.text('DATABASE_DIRECT_URL') ?? reader.text('DATABASE_URL') ?? '')
  if (!url) return []
  // Where it is said beside the address, that is what counts.
  for (const part of ['host', 'port']) url.searchParams.delete(part)
  if (host?.startsWith('/')) url.searchParams.set('host', host)
  else if (host !== null) url.hostname = host
  if (port > 0) url.port = String(port)
  if (name !== null) url.pathname = `/${encodeURIComponent(name)}`
  if (user !== null) url.username = encodeURIComponent(user)
  if (password !== null) url.password = encodeURIComponent(password)
  return [url.href]
}
