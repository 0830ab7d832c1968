import { mkdtempSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createMultipartScanner, readBoundary } from './base64-multipart.ts'
import { createFormScanner, createJsonScanner, type Scanner } from './base64-scan.ts'
import { readBody, type BodyLimits } from './body.ts'
import type { UploadedFile } from '../params/params.ts'
import { heldBy } from '#test/held/held.ts'
import { runs } from '#test/run/night.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'stonechat-uploads-'))
afterAll(() => rm(directory, { recursive: true }))
const limits: BodyLimits = { text: 1024 * 1024, file: 64 * 1024, directory }
const boundary = 'Boundary--x'
const types = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: `multipart/form-data; boundary=${boundary}`,
}
type BodyType = keyof typeof types

/** The body cut where the test wants it. */
function streamOf(body: string | Buffer, cuts: readonly number[] = []): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(body as string)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return new ReadableStream({
    start(controller) {
      for (let i = 1; i < places.length; i++) {
        // A copy each, as from a socket: nothing may rely on what stood there before.
        const chunk = Uint8Array.from(bytes.subarray(places[i - 1], places[i]))
        if (chunk.length > 0) controller.enqueue(chunk)
      }
      controller.close()
    },
  })
}

function requestOf(type: BodyType | { header: string }, body: ReadableStream<Uint8Array>): Request {
  const header = typeof type === 'string' ? types[type] : type.header
  const init = { method: 'POST', headers: { 'content-type': header }, body, duplex: 'half' }
  return new Request('http://chat.example/', init as RequestInit)
}

const read = (
  type: BodyType,
  body: string | Buffer,
  options: { cuts?: number[]; limits?: BodyLimits } = {},
) => readBody(requestOf(type, streamOf(body, options.cuts)), options.limits ?? limits)

/** Bodies as clients write them, from names and values. */
const writers: Record<BodyType, (pairs: readonly (readonly [string, string])[]) => string> = {
  json: (pairs) => JSON.stringify(Object.fromEntries(pairs)),
  form: (pairs) =>
    new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString(),
  multipart: (pairs) =>
    pairs
      .map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      )
      .join('') + `--${boundary}--\r\n`,
}
const bodyTypes = Object.keys(types) as BodyType[]

