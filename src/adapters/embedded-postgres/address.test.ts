import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chooseAddress, databaseUrl, listenSettings } from './address.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'address-'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('chooseAddress', () => {
  test('prefers a socket, and leaves no trace of trying', async () => {
    expect(await chooseAddress(folder)).toEqual({ socketDir: folder, port: 5432 })
    expect(await chooseAddress(folder)).toEqual({ socketDir: folder, port: 5432 })
  })

  test('takes a free loopback port where the path is too long for a socket', async () => {
    const deep = path.join(folder, 'd'.repeat(100))
    await mkdir(deep)
    const address = await chooseAddress(deep)
    expect(address.socketDir).toBeNull()
    expect(address.port).toBeGreaterThan(1023)
    expect(listenSettings(address, deep)).toMatchObject({
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    })
  })
})

describe('databaseUrl', () => {
  test('is read by pg as it is meant, whatever PG* variables say', () => {
    process.env.PGPORT = '1'
    process.env.PGSSLMODE = 'require'
    try {
      const url = databaseUrl({ socketDir: '/a b/c&d', port: 5432 }, 'p@ss/w:rd', 'my db')
      const client = new pg.Client({ connectionString: url })
      expect(client).toMatchObject({
        host: '/a b/c&d',
        port: 5432,
        user: 'stonechat',
        database: 'my db',
        ssl: false,
      })
      expect(client.password).toBe('p@ss/w:rd')
      const overTcp = new pg.Client({
        connectionString: databaseUrl({ socketDir: null, port: 4001 }, 'x', 'y'),
      })
      expect(overTcp).toMatchObject({ host: '127.0.0.1', port: 4001, database: 'y', ssl: false })
    } finally {
      delete process.env.PGPORT
      delete process.env.PGSSLMODE
    }
  })

  test('the socket folder is one entry of a list, quoted', () => {
    const settings = listenSettings({ socketDir: '/x', port: 5432 }, '/a, "b"')
    expect(settings.unix_socket_directories).toBe('"/a, ""b"""')
  })
})
