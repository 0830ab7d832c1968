// Bodies that are broken, cut off or never end: each is answered, and nothing of it stays on the server.
import { readdirSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createBrowser } from '#test/client/browser.ts'
import { openRaw, requestHead, type RawConnection } from '#test/client/raw-http.ts'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'
import { fillSignIn } from '#test/people/sign-in.ts'
import { filesBelow } from '#test/client/upload.ts'
import { runs } from '#test/run/night.ts'

const patient = { interval: 100 }
let server: ServerProcess
let token: string
let cookie: string

beforeAll(async () => {
  server = await createServerProcess({ prepared: true, env: { LOG_LEVEL: 'error' } })
  await server.start()
  const made = await server.command('accounts', 'create', 'eve', '--email', 'eve@mail.example', '--confirmed')
  const secret = /New password: (\S+)/.exec(made.stdout)?.[1] ?? ''
  token = (await server.command('tokens', 'create', 'eve')).stdout.trim()
  const browser = createBrowser(
    (target, init) => fetch(new URL(target, server.url), { ...init, redirect: 'manual' }),
    server.url,
  )
  await fillSignIn(browser, 'eve@mail.example', secret)
  cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
})
afterAll(() => server?.remove())

/** Files that the server has open, each as often as it is. Sockets to the database come and go. */
function openFiles(): string[] {
  const folder = `/proc/${server.pid()}/fd`
  const places = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(path.join(folder, name))
    } catch {
      return ''
    }
  })
  return places.filter((place) => place.startsWith('/') && !place.startsWith('/proc/')).toSorted()
}

/** Ports from which this test has connected by hand. */
const ours = new Set<string>()
const inHex = (port: number | undefined) => `:${(port ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
const established = '01'
const waitsForClose = '08'

async function open(): Promise<RawConnection> {
  const connection = await openRaw(server.port)
  ours.add(inHex(connection.socket.localPort))
  return connection
}

/** Those connections that the server has not closed. */
async function openConnections(): Promise<number> {
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1)
  return lines.filter((line) => {
    const [, local = '', remote = '', state = ''] = line.trim().split(/\s+/)
    const isOurs = local.endsWith(inHex(server.port)) && ours.has(remote.slice(-5))
    return isOurs && (state === established || state === waitsForClose)
  }).length
}

/** Runs `work`; then the server has to have as much open and on disk as before. */
async function expectNothingLeft(work: () => Promise<unknown>): Promise<void> {
  const before = openFiles()
  await work()
  await expect.poll(openConnections, patient).toBe(0)
  await expect.poll(openFiles, patient).toEqual(before)
  await expect.poll(() => filesBelow(path.join(server.dataDir, 'tmp')), patient).toEqual([])
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
}

interface Sent {
  target: string
  type: string
  body: Buffer
  /** How the length is told. */
  framing?: 'length' | 'chunked'
  /** Bytes of the body at a time. */
  piece?: number
  /** Only so much of the body is sent, and then the connection is half closed or cut. */
  stop?: { after: number; by: 'end' | 'destroy' } | undefined
}

/** Sends one request on a connection of its own; its answers' status numbers. */
async function send({ target, type, body, framing = 'length', piece = body.length, stop }: Sent) {
  const { socket, statuses, ended } = await open()
  const length: Record<string, string | number> =
    framing === 'length' ? { 'Content-Length': body.length } : { 'Transfer-Encoding': 'chunked' }
  socket.write(
    requestHead(target, {
      Host: `localhost:${server.port}`,
      Connection: 'close',
      Authorization: `Bearer ${token}`,
      Cookie: cookie,
      'Content-Type': type,
      ...length,
    }),
  )
  const whole = stop ? body.subarray(0, Math.floor(stop.after * body.length)) : body
  for (let i = 0; i < whole.length; i += Math.max(piece, 1)) {
    const bytes = whole.subarray(i, i + Math.max(piece, 1))
    if (framing === 'chunked') socket.write(`${bytes.length.toString(16)}\r\n`)
    socket.write(bytes)
    if (framing === 'chunked') socket.write('\r\n')
  }
  if (framing === 'chunked' && !stop) socket.write('0\r\n\r\n')
  if (stop?.by === 'destroy') socket.destroySoon()
  else if (stop) socket.end()
  await ended
  return statuses()
}

const uploadTargets = [
  'PATCH /api/v1/accounts/update_credentials',
  'POST /api/v2/media',
  'POST /settings/imports',
  'POST /settings/imports/archive',
]
const otherTargets = ['POST /api/v1/statuses', 'POST /oauth/token', 'POST /auth/sign_in', 'POST /inbox']

const field = (name: string, value: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const filePart = (name: string, size: number) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n${'a'.repeat(size)}\r\n`
const multipart = 'multipart/form-data; boundary=x'

