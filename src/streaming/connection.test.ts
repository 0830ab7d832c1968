import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { PassThrough, Writable } from 'node:stream'
import type { WebSocket } from 'ws'
import { describe, expect, test } from 'vitest'
import { eventsConnection, maxUnread, ping, send, socketConnection } from './connection.ts'
import { createOutgoing } from './outgoing.ts'
import { asId, type AccountId, type UserId, type OauthTokenId } from '#lib/id.ts'

const identity = {
  accountId: asId<AccountId>('1'),
  userId: asId<UserId>('3'),
  tokenId: asId<OauthTokenId>('2'),
  scopes: ['read'],
  address: '192.0.2.1',
  client: '192.0.2.1',
}
const wire = new PassThrough()
const event = createOutgoing('update', '{"id":"1"}')

describe('a reader that does not read [ROB-10]', () => {
  test('of a WebSocket is cut when too much waits for it', () => {
    const sent: unknown[] = []
    const wire = Object.assign(new PassThrough(), { write: (data: unknown) => sent.push(data) > 0 })
    let cut = false
    const socket = Object.assign(new EventEmitter(), {
      OPEN: 1,
      readyState: 1,
      bufferedAmount: maxUnread,
      terminate: () => (cut = true),
    })
    const connection = socketConnection(socket as unknown as WebSocket, wire, identity)
    send(connection, event, '["user"]')
    expect([sent.length, cut]).toEqual([1, false])
    socket.bufferedAmount = maxUnread + 1
    send(connection, event, '["user"]')
    expect([sent.length, cut]).toEqual([1, true])
  })

  test('of server-sent events likewise', () => {
    const written: unknown[] = []
    const response = {
      headersSent: true,
      destroyed: false,
      writableEnded: false,
      writableLength: maxUnread,
      cork: () => {},
      uncork: () => {},
      write: (data: unknown) => written.push(data),
      destroy: () => (response.destroyed = true),
    }
    const connection = eventsConnection(response as unknown as ServerResponse, identity)
    send(connection, event, '["user"]')
    response.writableLength = maxUnread + 1
    send(connection, event, '["user"]')
    expect([written.length, response.destroyed]).toEqual([1, true])
  })
})

test('a WebSocket that has not answered one ping is cut at the next, and not before [ROB-10]', () => {
  const done: string[] = []
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    ping: () => done.push('ping'),
    terminate: () => done.push('cut'),
  })
  const connection = socketConnection(socket as unknown as WebSocket, wire, identity)
  ping(connection)
  connection.isAlive = true
  ping(connection)
  expect(done).toEqual(['ping', 'ping'])
  ping(connection)
  expect(done).toEqual(['ping', 'ping', 'cut'])
})

test('what is sent in one turn goes out together, and nothing is held back longer', async () => {
  const writes: number[] = []
  const note = (count: number, done: () => void) => {
    writes.push(count)
    done()
  }
  const sink = new Writable({
    write: (_chunk, _encoding, done) => note(1, done),
    writev: (chunks, done) => note(chunks.length, done),
  })
  const response = Object.assign(sink, { headersSent: true }) as unknown as ServerResponse
  const connection = eventsConnection(response, identity)
  for (let i = 0; i < 3; i++) send(connection, event, '["user"]')
  expect(writes).toEqual([])
  await Promise.resolve()
  expect(writes).toEqual([3])
  send(connection, event, '["user"]')
  await Promise.resolve()
  expect(writes).toEqual([3, 1])
})
