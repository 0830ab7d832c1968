// How the database is used, and settings of the embedded one.
import { availableParallelism } from 'node:os'
import type { EnvReader } from '#config/env.ts'

export interface DatabaseConfig {
  /** Connections that a process opens at most. */
  readonly connections: number
  /** Whether statements are prepared once and then named. */
  readonly preparedStatements: boolean
  /** Of PostgreSQL, for the embedded one; they win over those that follow from the machine. */
  readonly postgresSettings: Readonly<Record<string, string>>
}

/** What this program sets itself: how it reaches the database, and that what was answered is on the disk. */
const ours =
  /^(?:listen_addresses|port|unix_socket_\w+|fsync|full_page_writes|data_directory|hba_file|ident_file|config_file)$/

/**
 * Enough to keep the database's cores busy. Each connection costs it some twenty megabytes, and waiting here is cheaper
 * than waiting there. One process asks for no more than four cores' work, whatever the machine has.
 */
const usualConnections = () => 5 + Math.max(2, Math.min(4, availableParallelism()))

/** Reads DB_POOL, PREPARED_STATEMENTS and POSTGRES_SETTINGS. */
export function readDatabase(reader: EnvReader): DatabaseConfig {
  const settings = reader.list(
    'POSTGRES_SETTINGS',
    parseSetting,
    'a list of settings of PostgreSQL as name=value, such as shared_buffers=512MB, but none of addresses, files and fsync',
  )
  return {
    connections: reader.integer('DB_POOL', { min: 2, max: 200, fallback: usualConnections() }),
    preparedStatements: reader.boolean('PREPARED_STATEMENTS', true),
    postgresSettings: Object.fromEntries(settings ?? []),
  }
}

function parseSetting(entry: string): [string, string] | null {
  const [, name = '', value = ''] = /^([a-z][a-z_.]*)=(\S+)$/.exec(entry) ?? []
  return name === '' || ours.test(name) ? null : [name, value]
}
