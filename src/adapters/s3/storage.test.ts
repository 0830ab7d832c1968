import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpClient } from '#adapters/http-client/http-client.ts'
import { loadConfig } from '#config/config.ts'
import type { S3Config } from '#config/services.ts'
import { isAppError } from '#lib/errors.ts'
import { RemoteError, type HttpClient } from '#ports/http-client.ts'
import type { Storage } from '#ports/storage.ts'
import { recordingLog } from '#test/app/log.ts'
import { s3Missing, startS3, startS3rver, type S3Server } from '#test/servers/s3-server.ts'
import { describeStorage } from '#test/contracts/storage-contract.ts'
import { createS3Storage } from './storage.ts'

const http = createHttpClient({ config: loadConfig({}), log: recordingLog(), destinations: 'configured' })
afterAll(() => http.close())
const png = { contentType: 'image/png' }

/** The cause that an operator reads in the log. */
async function problemOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => null,
    (error: unknown) => error,
  )
  if (!isAppError(error, 'unavailable')) throw new Error('not unavailable', { cause: error })
  expect(error.message).toBe('Media storage cannot be reached')
  return (error.cause as Error).message
}

describe.skipIf(s3Missing)(s3Missing ? `S3: ${s3Missing}` : 'S3', () => {
  let server: S3Server
  let folder: string
  let config: S3Config
  let storage: Storage

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stonechat-s3-test-'))
    server = await startS3()
    config = loadConfig({ ...server.env, DATA_DIR: folder }).s3!
    storage = createS3Storage({ config, http })
  })
  afterAll(async () => {
    await server?.remove()
    await rm(folder, { recursive: true })
  })
  const put = (settings: Partial<S3Config>, client: HttpClient = http) =>
    createS3Storage({ config: { ...config, ...settings }, http: client }).put(
      'one.png',
      { body: Buffer.from('one') },
      png,
    )

  describeStorage(() => ({ storage, folder, place: { env: server.env } }))

  test('a stored file is for everybody and for ever, one that is for one person is not', async () => {
    const sent: Record<string, string>[] = []
    const send: HttpClient['send'] = (request) => {
      sent.push(request.headers as Record<string, string>)
      return http.send(request)
    }
    const watched = createS3Storage({ config, http: { ...http, send } })
    await watched.put('sent.png', { body: Buffer.from('x') }, png)
    await watched.put('sent.csv', { body: Buffer.from('x') }, { contentType: 'text/csv' })
    expect(sent[0]).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-amz-acl': 'public-read',
    })
    expect(sent[0]!['authorization']).toContain('content-type;host;x-amz-acl;x-amz-content-sha256;x-amz-date')
    expect(sent[1]).toMatchObject({ 'content-type': 'text/csv', 'cache-control': 'private, no-store' })
    expect(sent[1]).not.toHaveProperty('x-amz-acl')
    await watched.put('sent.png', { body: Buffer.from('x') }, { ...png, isHidden: true })
    expect(sent[2]).toMatchObject({ 'cache-control': 'private, no-store' })
    expect(sent[2]).not.toHaveProperty('x-amz-acl')
    const held = await server.request('GET', '/media/sent.png')
    expect([held.headers.get('content-type'), await held.text()]).toEqual(['image/png', 'x'])
  })

  test('keys stand behind the prefix, whatever letters it has', async () => {
    const keyPrefix = 'our media+(1)/é/'
    const prefixed = createS3Storage({ config: { ...config, keyPrefix, acl: null }, http })
    await prefixed.put('a/p.png', { body: Buffer.from('behind') }, png)
    const held = await server.request('GET', `/media/${encodeURIComponent('our media+(1)')}/%C3%A9/a/p.png`)
    expect(await held.text()).toBe('behind')
    expect(await text((await prefixed.open('a/p.png'))!.stream)).toBe('behind')
    expect(await storage.open('a/p.png')).toBeNull()
    await prefixed.delete('a/p.png')
    expect(await prefixed.open('a/p.png')).toBeNull()
  })

  test('over TLS the bytes of a file are not part of the signature', async () => {
    const source = path.join(folder, 'tls.mp4')
    await writeFile(source, 'moving')
    const hashes: unknown[] = []
    // The server speaks no TLS, and the scheme is not part of a signature.
    const send: HttpClient['send'] = (request) => {
      hashes.push(request.headers!['x-amz-content-sha256'])
      return http.send({ ...request, url: request.url.replace('https:', 'http:') })
    }
    const endpoint = config.endpoint.replace('http:', 'https:')
    const secure = createS3Storage({ config: { ...config, endpoint }, http: { ...http, send } })
    await secure.put('tls.mp4', { path: source }, { contentType: 'video/mp4' })
    await storage.put('tls.mp4', { path: source }, { contentType: 'video/mp4' })
    expect(hashes).toEqual(['UNSIGNED-PAYLOAD'])
    expect(await text((await storage.open('tls.mp4'))!.stream)).toBe('moving')
  })

  test('what is set up wrong is told apart from a missing file', async () => {
    expect(await problemOf(put({ bucket: 'nowhere' }))).toMatch(/PUT of one\.png: .* 404 NoSuchBucket/)
    expect(await problemOf(put({ secretAccessKey: 'wrong' }))).toContain('403 SignatureDoesNotMatch')
    expect(await problemOf(put({ accessKeyId: 'no:body' }))).toMatch(/ 403 /)
    expect(await problemOf(put({ region: 'eu-north-1' }))).toMatch(/ 400 AuthorizationHeaderMalformed/)
    const remote = createS3Storage({ config: { ...config, bucket: 'nowhere' }, http })
    expect(await problemOf(remote.open('one.png'))).toContain('404 NoSuchBucket')
    expect(await problemOf(remote.delete('one.png'))).toContain('404 NoSuchBucket')
  })

  test('a store that is away for a moment is asked again, one that stays away is given up', async () => {
    let calls = 0
    const failing = (times: number): HttpClient => ({
      ...http,
      send: (request) => {
        if (calls++ < times) throw new RemoteError('unreachable', 'connection refused')
        return http.send(request)
      },
    })
    await put({}, failing(2))
    expect(calls).toBe(3)
    calls = 0
    expect(await problemOf(put({}, failing(3)))).toBe('connection refused')
    expect(calls).toBe(3)
  })

  test('a store that is busy is asked again, and what it says last is told', async () => {
    let calls = 0
    const answered = { status: 503, url: '', headers: new Headers() }
    const body = () => new Blob(['<Error><Code>SlowDown</Code></Error>']).stream()
    const stream: HttpClient['stream'] = async (request) =>
      ++calls % 2 === 1 ? ({ ...answered, body: body() } as never) : http.stream(request)
    await put({})
    const busy = createS3Storage({ config, http: { ...http, stream } })
    expect(await text((await busy.open('one.png'))!.stream)).toBe('one')
    expect(calls).toBe(2)
    const always = createS3Storage({
      config,
      http: { ...http, stream: async () => ({ ...answered, body: body() }) as never },
    })
    expect(await problemOf(always.open('one.png'))).toContain('503 SlowDown')
  })

  test('an address that must not be reached is asked once', async () => {
    let calls = 0
    const send: HttpClient['send'] = async () => {
      calls += 1
      throw new RemoteError('forbidden', 'not there')
    }
    expect(await problemOf(put({}, { ...http, send }))).toBe('not there')
    expect(calls).toBe(1)
  })
})