const uri = (bytes: Uint8Array, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

/** Texts without what multipart itself would end at. */
const plainText = fc
  .string({
    unit: fc.constantFrom(
      'a',
      '"',
      '\\',
      '/',
      '\n',
      '\r',
      '-',
      '%',
      '+',
      '&',
      '=',
      'data:',
      ';base64,',
      'é',
      '😀',
    ),
  })
  .filter((text) => !text.includes('\r') && !/^data:/i.test(text))

describe('a file in Base64', () => {
  test('arrives byte by byte as it was, in every body, wherever it is cut, and the texts around it unchanged', async () => {
    const cuts = fc.array(fc.nat(5000), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...bodyTypes),
        fc.uint8Array({ maxLength: 3000 }),
        fc.uint8Array({ maxLength: 50 }),
        fc.record({ before: plainText, after: plainText, cuts }),
        async (type, first, second, { before, after, cuts: places }) => {
          const body = writers[type]([
            ['before', before],
            ['file', uri(first)],
            ['between', 'x'],
            ['other', uri(second, 'image/svg+xml')],
            ['after', after],
          ])
          const { params, dispose } = await read(type, body, { cuts: places })
          try {
            expect(params).toMatchObject({ before, between: 'x', after })
            const [file, other] = [params['file'], params['other']] as [UploadedFile, UploadedFile]
            expect(file).toMatchObject({ kind: 'file', size: first.length, contentType: 'image/png' })
            expect(other).toMatchObject({ kind: 'file', size: second.length, contentType: 'image/svg+xml' })
            expect((await readFile(file.path)).equals(first)).toBe(true)
            expect((await readFile(other.path)).equals(second)).toBe(true)
          } finally {
            await dispose()
          }
        },
      ),
      { numRuns: runs(150) },
    )
    expect(await readdir(directory)).toEqual([])
  })

  test('bodies without one pass byte by byte, whatever they are', () => {
    const word = fc.constantFrom(
      '"',
      '\\',
      '\\u00',
      ':{}',
      '=',
      '&',
      '%2',
      '+',
      '\r\n',
      '\r',
      '--',
      `--${boundary}`,
      '\r\n\r\n',
      'data:',
      'data:image/png;base64',
      'Content-Disposition: form-data; name="a"',
      '; filename="b"',
      'é\0',
    )
    const scanners: (() => Scanner)[] = [
      createJsonScanner,
      createFormScanner,
      () => createMultipartScanner(boundary),
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...scanners),
        fc
          .array(word, { maxLength: 40 })
          .map((words) => words.join(''))
          // The end of one and the beginning of another can make a comma, and with it a file.
          .filter((body) => !/base64%2c/i.test(body)),
        fc.array(fc.nat(200), { maxLength: 20 }),
        (create, body, cuts) => {
          const bytes = Buffer.from(body)
          const places = [
            0,
            ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b),
            bytes.length,
          ]
          const scanner = create()
          const out: Uint8Array[] = []
          const pieces = places
            .slice(1)
            .flatMap((end, i) => [...scanner.push(bytes.subarray(places[i], end))])
          for (const piece of [...pieces, ...scanner.end()]) if ('bytes' in piece) out.push(piece.bytes)
          expect(Buffer.concat(out).toString()).toBe(body)
        },
      ),
      { numRuns: runs(2000) },
    )
  })

  const bytes = Buffer.from([0xfb, 0xef, 0xbe, 0xff, 0xff, 0xff, 0, 1, 2, 3])
  const base64 = bytes.toString('base64')
  const spellings: [string, BodyType, string][] = [
    ['escaped slashes', 'json', `{"file":"data:image\\/png;base64,${base64.replaceAll('/', '\\/')}"}`],
    [
      'escaped signs',
      'json',
      `{"file":"\\u0064ata:image/png;base64,${base64.replaceAll('+', '\\u002b').replaceAll('=', '\\u003D')}"}`,
    ],
    ['line breaks', 'json', `{"file":"data:image/png;base64,${base64.replaceAll(/(....)/g, '$1\\r\\n')}"}`],
    ['white space around', 'json', `{ "a" : [ "x" , 1 ] ,\n "file" : "data:image/png;base64,${base64}" }`],
    ['what a form need not escape', 'form', `file=data:image/png;base64,${base64}`],
    ['everything escaped', 'form', `a=1&file=${encodeURIComponent(uri(bytes))}&b=2`],
    [
      'lower-case escapes',
      'form',
      `file=${encodeURIComponent(uri(bytes)).toLowerCase().slice(0, 30)}${base64}`,
    ],
    ['no padding', 'form', `file=data:image/png;base64,${base64.replaceAll('=', '')}`],
    ['the other alphabet', 'json', `{"file":"data:image/png;base64,${bytes.toString('base64url')}"}`],
    ['capitals', 'json', `{"file":"DATA:image/png;BASE64,${base64}"}`],
    ['parameters of the type', 'json', `{"file":"data:image/png;charset=x;base64,${base64}"}`],
    [
      'a wrapped text',
      'multipart',
      writers.multipart([
        [
          'file',
          uri(bytes)
            .replace(/(.{30})/, '$1\r\n-')
            .replace('\r\n-', '\r\n'),
        ],
      ]),
    ],
  ]
  test.each(spellings)('with %s (%s)', async (_, type, body) => {
    const { params, dispose } = await read(type, body)
    expect((await readFile((params['file'] as UploadedFile).path)).equals(bytes)).toBe(true)
    await dispose()
  })

  test('in lists and objects', async () => {
    const { params, dispose } = await read(
      'json',
      JSON.stringify({ a: { b: [uri(bytes)] }, 'c[d][]': uri(bytes) }),
    )
    const { a, c } = params as { a: { b: UploadedFile[] }; c: { d: UploadedFile } }
    expect([a.b[0]?.size, [c.d].flat()[0]?.size]).toEqual([10, 10])
    await dispose()
  })

  test('without a type is a file too, and with an odd one of no known type', async () => {
    for (const type of ['', 'x', 'text/html<script>']) {
      const { params, dispose } = await read('json', JSON.stringify({ file: uri(bytes, type) }))
      expect(params['file']).toMatchObject({ contentType: 'application/octet-stream', size: 10 })
      await dispose()
    }
  })
})