const names = fc.constantFrom(
  'avatar',
  'file',
  'data',
  'a[b][]',
  'a[',
  '__proto__',
  '',
  'x'.repeat(3000),
  'ä\0"',
)
const heads = fc.oneof(
  names.map((name) => `Content-Disposition: form-data; name="${name}"`),
  names.map(
    (name) => `Content-Disposition: form-data; name="${name}"; filename="a.png"\r\nContent-Type: image/png`,
  ),
  names.map((name) => `content-disposition: form-data; name=${name}; filename*=utf-8''%00%ff`),
  names.map(
    (name) =>
      `Content-Disposition: form-data; name="${name}"; filename="a"\r\nContent-Transfer-Encoding: base64`,
  ),
  fc.constantFrom(
    '',
    'Content-Disposition: form-data; name="a"; filename="\0.png"',
    'Content-Disposition: attachment',
    'Content-Type: multipart/mixed; boundary=x',
    'Content-Disposition: form-data; name="a"\r\n folded',
    ': no name',
    'no colon',
    `X-Long: ${'y'.repeat(20_000)}`,
    Array.from({ length: 100 }, (_, n) => `X-${n}: 1`).join('\r\n'),
  ),
)
const contents = fc.oneof(
  fc.constantFrom(
    '',
    'short',
    '--x',
    '\r\n--x',
    '\r\n--',
    '\r',
    'data:image/png;base64,AAAA',
    'data:image/png;base64,!',
  ),
  fc.integer({ min: 1, max: 200_000 }).map((size) => 'c'.repeat(size)),
)
const parts = fc
  .tuple(heads, contents, fc.constantFrom('\r\n', '\n', ''))
  .map(([head, content, end]) => `--x\r\n${head}\r\n\r\n${content}${end}`)
const forms = fc
  .tuple(
    fc.constantFrom('', 'preamble\r\n', '\r\n'),
    fc.oneof(
      fc.array(parts, { maxLength: 6 }),
      fc.constant(Array.from({ length: 3000 }, (_, n) => field(`f${n}`, 'v'))),
      fc.constant(Array.from({ length: 40 }, () => filePart('avatar', 70_000))),
    ),
    fc.constantFrom('--x--\r\n', '--x--', '', '--x', '--x--\r\nepilogue', '--x--\r\n--x\r\n\r\nmore'),
  )
  .map(([before, list, end]) => Buffer.from(before + list.join('') + end, 'latin1'))
const texts = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '{"a":',
    `"${'a'.repeat(100_000)}`,
    '['.repeat(50_000),
    'a=%',
    'a[b=1&=&&',
    '\0\xff\xfe',
  ),
  fc.constant(`{"avatar":"data:image/png;base64,${'QUJD'.repeat(50_000)}`),
  fc.constant(`avatar=data:image/png;base64,${'QUJD'.repeat(50_000)}*`),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
)

