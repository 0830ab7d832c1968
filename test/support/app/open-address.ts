// An address at which a server of a test listens. Its port is known before the server is made, whose name contains it.
import type { RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { closeHttpServer, createHttpServer } from '#app/http-server.ts'

export interface OpenAddress {
  /** What an operator would set for a server at this address that may reach others like it. */
  readonly env: Record<string, string>
  /** Until now requests were answered with 503. */
  serve(fetch: Parameters<typeof getRequestListener>[0]): void
  close(): Promise<void>
}

/** How long a close waits for requests under way, in milliseconds. */
const patience = 1_000

export async function openAddress(host: string): Promise<OpenAddress> {
  let listener: RequestListener = (_request, response) => void response.writeHead(503).end()
  const server = createHttpServer((request, response) => listener(request, response))
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    env: {
      LOCAL_DOMAIN: `${host}:${port}`,
      LOCAL_HTTPS: 'false',
      ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    },
    serve(fetch) {
      listener = getRequestListener(fetch)
    },
    close: () => closeHttpServer(server, { requests: patience }),
  }
}