describe('another S3 store, s3rver', () => {
  let server: S3Server
  let folder: string
  let storage: Storage

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stonechat-s3-test-'))
    server = await startS3rver()
    storage = createS3Storage({ config: loadConfig({ ...server.env, DATA_DIR: folder }).s3!, http })
  })
  afterAll(async () => {
    await server?.remove()
    await rm(folder, { recursive: true })
  })

  // It takes the end of a range for missing when that is 0, and gives an empty file for a range of it.
  describeStorage(() => ({ storage, folder, place: { env: server.env } }), ['ranges', 'large files'])
})

describe('the address of an object', () => {
  const config = loadConfig({
    S3_ENABLED: 'true',
    S3_BUCKET: 'our-media',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    S3_REGION: 'eu-west-3',
  }).s3!

  test.each([
    [{}, 'https://our-media.s3.eu-west-3.amazonaws.com/a/b.png'],
    [{ keyPrefix: 'x/' }, 'https://our-media.s3.eu-west-3.amazonaws.com/x/a/b.png'],
    [{ endpoint: 'http://127.0.0.1:9000', pathStyle: true }, 'http://127.0.0.1:9000/our-media/a/b.png'],
    [
      { endpoint: 'https://s3.example/in/here', pathStyle: true },
      'https://s3.example/in/here/our-media/a/b.png',
    ],
    [{ endpoint: 'https://s3.example:8443', pathStyle: false }, 'https://our-media.s3.example:8443/a/b.png'],
  ])('with %j', async (settings, expected) => {
    const asked: string[] = []
    const send: HttpClient['send'] = async ({ url }) => {
      asked.push(url)
      return { status: 204, url, headers: new Headers(), body: Buffer.alloc(0) }
    }
    await createS3Storage({ config: { ...config, ...settings }, http: { ...http, send } }).delete('a/b.png')
    expect(asked).toEqual([expected])
  })
})
