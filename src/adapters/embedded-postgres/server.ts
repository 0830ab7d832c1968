// One database process: start it, wait until it answers, end it.
import { spawn, type ChildProcess } from 'node:child_process'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '#ports/log.ts'
import { atExit } from '../at-exit.ts'
import type { Account } from './account.ts'
import { databaseUrl, listenSettings, type Address } from './address.ts'
import { databaseEnv, startFailure } from './cluster.ts'
import { boundLog, lastComplaint } from './log-file.ts'
import { defaultDatabase, nameForAccount, type Places } from './places.ts'
import { endLeftover, endProcess, endStraySessions, findPostmaster } from './processes.ts'
import { settingArguments } from './settings.ts'

export interface ServerOptions {
  places: Places
  bin: string
  account: Account | null
  address: Address
  password: string
  settings: Record<string, string>
  log: Log
}

export interface Server {
  pid: number
  isAlive(): boolean
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<void>
  stop(): Promise<void>
}

/** Causes that pass: processes of a killed server that still end, or a port that was taken in between. */
const passing = /lock file|shared memory|could not create any TCP|could not bind/
const attempts = 8
const pollEvery = 20

/** Starts the database once what an earlier server left is out of the way; resolves when it takes connections. */
export async function startServer(options: ServerOptions): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    if (attempt > 2) await endStraySessions(options.places.cluster)
    const leftover = await endLeftover(options.places.cluster)
    if (leftover !== null)
      options.log.info({ pid: leftover }, 'stopped the database process of an earlier server')
    try {
      return await startOnce(options)
    } catch (error) {
      if (attempt >= attempts || !passing.test((error as Error).message)) throw error
      await sleep(50 * 2 ** attempt)
    }
  }
}

async function startOnce(options: ServerOptions): Promise<Server> {
  const { logFile } = options.places
  await boundLog(logFile)
  const output = await open(logFile, 'a', 0o600)
  const { size } = await output.stat()
  let server: Server
  try {
    server = toServer(await spawnPostgres(options, output.fd))
  } catch (error) {
    throw startFailure('The database could not be started', error)
  } finally {
    await output.close()
  }
  try {
    if (await waitUntilReady(options, server)) return server
  } catch (error) {
    await server.stop()
    throw error
  }
  const complaint = (await lastComplaint(logFile, size)) ?? 'it gave no reason'
  throw new Error(`The database could not be started: ${complaint} (log: ${logFile})`)
}

async function spawnPostgres(options: ServerOptions, output: number): Promise<ChildProcess> {
  const { places, account, address } = options
  const clusterName = await nameForAccount(places.cluster, account)
  const settings = { ...options.settings, ...listenSettings(address, clusterName) }
  const child = spawn(
    path.join(options.bin, 'postgres'),
    ['-D', clusterName, ...settingArguments(settings)],
    {
      ...account,
      cwd: places.cluster,
      env: databaseEnv,
      // A session of its own: Ctrl-C is for us, and the database ends after us.
      detached: true,
      stdio: ['ignore', output, output],
    },
  )
  // From its first moment on: until it takes connections much can happen to this process.
  const takeBack = atExit(() => child.kill('SIGINT'))
  child.once('exit', takeBack)
  await new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject)).catch(
    (error) => {
      takeBack()
      throw error
    },
  )
  return child
}

function toServer(child: ChildProcess): Server {
  const isAlive = () => child.exitCode === null && child.signalCode === null
  const pid = child.pid as number
  return {
    pid,
    isAlive,
    ended: new Promise((resolve) => child.once('exit', () => resolve())),
    stop: () => endProcess(pid, isAlive),
  }
}

/** False when the process ended first. After a crash, recovery may take its time. */
async function waitUntilReady(options: ServerOptions, server: Server): Promise<boolean> {
  const started = performance.now()
  let mentioned = 0
  while (server.isAlive()) {
    if (await isReady(options)) return true
    const seconds = Math.floor((performance.now() - started) / 10_000) * 10
    if (seconds > mentioned) {
      mentioned = seconds
      if ((await findPostmaster(options.places.cluster))?.isReady) throw unreachable(options)
      options.log.info({ seconds }, 'the database is still recovering')
    }
    await Promise.race([sleep(pollEvery), server.ended])
  }
  return false
}

function unreachable({ address, places }: ServerOptions): Error {
  const where = address.socketDir ?? `127.0.0.1:${address.port}`
  return new Error(`The database runs but does not answer at ${where}: see its log ${places.logFile}`)
}

/** Also makes the database, if the first start did not get that far. */
async function isReady({ address, password, places }: ServerOptions): Promise<boolean> {
  const url = (name: string) => databaseUrl(address, password, name)
  const code = await tryConnect(url(defaultDatabase))
  if (code === null) return true
  if (code === '3D000') {
    await tryConnect(url('postgres'), `create database ${defaultDatabase}`)
    return false
  }
  if (code === '28P01') {
    throw new Error(
      `The password in ${places.passwordFile} is not the one of the database in ${places.cluster}: restore both from the same backup`,
    )
  }
  return false
}

/** Null when it worked, otherwise the code of the error, SQLSTATE or the system's. */
export async function tryConnect(url: string, statement = ''): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  // A connection may break after its error was reported already.
  client.on('error', () => {})
  try {
    await client.connect()
    if (statement) await client.query(statement)
    return null
  } catch (error) {
    return (error as { code?: string }).code ?? 'unknown'
  } finally {
    await client.end().catch(() => {})
  }
}
