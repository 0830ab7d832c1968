import type { Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startRemote } from '#test/servers/remote-server.ts'
import { createConnector } from './connector.ts'
import type { Resolve } from './resolve.ts'

/** The address that a connection was made to, or what went wrong. */
function connectTo(hostname: string, port: number, names: Resolve): Promise<string | undefined> {
  const connect = createConnector({ resolve: names, mayConnect: (address) => address === '127.0.0.5' })
  return new Promise((resolve, reject) => {
    connect(
      { hostname, port: String(port), protocol: 'http:' },
      (error: Error | null, socket: Socket | null) => {
        if (!socket) return reject(error)
        onTestFinished(() => void socket.destroy())
        resolve(socket.remoteAddress)
      },
    )
  })
}

const nobody: Resolve = () => Promise.reject(new Error('nothing is looked up'))

test('an address is checked although nothing is looked up for it', async () => {
  const remote = await startRemote('127.0.0.5')
  const internal = await startRemote('127.0.0.1')
  expect(await connectTo('127.0.0.5', remote.port, nobody)).toBe('127.0.0.5')
  await expect(connectTo('127.0.0.1', internal.port, nobody)).rejects.toMatchObject({ problem: 'forbidden' })
  await expect(connectTo('::1', internal.port, nobody)).rejects.toMatchObject({ problem: 'forbidden' })
  expect(internal.connections).toBe(0)
})

test('a name is resolved by the given resolver, and only allowed addresses are left', async () => {
  const remote = await startRemote('127.0.0.5')
  const internal = await startRemote('127.0.0.1', undefined, remote.port)
  const both: Resolve = async () => ['127.0.0.1', '127.0.0.5']
  expect(await connectTo('both.example', remote.port, both)).toBe('127.0.0.5')
  await expect(connectTo('inside.example', remote.port, async () => ['127.0.0.1'])).rejects.toMatchObject({
    problem: 'forbidden',
    message: 'inside.example is at 127.0.0.1, which must not be reached',
  })
  await expect(connectTo('none.example', remote.port, nobody)).rejects.toThrow('nothing is looked up')
  expect(internal.connections).toBe(0)
})
