import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { afterEach, describe, expect, test } from 'vitest'
import { pickCoding } from './accept-encoding.ts'
import { compressAnswers } from './compress-answers.ts'
import { VaryingResponse } from './varying-response.ts'
import { createStaticFile } from './static-file.ts'

/** Before @hono/node-server puts one of its own in its place. */
const NativeResponse = globalThis.Response
const words = JSON.stringify({ said: 'the same again and again. '.repeat(200) })
const json = { 'content-type': 'application/json; charset=utf-8', vary: 'Origin', etag: '"one"' }

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

interface Answer extends Pick<IncomingMessage, 'statusCode' | 'headers'> {
  body: Buffer
}

function serve(config: Parameters<typeof compressAnswers>[0], listener: RequestListener): Server {
  const answer = compressAnswers(config, listener)
  return createServer<typeof IncomingMessage, typeof VaryingResponse>(
    { ServerResponse: VaryingResponse },
    (request, response) => void answer(request, response),
  ).listen(0, '127.0.0.1')
}

/** What a server that answers so sends to a client that sends these headers. */
async function ask(
  answer: (request: Request) => Response | Promise<Response>,
  headers: Record<string, string> = { 'accept-encoding': 'gzip, br' },
  { compression = 'direct' as 'direct' | 'always' | 'off', method = 'GET' } = {},
): Promise<Answer> {
  const listener = getRequestListener(answer, { overrideGlobalObjects: true })
  server = serve({ compression }, listener)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const request = get({ port, host: '127.0.0.1', method, headers })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const { statusCode, headers: given } = response
  return { statusCode, headers: given, body: Buffer.concat(await response.toArray()) }
}

