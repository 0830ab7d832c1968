import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
const boundary = 'limit'
const multipart = `multipart/form-data; boundary=${boundary}`
let eve: Person

beforeAll(async () => {
  eve = await app.person('eve')
})

interface Sent {
  type?: string
  path?: string
  method?: string
  token?: string
}

async function send(
  body: string | ReadableStream,
  options: Sent = {},
): Promise<{ status: number; body: Json }> {
  const response = await app.fetch(options.path ?? '/api/v1/accounts/update_credentials', {
    method: options.method ?? 'PATCH',
    headers: {
      authorization: `Bearer ${options.token ?? eve.token}`,
      'content-type': options.type ?? multipart,
    },
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  })
  return { status: response.status, body: await response.json() }
}

const part = (headers: string, content: string) => `--${boundary}\r\n${headers}\r\n\r\n${content}\r\n`
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value)
const filePart = (name: string, filename: string, content: string) =>
  part(
    `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: image/png`,
    content,
  )
const end = `--${boundary}--\r\n`

/** Files that requests have left behind. */
async function leftovers(): Promise<string[]> {
  return readdir(path.join(app.ctx.config.dataDir, 'tmp/uploads')).catch(() => [])
}

/** A body that is made while it is read, as long as it is wanted. */
function endless(head: string, chunk: string, onRead: (bytes: number) => void): ReadableStream {
  const bytes = new TextEncoder().encode(chunk)
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(head)),
    pull(controller) {
      onRead(bytes.length)
      controller.enqueue(bytes)
    },
  })
}

describe('multipart [CNT-18]', () => {
  const names = [
    '../../../etc/passwd',
    '/etc/passwd',
    'C:\\\\a\\\\b',
    '..',
    '.',
    'a\0b',
    '%00',
    'x'.repeat(5000),
    '💥',
    "'; --",
  ]

  test.each(names)('with a file called %j stores nothing under that name', async (name) => {
    const { status } = await send(filePart('avatar', name, 'no picture') + end)
    expect([200, 400, 422]).toContain(status)
    const { avatar } = (await eve.get('/api/v1/accounts/verify_credentials')).ok()
    expect(avatar).toMatch(/\/original\/missing\.png$/)
    expect(await leftovers()).toEqual([])
  })

  const broken: Record<string, { body: string; type?: string }> = {
    'without a boundary': { body: field('note', 'x') + end, type: 'multipart/form-data' },
    'with an empty boundary': { body: field('note', 'x') + end, type: 'multipart/form-data; boundary=' },
    'with another boundary': { body: field('note', 'x') + end, type: 'multipart/form-data; boundary=other' },
    'without an end': { body: field('note', 'x') },
    'that ends in a file': { body: `${filePart('avatar', 'a.png', 'x'.repeat(100_000))}`.slice(0, -60_000) },
    'that ends in the headers': { body: `--${boundary}\r\nContent-Disposition: form-da` },
    'of nothing': { body: '' },
    'with 10,000 parts': { body: field('note', 'x').repeat(10_000) + end },
    'with 10,000 files': { body: filePart('avatar', 'a.png', 'x').repeat(10_000) + end },
    'with 10,000 names': {
      body: Array.from({ length: 10_000 }, (_, i) => field(`n${i}`, 'x')).join('') + end,
    },
    'with a header that does not end': {
      body: `--${boundary}\r\nContent-Disposition: ${'x'.repeat(500_000)}`,
    },
    'with 50,000 headers': { body: part('X: y\r\n'.repeat(50_000) + 'Content-Disposition: form-data', 'x') },
  }

  test.each(Object.entries(broken))('%s is refused and changes nothing', async (_, { body, type }) => {
    const before = (await eve.get('/api/v1/accounts/verify_credentials')).ok()
    const { status } = await send(body, type === undefined ? {} : { type })
    expect([400, 413, 422]).toContain(status)
    expect(await leftovers()).toEqual([])
    expect((await eve.get('/api/v1/accounts/verify_credentials')).ok()).toEqual(before)
  })

  test('parts without a name are left out', async () => {
    const nameless = part('Content-Disposition: form-data', 'x') + part('X-Nothing: 1', 'x')
    const { status, body } = await send(nameless + field('note', 'kept') + end)
    expect([status, body.source?.note]).toEqual([200, 'kept'])
  })

  test('broken off in a file, a hundred times at once, leaves no file behind', async () => {
    const body = filePart('avatar', 'a.png', 'x'.repeat(70_000)).slice(0, -10_000)
    const statuses = await Promise.all(Array.from({ length: 100 }, async () => (await send(body)).status))
    expect(new Set(statuses)).toEqual(new Set([400]))
    expect(await leftovers()).toEqual([])
  })

  test('an endless file is cut off at its limit, an endless text at its own', async () => {
    const file = app.ctx.config.limits.imageBytes
    for (const [head, max] of [
      [filePart('avatar', 'a.png', '').slice(0, -2), file],
      [field('note', '').slice(0, -2), 2 ** 20],
    ] as const) {
      let read = 0
      const { status } = await send(endless(head, 'x'.repeat(65_536), (bytes) => (read += bytes)))
      expect(status).toBe(413)
      expect(read).toBeLessThan(max + 2 ** 20)
      expect(await leftovers()).toEqual([])
    }
  })

  test('a file where none is wanted is not stored at all', async () => {
    let read = 0
    const head = filePart('status', 'a.txt', '').slice(0, -2)
    const body = endless(head, 'x'.repeat(65_536), (bytes) => (read += bytes))
    const { status } = await send(body, { path: '/api/v1/statuses', method: 'POST' })
    expect(status).toBe(413)
    expect(read).toBeLessThan(2 ** 20)
    expect(await leftovers()).toEqual([])
  })

  test('strangers do not get a byte written', async () => {
    const { status } = await send(filePart('avatar', 'a.png', 'x'.repeat(1000)) + end, { token: 'nobody' })
    expect(status).toBe(401)
    expect(await leftovers()).toEqual([])
  })
})