describe('stays text', () => {
  test.each([
    ` ${uri(Buffer.from('x'))}`,
    `see ${uri(Buffer.from('x'))}`,
    'data:image/png,abc',
    'data:image/png;base64',
    'data:',
    `data:${'x'.repeat(300)};base64,AAAA`,
    'date:image/png;base64,AAAA',
  ])('%j', async (value) => {
    for (const type of bodyTypes) {
      const { params, dispose } = await read(
        type,
        writers[type]([
          ['file', value],
          ['b', 'c'],
        ]),
      )
      expect(params).toMatchObject({ file: value, b: 'c' })
      await dispose()
    }
    expect(await readdir(directory)).toEqual([])
  })

  test('what a file of a multipart body begins with', async () => {
    const content = uri(Buffer.from('x'.repeat(100)))
    const part = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${content}\r\n`
    const { params, dispose } = await read('multipart', `${part}--${boundary}--\r\n`)
    expect(await readFile((params['file'] as UploadedFile).path, 'utf8')).toBe(content)
    await dispose()
  })

  test('everything where no file is taken', async () => {
    for (const type of bodyTypes) {
      const value = uri(Buffer.from('x'))
      const body = writers[type]([['file', value]])
      const { params } = await read(type, body, { limits: { ...limits, file: 0 } })
      expect(params['file']).toBe(value)
    }
  })
})

describe('is refused', () => {
  const refusal = (type: BodyType, value: string) =>
    read(type, writers[type]([['file', value]])).then(
      () => 'taken',
      (error: { code?: string }) => error.code,
    )

  test.each([
    ['other characters', 'data:image/png;base64,AA*A', 'invalid'],
    ['a digit left over', 'data:image/png;base64,AAAAA', 'invalid'],
    ['text behind the padding', 'data:image/png;base64,AA==AAAA', 'invalid'],
    ['padding in the wrong place', 'data:image/png;base64,AAAA=', 'invalid'],
    ['blanks without end', `data:image/png;base64,${'\n'.repeat(5000)}`, 'invalid'],
    ['a byte more than a file may have', uri(Buffer.alloc(64 * 1024 + 1)), 'too_large'],
  ])('%s', async (_, value, code) => {
    for (const type of bodyTypes) expect([type, await refusal(type, value)]).toEqual([type, code])
    expect(await readdir(directory)).toEqual([])
  })

  test('no byte less: a file of the full size is taken', async () => {
    for (const type of bodyTypes) expect(await refusal(type, uri(Buffer.alloc(64 * 1024)))).toBe('taken')
    for (const name of await readdir(directory)) await rm(path.join(directory, name))
  })

  test('a third full file, a sixth file, a body that ends in one, and more text than allowed', async () => {
    const full = uri(Buffer.alloc(64 * 1024))
    const small = uri(Buffer.from('x'))
    const cases = (type: BodyType): [string, string][] => [
      [writers[type]([1, 2, 3].map((i) => [`f${i}`, full])), 'too_large'],
      [writers[type]([1, 2, 3, 4, 5, 6].map((i) => [`f${i}`, small])), 'bad_request'],
      [
        writers[type]([
          ['f', small],
          ['t', 'x'.repeat(limits.text)],
        ]),
        'too_large',
      ],
    ]
    for (const type of bodyTypes) {
      for (const [body, code] of cases(type)) await expect(read(type, body)).rejects.toMatchObject({ code })
      if (type === 'form') continue
      const cut = writers[type]([['f', full]]).slice(0, 20_000)
      await expect(read(type, cut)).rejects.toMatchObject({ code: 'bad_request' })
    }
    expect(await readdir(directory)).toEqual([])
  })
})

test('what stands for a file cannot be guessed, and means nothing in another request [CNT-11]', async () => {
  const [first, second] = [
    await read('json', JSON.stringify({ file: uri(Buffer.from('x')) })),
    new Set<string>(),
  ]
  for (let i = 0; i < 20; i++) {
    let token = ''
    const scanned = await read('multipart', writers.multipart([['file', uri(Buffer.from('x'))]]))
    token = (scanned.params['file'] as UploadedFile).path
    second.add(token)
    await scanned.dispose()
  }
  expect(second.size).toBe(20)
  const { params } = await read('json', JSON.stringify({ file: (first.params['file'] as UploadedFile).path }))
  expect(typeof params['file']).toBe('string')
  await first.dispose()
})

test('the boundary is read in its spellings', () => {
  expect(readBoundary('multipart/form-data; boundary=abc')).toBe('abc')
  expect(readBoundary('multipart/form-data; charset=utf-8; Boundary="a b:c"; x=y')).toBe('a b:c')
  expect(readBoundary('multipart/form-data')).toBeNull()
})

describe('8 MB in Base64 [CNT-20]', () => {
  const piece = Buffer.alloc(48 * 1024, 7).toString('base64')
  const pieces = 128
  const frames: Record<BodyType, [string, string]> = {
    json: ['{"file":"data:video/mp4;base64,', '","b":"c"}'],
    form: ['file=data:video/mp4;base64,', '&b=c'],
    multipart: writers
      .multipart([
        ['file', 'data:video/mp4;base64,@'],
        ['b', 'c'],
      ])
      .split('@') as [string, string],
  }

  test('take no memory', async () => {
    const bodies = bodyTypes.map((type) => ({ contentType: types[type], frame: frames[type], pieces }))
    const { bytes, result } = await heldBy('base64-body', { bodies })
    const wanted = { file: { size: pieces * 48 * 1024 }, b: 'c' }
    expect(result).toMatchObject(bodies.map(() => wanted))
    expect(bytes).toBeLessThan(2 * 1024 * 1024)
  })

  test.each(bodyTypes)('are cut off where a file may not be so large (%s)', async (type) => {
    let sent = 0
    async function* body(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(frames[type][0])
      for (let i = 0; i < pieces; i++) {
        sent += piece.length
        yield Buffer.from(piece)
      }
    }
    const stream = ReadableStream.from(body()) as ReadableStream<Uint8Array>
    const reading = readBody(requestOf(type, stream), { ...limits, file: 2 * 1024 * 1024 })
    await expect(reading).rejects.toMatchObject({ code: 'too_large' })
    expect(sent).toBeLessThan(4 * 1024 * 1024)
    expect(await readdir(directory)).toEqual([])
  })
})
