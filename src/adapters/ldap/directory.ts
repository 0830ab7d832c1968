// A directory is asked whose name and password these are: it is searched as the server, and then bound to as who was found.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { Client, InvalidCredentialsError, NoSuchObjectError, type Entry } from 'ldapts'
import type { LdapConfig } from '#config/ldap.ts'
import { unavailable } from '#lib/errors.ts'
import type { ClaimedIdentity, Directory } from '#ports/identity-providers.ts'
import type { Log } from '#ports/log.ts'
import { fillFilter } from './filter.ts'

const timeout = 5_000
const maxName = 320
const maxUid = 255

type Connected = <T>(work: (client: Client) => Promise<T>) => Promise<T>

/** Throws when the file with authorities cannot be read. */
export function createLdapDirectory(ldap: LdapConfig, { log }: { log: Log }): Directory {
  const connected = createConnections(ldap)
  return {
    async find(name, password) {
      // A bind without a password succeeds and proves nothing (RFC 4513, section 5.1.2).
      if (password === '' || name.trim() === '' || name.length > maxName) return null
      try {
        const entry = await connected((client) => search(client, ldap, name.trim()))
        const isTheirs = entry && (await connected((client) => mayBind(client, entry.dn, password)))
        return isTheirs ? toIdentity(ldap, entry) : null
      } catch (error) {
        if (error instanceof NoSuchObjectError) return null
        const reason = error instanceof Error ? error.message : String(error)
        log.warn({ reason }, 'the directory does not answer')
        throw unavailable('directory_unavailable', undefined, { cause: error })
      }
    },
  }
}

/** Each piece of work has a connection of its own: one that was bound as somebody is nobody else's. */
function createConnections(ldap: LdapConfig): Connected {
  const isTls = ldap.method === 'simple_tls'
  const host = ldap.host.includes(':') ? `[${ldap.host}]` : ldap.host
  const tls = {
    // Names the host also where TLS begins on an open connection.
    host: ldap.host,
    ...(isIP(ldap.host) === 0 && { servername: ldap.host }),
    rejectUnauthorized: ldap.verifyCertificate,
    ...(ldap.caFile === null ? {} : { ca: readFileSync(ldap.caFile) }),
  }
  const options = {
    url: `ldap${isTls ? 's' : ''}://${host}:${ldap.port}`,
    timeout,
    connectTimeout: timeout,
    strictDN: false,
    ...(isTls && { tlsOptions: tls }),
  }
  return async (work) => {
    const client = new Client(options)
    try {
      if (ldap.method === 'start_tls') await client.startTLS(tls)
      return await work(client)
    } finally {
      await client.unbind().catch(() => {})
    }
  }
}

/** Returns the entry that the operator's filter finds for this name; null where there is none, or more than one. */
async function search(client: Client, ldap: LdapConfig, email: string): Promise<Entry | null> {
  await client.bind(ldap.bindDn, ldap.bindPassword)
  const { searchEntries } = await client.search(ldap.base, {
    scope: 'sub',
    filter: fillFilter(ldap.searchFilter, { ...ldap, email }),
    attributes: [ldap.uid, ldap.mail, 'displayName', 'cn', 'entryUUID', 'nsUniqueId'],
    sizeLimit: 2,
    timeLimit: timeout / 1000,
  })
  return searchEntries.length === 1 ? (searchEntries[0] ?? null) : null
}

async function mayBind(client: Client, dn: string, password: string): Promise<boolean> {
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (error instanceof InvalidCredentialsError) return false
    throw error
  }
}

function toIdentity(ldap: LdapConfig, entry: Entry): ClaimedIdentity | null {
  const first = (name: string) => {
    const [value] = [entry[name]].flat()
    return typeof value === 'string' ? value.trim() : ''
  }
  const uid = first(ldap.uid)
  if (uid === '' || uid.length > maxUid) return null
  const email = first(ldap.mail)
  return {
    provider: 'ldap',
    uid,
    subject: first('entryUUID') || first('nsUniqueId') || entry.dn,
    email: email === '' ? null : email,
    // The directory is the operator's own.
    isEmailVerified: email !== '',
    username: convert(uid, ldap.conversion),
    displayName: first('displayName') || first('cn'),
  }
}

function convert(uid: string, conversion: LdapConfig['conversion']): string {
  if (!conversion) return uid
  const replaced = new Set(conversion.search)
  return [...uid].map((char) => (replaced.has(char) ? conversion.replace : char)).join('')
}
