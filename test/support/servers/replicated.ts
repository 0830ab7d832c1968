// A PostgreSQL with replicas that follow it by streaming, all of the embedded programs, on folders of this test.
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { findPostmaster } from '#adapters/embedded-postgres/processes.ts'
import { placesIn } from '#adapters/embedded-postgres/places.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { quietLog } from '#test/app/log.ts'
import { migrateAll } from '#test/run/temporary-cluster.ts'

/** What is lost with the machine may be lost; what is lost with a process may not. */
const settings = {
  fsync: 'off',
  wal_level: 'replica',
  max_wal_senders: '6',
  autovacuum: 'off',
  shared_buffers: '32MB',
}

export interface Server {
  /** With a host, as operators' tools want it; the socket in its query is what counts. */
  readonly url: string
  /** A statement over a connection that only tests use. */
  ask<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>
  /** Ends its process by SIGKILL; it is started again at the same address. */
  kill(): Promise<void>
  /** Ends it by SIGKILL, for good. */
  crash(): Promise<void>
  stop(): Promise<void>
}

export interface Replicated extends Server {
  /** A further replica, which streams when this resolves. */
  replicate(): Promise<Server>
  remove(): Promise<void>
}

/** Starts one with all tables. */
export async function startReplicated(): Promise<Replicated> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-replicated-'))
  // The account of the one replica's process has to get at the socket of the other.
  await chmod(folder, 0o711)
  const servers: Server[] = []
  const start = async (name: string, more: Record<string, string> = {}) => {
    const dataDir = path.join(folder, name)
    const postgres = await startEmbeddedPostgres({
      dataDir,
      log: quietLog,
      settings: { ...settings, ...more },
    })
    const server = await openServer(dataDir, postgres)
    servers.push(server)
    return server
  }
  const primary = await start('p')
  await migrateAll(primary.url)
  return {
    ...primary,
    async replicate() {
      const name = `r${servers.length}`
      await copyCluster(primary, path.join(folder, 'p'), path.join(folder, name))
      const replica = await start(name, { primary_conninfo: conninfoOf(primary.url) })
      await primary.ask('select pg_switch_wal()')
      return replica
    },
    async remove() {
      for (const server of servers.toReversed()) await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openServer(dataDir: string, postgres: EmbeddedPostgres): Promise<Server> {
  const url = postgres.url.replace('@/', '@localhost/')
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  pool.on('error', () => {})
  const kill = async () => {
    const found = await findPostmaster(placesIn(dataDir).cluster)
    if (found) process.kill(found.pid, 'SIGKILL')
  }
  return {
    url,
    // Not described: these are the tests' own.
    ask: async (text, values = []) => (await pool.query(text, values)).rows,
    kill,
    async crash() {
      await kill()
      await postgres.stop()
    },
    async stop() {
      await pool.end().catch(() => {})
      await postgres.stop()
    },
  }
}

/** A base backup, as `pg_basebackup` takes it, which the embedded PostgreSQL does not bring. */
async function copyCluster(primary: Server, from: string, to: string): Promise<void> {
  const [source, target] = [placesIn(from), placesIn(to)]
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  await client.query("select pg_backup_start('replica', true)")
  await mkdir(to, { recursive: true })
  const unwanted = /\/(?:postmaster\.(?:pid|opts)|\.s\.PGSQL.*)$/
  await cp(source.cluster, target.cluster, { recursive: true, filter: (file) => !unwanted.test(file) })
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
  await client.end()
  await writeFile(path.join(target.cluster, 'backup_label'), rows[0].labelfile)
  await writeFile(path.join(target.cluster, 'standby.signal'), '')
  await cp(path.dirname(source.passwordFile), path.dirname(target.passwordFile), { recursive: true })
}

function conninfoOf(address: string): string {
  const url = new URL(address)
  const host = url.searchParams.get('host') ?? url.hostname
  const port = url.searchParams.get('port') ?? url.port
  return `host=${host} port=${port} user=${url.username} password=${decodeURIComponent(url.password)}`
}
