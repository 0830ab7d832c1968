import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { textFrame } from './text-frame.ts'

/** Of which the frame says the length in another way, or is near it. */
const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000]

test('a client reads frames of every length, one after the other', async () => {
  const texts = [...lengths.map((length) => 'x'.repeat(length)), 'ä🦜'.repeat(40), 'last']
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on('connection', (_, { socket }) => {
    for (const text of texts) socket.write(textFrame(text))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = new WebSocket(`ws://127.0.0.1:${port}`)
  const heard: string[] = []
  await new Promise<void>((resolve, reject) => {
    client.on('error', reject)
    client.on('message', (data, isBinary) => {
      heard.push(isBinary ? '(binary)' : String(data))
      if (heard.length === texts.length) resolve()
    })
  })
  client.terminate()
  server.close()
  expect(heard).toEqual(texts)
})
