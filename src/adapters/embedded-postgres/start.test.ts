import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProcess } from '#test/processes/processes.ts'
import { connectEmbeddedPostgres, startEmbeddedPostgres, type EmbeddedPostgres } from './start.ts'

const quiet = () => {}
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }

let dataDir: string
let database: EmbeddedPostgres

const clusterPath = (name: string) => path.join(dataDir, 'postgres', name)

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(clusterPath('postmaster.pid'), 'utf8'), 10)
}

async function query(sql: string, url = database.url): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function restart(): Promise<void> {
  await database.stop()
  database = await startEmbeddedPostgres({ dataDir, log })
}

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'stonechat-postgres-test-'))
  // What a first start that was killed in the middle of initdb leaves behind.
  await mkdir(path.join(dataDir, 'postgres.init-killed', 'base'), { recursive: true })
  database = await startEmbeddedPostgres({ dataDir, log, settings: { work_mem: '5MB' } })
})

afterAll(async () => {
  await database?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

// In this order: one cluster goes through all of it.
describe('the embedded PostgreSQL', () => {
  test('makes its database with UTF-8, a locale of its own and our settings', async () => {
    const [found] = await query(
      'select datname, pg_encoding_to_char(encoding) as encoding, datlocprovider, datlocale from pg_database where datname = current_database()',
    )
    expect(found).toEqual({
      datname: 'stonechat',
      encoding: 'UTF8',
      datlocprovider: 'b',
      datlocale: 'C.UTF-8',
    })
    expect(await query('show work_mem')).toEqual([{ work_mem: '5MB' }])
    expect(await query('show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }])
  })

  test('leaves nothing of an interrupted first start, and no password in the open', async () => {
    expect((await readdir(dataDir)).toSorted()).toEqual(['logs', 'postgres', 'secrets'])
    expect((await stat(path.join(dataDir, 'secrets', 'postgres-password'))).mode & 0o777).toBe(0o600)
    const wrong = database.url.replace(/:[^:@]+@/, ':wrong@')
    await expect(query('select 1', wrong)).rejects.toMatchObject({ code: '28P01' })
  })

  test('has the contrib extensions that the schema needs', async () => {
    await query('create extension if not exists pg_trgm')
    expect(await query(`select similarity('stone', 'stones') > 0.5 as close`)).toEqual([{ close: true }])
  })

  test('names other databases of the cluster', async () => {
    await query('drop database if exists "a b"')
    await query('create database "a b"')
    expect(await query('select current_database()', database.urlFor('a b'))).toEqual([
      { current_database: 'a b' },
    ])
  })

  test('comes back at the same URL after kill -9 of its process, with all that was committed', async () => {
    await query('drop table if exists kept')
    await query('create table kept (id int)')
    await query('insert into kept values (1)')
    const before = await postmasterPid()
    process.kill(before, 'SIGKILL')
    const again = () => query('select id from kept').catch(() => null)
    await expect.poll(again, { interval: 20 }).toEqual([{ id: 1 }])
    expect(await postmasterPid()).not.toBe(before)
  })

  test('can be found while it runs, and not when it is stopped', async () => {
    expect(await connectEmbeddedPostgres({ dataDir })).toBe(database.url)
    await database.stop()
    await database.stop()
    expect(await connectEmbeddedPostgres({ dataDir })).toBeNull()
    await expect(query('select 1')).rejects.toThrow()
  })

  test('starts over the pid file of a dead process whose number belongs to another one now', async () => {
    await writeFile(
      clusterPath('postmaster.pid'),
      `${process.pid}\n/elsewhere\n1\n5432\n/elsewhere\n\n\nready\n`,
    )
    await writeFile(clusterPath('.s.PGSQL.5432.lock'), `${process.pid}\n/elsewhere\n1\n5432\n`)
    expect(await connectEmbeddedPostgres({ dataDir })).toBeNull()
    await restart()
    expect(await query('select id from kept')).toEqual([{ id: 1 }])
  })

  test('takes over from a server that was killed', async () => {
    await database.stop()
    const script = `
      const { startEmbeddedPostgres } = await import(${JSON.stringify(path.join(import.meta.dirname, 'start.ts'))})
      const log = { debug() {}, info() {}, warn() {}, error() {} }
      await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log })
      process.kill(process.pid, 'SIGKILL')`
    const child = startProcess(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
    expect(await new Promise((resolve) => child.once('exit', (_code, signal) => resolve(signal)))).toBe(
      'SIGKILL',
    )
    const orphan = await postmasterPid()
    expect(() => process.kill(orphan, 0)).not.toThrow()
    await restart()
    expect(await postmasterPid()).not.toBe(orphan)
    expect(await query('select id from kept')).toEqual([{ id: 1 }])
  })

  test('refuses a cluster of another major version, and a password that is not its own', async () => {
    await database.stop()
    const version = await readFile(clusterPath('PG_VERSION'), 'utf8')
    await writeFile(clusterPath('PG_VERSION'), '17\n')
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/was made by PostgreSQL 17/)
    await writeFile(clusterPath('PG_VERSION'), version)

    const passwordFile = path.join(dataDir, 'secrets', 'postgres-password')
    const password = await readFile(passwordFile, 'utf8')
    await writeFile(passwordFile, 'another\n')
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(/restore both from the same backup/)
    await writeFile(passwordFile, password)
  })

  test('says why PostgreSQL would not start', async () => {
    const settings = { shared_buffers: 'many' }
    await expect(startEmbeddedPostgres({ dataDir, log, settings })).rejects.toThrow(/shared_buffers/)
  })
})
