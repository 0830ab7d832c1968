// What listens to webhooks: takes messages, and answers as the test says.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Json } from '#test/client/client.ts'
import { parseExactly } from '#test/client/parse-exactly.ts'

export interface ReceivedMessage {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** As it came, and parsed. */
  readonly text: string
  readonly body: Json
}

export interface WebhookReceiver {
  readonly url: string
  readonly received: ReceivedMessage[]
  /** How the next messages are answered: 200 at first. */
  answer: { status: number; headers?: Record<string, string> }
}

/** A receiver on an address of 127.0.0.0/8, until the test ends. */
export async function startReceiver(host = '127.0.0.1'): Promise<WebhookReceiver> {
  const receiver = { url: '', received: [] as ReceivedMessage[], answer: { status: 200 } }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    receiver.received.push({
      method: request.method ?? '',
      headers: request.headers,
      text: body,
      body: body === '' ? null : parseExactly(body),
    })
    const { status, headers } = receiver.answer as WebhookReceiver['answer']
    response.writeHead(status, headers).end('x'.repeat(100_000))
  })
  server.listen(0, host)
  await once(server, 'listening')
  receiver.url = `http://${host}:${(server.address() as AddressInfo).port}/hook`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}
