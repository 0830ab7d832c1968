import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: Server
const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  server = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'application/json' }).end('{"domain":"x.example"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterAll(() => {
  server.close()
})

test("an answer of an operation that is not what its route returns fails the test's own fetch", async () => {
  await expect(fetch(`${base()}/api/v2/instance`)).rejects.toThrow(/not what .* says that it returns/)
  await expect(fetch(new Request(`${base()}/api/v2/instance`))).rejects.toThrow(/not what/)
})

test('an answer at an address that is no operation is left as it is', async () => {
  expect(await (await fetch(`${base()}/about`)).json()).toEqual({ domain: 'x.example' })
})
