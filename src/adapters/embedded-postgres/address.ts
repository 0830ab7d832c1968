// How to reach the database: a socket in its own folder where that works, otherwise a loopback port.
import { rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import path from 'node:path'
import { databaseUser } from './places.ts'

export interface Address {
  /** Folder of the socket; null: TCP on 127.0.0.1. */
  socketDir: string | null
  port: number
}

/** The shortest limit of a socket's path among our systems is 104 bytes. */
const maxSocketPathLength = 100
const socketPort = 5432

/** A socket has no port that another program could take first, and no other account can get at it. */
export async function chooseAddress(cluster: string): Promise<Address> {
  const fits = Buffer.byteLength(path.join(cluster, `.s.PGSQL.${socketPort}`)) < maxSocketPathLength
  if (fits && (await canHoldSockets(cluster))) return { socketDir: cluster, port: socketPort }
  return { socketDir: null, port: await freePort() }
}

/** postgres: URL of `database`. It names everything that PG* variables would otherwise change. */
export function databaseUrl(address: Address, password: string, database: string): string {
  const host = address.socketDir === null ? '127.0.0.1' : ''
  const url = `postgres://${databaseUser}:${encodeURIComponent(password)}@${host}`
  const name = encodeURIComponent(database)
  return address.socketDir === null
    ? `${url}:${address.port}/${name}?sslmode=disable`
    : `${url}/${name}?host=${encodeURIComponent(address.socketDir)}&port=${address.port}&sslmode=disable`
}

/** Settings that make PostgreSQL listen there; `clusterName` is the cluster folder as its account names it. */
export function listenSettings(address: Address, clusterName: string): Record<string, string> {
  return {
    port: String(address.port),
    listen_addresses: address.socketDir === null ? '127.0.0.1' : '',
    // A list, in which commas separate and double quotes hold a name together.
    unix_socket_directories: address.socketDir === null ? '' : `"${clusterName.replaceAll('"', '""')}"`,
  }
}

/** Network and shared folders often cannot. */
async function canHoldSockets(folder: string): Promise<boolean> {
  const file = path.join(folder, '.socket-test')
  await rm(file, { force: true })
  const server = createServer()
  try {
    await listen(server, file)
    return true
  } catch {
    return false
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await listen(server, 0)
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

function listen(server: Server, where: string | number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    if (typeof where === 'number') server.listen(where, '127.0.0.1', resolve)
    else server.listen(where, resolve)
  })
}
