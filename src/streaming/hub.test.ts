import type { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import type { Bus } from '#ports/bus.ts'
import { socketConnection } from './connection.ts'
import { createHub } from './hub.ts'
import { findStream, type Stream } from './streams.ts'
import { asId, type AccountId, type OauthTokenId, type UserId } from '#lib/id.ts'

function setUp() {
  const open = new Set<string>()
  const bus: Bus = {
    publish: () => {},
    mayReach: () => true,
    subscribe(channel) {
      expect(open.has(channel)).toBe(false)
      open.add(channel)
      return () => void open.delete(channel)
    },
    close: async () => {},
  }
  return { open, hub: createHub(bus, () => {}) }
}

const connect = (accountId: string) =>
  socketConnection({} as WebSocket, {} as Duplex, {
    accountId: asId<AccountId>(accountId),
    userId: asId<UserId>(accountId),
    tokenId: asId<OauthTokenId>('1'),
    scopes: ['read'],
    address: '192.0.2.1',
    client: '192.0.2.1',
  })
const streamOf = (accountId: string, stream: string, tag?: string) =>
  findStream({ accountId: asId<AccountId>(accountId), scopes: ['read'] }, { stream, tag }) as Stream

test('listens only to what some connection needs, once, for as long as it does', () => {
  const { open, hub } = setUp()
  const [one, other] = [connect('7'), connect('7')]
  hub.add(one)
  expect(open).toEqual(new Set(['stream:access', 'stream:account:7']))
  hub.add(other)
  for (const connection of [one, other]) {
    hub.follow(connection, streamOf('7', 'public'))
    hub.follow(connection, streamOf('7', 'user'))
    hub.follow(connection, streamOf('7', 'user'))
    hub.follow(connection, streamOf('7', 'hashtag', 'cats'))
  }
  const all = [
    'stream:access',
    'stream:account:7',
    'stream:public',
    'stream:announcements',
    'stream:home:7',
    'stream:tag:cats',
  ]
  expect(open).toEqual(new Set(all))
  hub.unfollow(one, streamOf('7', 'hashtag', 'cats').topic)
  expect(open).toEqual(new Set(all))
  hub.remove(one)
  expect(open).toEqual(new Set(all))
  hub.unfollow(other, streamOf('7', 'public').topic)
  expect(open.has('stream:public')).toBe(false)
  expect(hub.remove(other)).toBe(true)
  expect(hub.remove(other)).toBe(false)
  expect(open.size).toBe(0)
  expect([hub.topics.size, hub.connections.size, hub.accounts()]).toEqual([0, 0, []])
})

test('follows nothing for a connection that has gone', () => {
  const { open, hub } = setUp()
  const connection = connect('7')
  hub.follow(connection, streamOf('7', 'public'))
  expect([open.size, hub.topics.size]).toEqual([0, 0])
})
