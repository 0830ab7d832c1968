import { expect, test } from 'vitest'
import { loadConfig, type ConfigError } from '#config/config.ts'
import type { Env } from '#config/env.ts'

const database = 'postgres://chat:p%40ss@db.example:6432/chat?sslmode=require'
const urlsOf = (env: Env) => loadConfig({ DATABASE_URL: database, ...env }).replicaUrls

test('replicas are named by one list, or by what differs from the database, as in Mastodon', () => {
  expect(urlsOf({})).toEqual([])
  const two = ['postgres://chat@one.example/chat', 'postgresql://chat@two.example/chat']
  expect(urlsOf({ REPLICA_DATABASE_URL: two.join(' '), REPLICA_DB_HOST: 'three.example' })).toEqual(two)
  expect(urlsOf({ REPLICA_DB_HOST: 'two.example' })).toEqual([
    'postgres://chat:p%40ss@two.example:6432/chat?sslmode=require',
  ])
  const all = { REPLICA_DB_PORT: '5433', REPLICA_DB_NAME: 'c', REPLICA_DB_USER: 'r', REPLICA_DB_PASS: 'a:b' }
  const direct = { DATABASE_DIRECT_URL: 'postgres://chat@direct.example/chat' }
  expect(urlsOf({ ...all, ...direct })).toEqual(['postgres://r:a%3Ab@direct.example:5433/c'])
})

test('an address that is none, and replicas of the embedded database, are refused without showing a password', () => {
  const refused = (env: Env) => {
    try {
      return loadConfig(env).replicaUrls
    } catch (error) {
      return (error as ConfigError).problems
    }
  }
  expect(refused({ DATABASE_URL: database, REPLICA_DATABASE_URL: 'http://chat:secret@two.example' })).toEqual(
    [expect.stringMatching(/^REPLICA_DATABASE_URL is \(value not shown\); allowed is a list of URLs/)],
  )
  expect(refused({ REPLICA_DATABASE_URL: 'postgres://chat:secret@two.example/chat' })).toEqual([
    'DATABASE_URL is not set; replicas are of an outside PostgreSQL, not of the embedded one',
  ])
})