describe('answers', () => {
  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)('in %s have their length, a weak tag, and vary by it', async (coding, open) => {
    const { headers, body } = await ask(() => new Response(words, { headers: json }), {
      'accept-encoding': coding,
    })
    expect(headers).toMatchObject({
      'content-encoding': coding,
      'content-length': String(body.length),
      etag: 'W/"one"',
      vary: 'Origin, Accept-Encoding',
    })
    expect(body.length).toBeLessThan(words.length / 10)
    expect(open(body).toString()).toBe(words)
  })

  test('made by another Response or of bytes are compressed too', async () => {
    const copied = await ask(() => new NativeResponse(words, { headers: json }))
    expect(brotliDecompressSync(copied.body).toString()).toBe(words)
    const bytes = await ask(() => new Response(Buffer.from(words), { status: 404, headers: json }))
    expect(bytes.statusCode).toBe(404)
    expect(brotliDecompressSync(bytes.body).toString()).toBe(words)
  })

  test.each([
    ['a client that knows no coding', json, {}],
    ['a client that refuses them', json, { 'accept-encoding': 'br;q=0, gzip;q=0, identity' }],
    ['a proxy, which does it itself', json, { 'accept-encoding': 'br', 'x-forwarded-for': '192.0.2.1' }],
    [
      "what another site asked for with somebody's cookies",
      json,
      {
        'accept-encoding': 'br',
        cookie: 'a=b',
        'sec-fetch-site': 'cross-site',
      },
    ],
    ['a picture', { 'content-type': 'image/png' }, { 'accept-encoding': 'br' }],
    ['a stream of events', { 'content-type': 'text/event-stream' }, { 'accept-encoding': 'br' }],
    ['what has a coding', { ...json, 'content-encoding': 'x-own' }, { 'accept-encoding': 'br' }],
    ['what nobody may change', { ...json, 'cache-control': 'no-transform' }, { 'accept-encoding': 'br' }],
  ] as [string, Record<string, string>, Record<string, string>][])(
    'go plain to or for %s',
    async (_, given, sent) => {
      const { headers, body } = await ask(() => new Response(words, { headers: given }), sent)
      expect(body.toString()).toBe(words)
      expect(headers['content-length']).toBe(String(words.length))
      expect(headers.etag).toBe(given['etag'])
      expect(headers['content-encoding']).toBe(given['content-encoding'])
    },
  )

  test('of a few bytes, and parts of a file, go plain', async () => {
    const small = await ask(() => new Response('{}', { headers: json }))
    expect([small.body.toString(), small.headers.vary]).toEqual(['{}', 'Origin, Accept-Encoding'])
    const part = await ask(() => new Response(words, { status: 206, headers: json }))
    expect([part.body.toString(), part.headers.vary]).toEqual([words, 'Origin'])
  })

  test.each([
    ['a text', json, 'Origin, Accept-Encoding'],
    ['a text that says nothing yet', { 'content-type': 'text/html' }, 'Accept-Encoding'],
    ['one that says so', { ...json, vary: 'accept-encoding, Origin' }, 'accept-encoding, Origin'],
    ['one that varies by anything', { ...json, vary: '*' }, '*'],
    ['a picture', { 'content-type': 'image/png', vary: 'Origin' }, 'Origin'],
    ['what is compressed already', { ...json, 'content-encoding': 'br' }, 'Origin'],
  ])('of %s to whoever knows no coding says what it varies by', async (_, own, expected) => {
    const { headers, body } = await ask(() => new Response(words, { headers: own }), {})
    expect([headers.vary, body.length]).toEqual([expected, words.length])
  })

  test('that come bit by bit are not held back', async () => {
    let goOn = (): void => {}
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(words))
        goOn = () => controller.close()
      },
    })
    const listener = getRequestListener(() => new Response(stream, { headers: json }))
    server = serve({ compression: 'always' }, listener)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const asked = get({ port, host: '127.0.0.1', headers: { 'accept-encoding': 'br' } })
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    const [first] = (await once(response, 'data')) as [Buffer]
    expect(first.toString()).toBe(words)
    goOn()
    await once(response, 'end')
  })

  test('to HEAD have no body, and say what they vary by', async () => {
    const { headers, body } = await ask(
      () => new Response(null, { headers: json }),
      { 'accept-encoding': 'br' },
      {
        method: 'HEAD',
      },
    )
    expect([headers.vary, headers['content-encoding'], body.length]).toEqual([
      'Origin, Accept-Encoding',
      undefined,
      0,
    ])
  })

  test('`always` compresses behind a proxy as well, `off` nothing', async () => {
    const sent = { 'accept-encoding': 'br', 'x-forwarded-for': '192.0.2.1' }
    const made = () => new Response(words, { headers: json })
    expect((await ask(made, sent, { compression: 'always' })).headers['content-encoding']).toBe('br')
    const off = await ask(made, { 'accept-encoding': 'br' }, { compression: 'off' })
    expect([off.headers['content-encoding'], off.headers.vary]).toEqual([undefined, 'Origin'])
  })
})

test('a file of the software has a tag for each of its forms, which are what the file is', async () => {
  const file = createStaticFile({ bytes: new TextEncoder().encode(words), type: 'text/css' })
  const tags = new Set<string | null>()
  for (const [accepted, open] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['', (b: Buffer) => b],
  ] as const) {
    const request = new Request('http://x/', { headers: { 'accept-encoding': accepted } })
    const response = await file.answer(request)
    expect(open(Buffer.from(await response.arrayBuffer())).toString()).toBe(words)
    expect(response.headers.get('vary')).toBe('Accept-Encoding')
    const etag = response.headers.get('etag')
    tags.add(etag)
    request.headers.set('if-none-match', etag ?? '')
    expect((await file.answer(request)).status).toBe(304)
  }
  expect(tags.size).toBe(3)
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0.5, gzip', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *;q=0.1', 'gzip'],
  ['identity', null],
  ['gzip;q=0', null],
  ['', null],
])('%j asks for %s', (header, coding) => expect(pickCoding(header)).toBe(coding))