const requests: fc.Arbitrary<Sent> = fc
  .record({
    target: fc.constantFrom(...uploadTargets, ...uploadTargets, ...otherTargets),
    framing: fc.constantFrom('length' as const, 'chunked' as const),
    piece: fc.constantFrom(1_000, 65_536, 10_000_000),
    stop: fc.option(
      fc.record({
        after: fc.double({ min: 0, max: 1, noNaN: true }),
        by: fc.constantFrom('end' as const, 'destroy' as const),
      }),
      {
        nil: undefined,
        freq: 2,
      },
    ),
    content: fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          type: fc.constantFrom(
            multipart,
            multipart,
            'multipart/form-data; boundary="x"',
            'multipart/form-data',
            'Multipart/Form-Data; boundary=',
            'multipart/mixed; boundary=x',
          ),
          body: forms,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          type: fc.constantFrom(
            'application/json',
            'application/activity+json',
            'application/x-www-form-urlencoded',
            'text/plain',
            '',
          ),
          body: texts.map((text) => Buffer.from(text, 'latin1')),
        }),
      },
    ),
  })
  .map(({ content, ...rest }) => ({ ...rest, ...content }))

/** The bodies themselves would fill the screen. */
function report({ failed, seed, errorInstance }: fc.RunDetails<[Sent[]]>): void {
  if (failed) throw new Error(`seed ${seed}`, { cause: errorInstance })
}

describe('broken bodies', () => {
  test('a part with a zero byte in its head before a large file is answered with 400, whomever it is sent to', async () => {
    const targets = [...uploadTargets, ...otherTargets, 'POST /api/v1/apps']
    const broken = '--x\r\nContent-Disposition: form-data; name="a"; filename="\0.png"\r\n\r\nb\r\n'
    const answers = async (target: string) => {
      const found: number[] = []
      for (const size of [10, 70_000, 300_000]) {
        const body = Buffer.from(`${broken}${filePart('avatar', size)}--x--\r\n`)
        found.push(...(await send({ target, type: multipart, body })))
        // Also when the client says no more and does not close.
        const { socket, statuses, ended } = await open()
        const head = { Host: 'localhost', Authorization: `Bearer ${token}`, Cookie: cookie }
        socket.write(requestHead(target, { ...head, 'Content-Type': multipart, 'Content-Length': 900_000 }))
        socket.write(body)
        await ended
        found.push(...statuses())
      }
      return [target, found]
    }
    await expectNothingLeft(async () => {
      const found = await Promise.all(targets.map(answers))
      expect(found).toEqual(targets.map((target) => [target, Array.from({ length: 6 }, () => 400)]))
    })
  })

  test('whatever is sent is answered once it has ended, and nothing of it stays', async () => {
    expect(cookie).toContain('session')
    await expectNothingLeft(() =>
      fc.assert(
        fc.asyncProperty(fc.array(requests, { minLength: 8, maxLength: 8 }), async (sent) => {
          const answers = await Promise.all(sent.map(send))
          for (const [index, statuses] of answers.entries()) {
            const { body, ...one } = sent[index] as Sent
            const shown = JSON.stringify({ ...one, statuses, body: body.toString('latin1', 0, 300) })
            const isRight = (one.stop || statuses.length === 1) && statuses.every((status) => status < 500)
            if (!isRight) throw new Error(`${body.length} bytes: ${shown}`)
          }
        }),
        { numRuns: runs(60), interruptAfterTimeLimit: 60_000, endOnFailure: true, reporter: report },
      ),
    )
  })

  test('handshakes of streams that bring a body, stop half way or go away leave nothing', async () => {
    const upgrade = {
      Host: 'localhost',
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': 13,
    }
    const heads = [
      requestHead('GET /api/v1/streaming?stream=user', { ...upgrade, 'Sec-WebSocket-Key': 'broken' }),
      requestHead('GET /api/v1/streaming?stream=user', { ...upgrade, 'Content-Length': 100_000 }),
      requestHead('GET /api/v1/streaming/user', {
        Host: 'localhost',
        Authorization: `Bearer ${token}`,
        'Content-Length': 9,
      }),
      requestHead(`GET /api/v1/streaming?stream=user&access_token=${token}`, {
        ...upgrade,
        'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      }),
    ]
    expect(token).not.toBe('')
    await expectNothingLeft(async () => {
      for (const head of heads) {
        for (const share of [0.5, 1]) {
          const { socket, ended } = await open()
          socket.write(head.slice(0, head.length * share))
          socket.write(share === 1 ? Buffer.alloc(3000, 0xff) : '')
          socket.end()
          await ended
        }
      }
    })
  })
})