describe('a file of 40 MB in Base64 [CNT-20]', () => {
  const chunk = Buffer.alloc(48 * 1024, 'x').toString('base64')
  const heads: Record<string, string> = {
    'application/json': '{"avatar":"data:image/png;base64,',
    'application/x-www-form-urlencoded': 'avatar=data:image/png;base64,',
    [multipart]: field('avatar', 'data:image/png;base64,').slice(0, -2),
  }

  test.each(Object.entries(heads))('is cut off at the limit in %s', async (type, head) => {
    let read = 0
    const { status, body } = await send(
      endless(head, chunk, (bytes) => (read += bytes)),
      { type },
    )
    expect([status, body.error]).toEqual([413, 'The file is too large'])
    expect(read).toBeLessThan(app.ctx.config.limits.avatarBytes * 3)
    expect(await leftovers()).toEqual([])
  })

  test('or broken is refused, and nothing is stored', async () => {
    for (const [type, head] of Object.entries(heads)) {
      const { status } = await send(
        endless(head, '*', () => {}),
        { type },
      )
      expect([type, status]).toEqual([type, 422])
    }
    expect(await leftovers()).toEqual([])
  })
})

test.each(['application/json', 'application/x-www-form-urlencoded', 'text/plain'])(
  'an endless body of %s is read no further than 1 MiB [CNT-20]',
  async (type) => {
    let read = 0
    const body = endless('{"status":"', 'x'.repeat(65_536), (bytes) => (read += bytes))
    const { status } = await send(body, { type, path: '/api/v1/statuses', method: 'POST' })
    expect(status).toBe(413)
    expect(read).toBeLessThan(2 ** 20 + 3 * 65_536)
  },
)

describe('pictures that lead the converter elsewhere [CNT-14]', () => {
  let asked = 0
  const remote = createServer((_, answer) => {
    asked++
    answer.end()
  })
  let url = ''
  beforeAll(async () => {
    await once(remote.listen(0, '127.0.0.1'), 'listening')
    url = `http://127.0.0.1:${(remote.address() as AddressInfo).port}/x.png`
  })
  afterAll(() => remote.close())

  const scripts: Record<string, (target: string) => string> = {
    'SVG with a picture': (target) =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="${target}" width="9" height="9"/></svg>`,
    'SVG with an entity': (target) =>
      `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "${target}">]><svg xmlns="http://www.w3.org/2000/svg"><text>&x;</text></svg>`,
    'drawing commands': (target) =>
      `push graphic-context\nviewbox 0 0 9 9\nimage over 0,0 9,9 '${target}'\npop graphic-context`,
    'a scripted image': (target) =>
      `<?xml version="1.0"?><image><read filename="${target}"/><write filename="/tmp/x.png"/></image>`,
    PostScript: (target) => `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(${target}) run\n`,
    'a play list': (target) => `#EXTM3U\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`,
    'the name of a file': (target) => target,
  }

  test.each(Object.entries(scripts))('%s is refused, and nothing is asked', async (_, write) => {
    for (const target of [url, 'file:///etc/passwd']) {
      const { status } = await send(filePart('avatar', 'a.png', write(target)) + end)
      expect(status).toBe(422)
    }
    const { avatar } = (await eve.get('/api/v1/accounts/verify_credentials')).ok()
    expect([asked, avatar.endsWith('/original/missing.png'), await leftovers()]).toEqual([0, true, []])
  })
})

test('the address of a file does not climb out of the folder of media [CNT-10]', async () => {
  const { dataDir } = app.ctx.config
  await writeFile(path.join(dataDir, 'private.png'), 'private')
  const climbs = [
    '../private.png',
    '..%2fprivate.png',
    '%2e%2e/private.png',
    '..%5cprivate.png',
    'a/../../private.png',
  ]
  const absolute = [
    `${dataDir}/private.png`,
    `%2f${dataDir.slice(1)}/private.png`,
    'C:%5cprivate.png',
    'a.png%00.txt',
  ]
  for (const key of [...climbs, ...absolute]) {
    const answer = await app.fetch(`/media/${key}`)
    expect([key, answer.status]).toEqual([key, 404])
  }
})
