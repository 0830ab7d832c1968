import { describe, expect, test, vi } from 'vitest'
import { createHttpApp } from '#http/kit/app.ts'
import { startApp, useApp } from '#test/app/app.ts'

const app = useApp()

const bytes = Buffer.from('0123456789abcdefghij')
const key = 'media_attachments/1/secret/original.png'

const store = (name = key, contentType = 'image/png', body = bytes) =>
  app.ctx.storage.put(name, { body }, { contentType })
const fetchFile = (headers: Record<string, string> = {}, method = 'GET') =>
  app.fetch(`/media/${key}`, { method, headers })

describe('stored files', () => {
  test('are served as what they are, closed to anything but showing [CNT-12]', async () => {
    await store()
    for (const accept of [
      '*/*',
      'text/html',
      'application/activity+json',
      'application/ld+json',
      'image/svg+xml',
      'application/json',
    ]) {
      const answer = await fetchFile({ accept })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe('image/png')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(answer.headers.get('content-length')).toBe('20')
      expect(answer.headers.get('set-cookie')).toBeNull()
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes)
    }
  })

  test('that hold HTML or a message to another server stay pictures [CNT-12]', async () => {
    const name = 'avatars/1/trap.png'
    await store(
      name,
      'image/png',
      Buffer.from('{"@context":"https://www.w3.org/ns/activitystreams"}<script>1</script>'),
    )
    const answer = await app.fetch(`/media/${name}`, { headers: { accept: 'application/activity+json' } })
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    await answer.body?.cancel()
  })

  test('that are no picture, sound or video are not served at all', async () => {
    await store('exports/1/archive.zip', 'application/zip')
    await store('exports/1/follows.csv', 'text/csv')
    expect((await app.fetch('/media/exports/1/archive.zip')).status).toBe(404)
    expect((await app.fetch('/media/exports/1/follows.csv')).status).toBe(404)
  })

  test.each([
    'nothing/here.png',
    'media_attachments/1/secret',
    '..%2fmedia%2fmedia_attachments%2f1%2fsecret%2foriginal.png',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/etc/passwd',
    '.unfinished/x.png',
    'a.svg',
    'a.html',
    'a.json',
    'a%00.png',
    '',
  ])('%j is not found', async (name) => {
    await store()
    expect((await app.fetch(`/media/${name}`)).status).toBe(404)
  })

  test.each([
    ['bytes=0-4', 'bytes 0-4/20', '01234'],
    ['bytes=15-', 'bytes 15-19/20', 'fghij'],
    ['bytes=-3', 'bytes 17-19/20', 'hij'],
    ['bytes=10-99', 'bytes 10-19/20', 'abcdefghij'],
  ])('%s gives a part', async (range, contentRange, text) => {
    await store()
    const answer = await fetchFile({ range })
    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(contentRange)
    expect(answer.headers.get('content-length')).toBe(String(text.length))
    expect(await answer.text()).toBe(text)
  })

  test('for a part the store is asked for that part alone', async () => {
    await store()
    const open = vi.spyOn(app.ctx.storage, 'open')
    try {
      expect(await (await fetchFile({ range: 'bytes=3-5' })).text()).toBe('345')
      expect(open.mock.calls).toEqual([[key, { start: 3, end: 5 }]])
    } finally {
      open.mockRestore()
    }
  })

  test('of a file that is not served there are no parts either', async () => {
    await store('exports/1/part.csv', 'text/csv')
    const answer = await app.fetch('/media/exports/1/part.csv', { headers: { range: 'bytes=0-4' } })
    expect(answer.status).toBe(404)
  })

  test('a range beyond the end is refused, a nonsensical one ignored', async () => {
    await store()
    const beyond = await fetchFile({ range: 'bytes=20-' })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */20'])
    const nonsense = await fetchFile({ range: 'bytes=5-1,x' })
    expect([nonsense.status, (await nonsense.text()).length]).toEqual([200, 20])
  })

  test('conditions: what is known is not sent again, and a part belongs to the same file', async () => {
    await store()
    const etag = (await fetchFile({}, 'HEAD')).headers.get('etag')!
    const known = await fetchFile({ 'if-none-match': etag })
    expect([known.status, await known.text()]).toEqual([304, ''])
    expect((await fetchFile({ range: 'bytes=0-1', 'if-range': etag })).status).toBe(206)
    const other = await fetchFile({ range: 'bytes=0-1', 'if-range': '"other"' })
    expect([other.status, (await other.text()).length]).toEqual([200, 20])
  })

  test.each([
    ['several ranges', { range: 'bytes=0-1,5-6' }, 200, null],
    ['several of which one is there', { range: 'bytes=0-1,50-60' }, 206, 'bytes 0-1/20'],
    ['a unit in capitals', { range: 'BYTES=0-1' }, 206, 'bytes 0-1/20'],
    ['no last bytes', { range: 'bytes=-0' }, 416, 'bytes */20'],
    ['more last bytes than there are', { range: 'bytes=-50' }, 206, 'bytes 0-19/20'],
    ['a number beyond all numbers', { range: `bytes=${'9'.repeat(40)}-` }, 416, 'bytes */20'],
    ['a weak validator', { range: 'bytes=0-1', 'if-range': 'W/"x"' }, 200, null],
    [
      'a date that is not that of the file',
      { range: 'bytes=0-1', 'if-range': 'Sun, 06 Nov 1994 08:49:37 GMT' },
      200,
      null,
    ],
    ['a condition that does not hold', { range: 'bytes=0-1', 'if-match': '"other"' }, 412, null],
    ['a condition that holds', { range: 'bytes=0-1', 'if-match': '*' }, 206, 'bytes 0-1/20'],
    ['a range of what the client has', { range: 'bytes=0-1', 'if-none-match': '*' }, 304, null],
  ] as [string, Record<string, string>, number, string | null][])(
    '%s',
    async (_name, headers, status, contentRange) => {
      await store()
      const answer = await fetchFile(headers)
      expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange])
      // What says nothing of the file is not kept for a year.
      const isKept = answer.headers.get('cache-control') !== 'no-store'
      expect(isKept).toBe(status < 400)
    },
  )

  test('a date counts where there is no mark of the content', async () => {
    await store()
    const modified = (await fetchFile({}, 'HEAD')).headers.get('last-modified')!
    expect((await fetchFile({ 'if-modified-since': modified })).status).toBe(304)
    expect((await fetchFile({ 'if-modified-since': modified, 'if-none-match': '"other"' })).status).toBe(200)
    expect((await fetchFile({ 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' })).status).toBe(412)
    expect((await fetchFile({ range: 'bytes=0-1', 'if-range': modified })).status).toBe(206)
  })

  test('HEAD knows no ranges, and leaves no file open', async () => {
    await store()
    const answer = await fetchFile({ range: 'bytes=0-1' }, 'HEAD')
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '20'])
    let cancelled = false
    const web = createHttpApp(app.ctx)
    const body = () => new ReadableStream({ cancel: () => void (cancelled = true) })
    web.get('/stream', () => new Response(body()))
    expect((await web.request('/stream', { method: 'HEAD' })).status).toBe(200)
    expect(cancelled).toBe(true)
  })

  test('HEAD answers without a body', async () => {
    await store()
    const answer = await fetchFile({}, 'HEAD')
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '20',
      '',
    ])
  })

  test('are there in the closed access modes too: browsers send no token for pictures', async () => {
    const closed = await startApp({ env: { LIMITED_FEDERATION_MODE: 'true' } })
    try {
      await closed.ctx.storage.put(key, { body: bytes }, { contentType: 'image/png' })
      const answer = await closed.fetch(`/media/${key}`)
      expect(answer.status).toBe(200)
      await answer.body?.cancel()
    } finally {
      await closed.close()
    }
  })
})

describe('pictures of those who have none', () => {
  test.each(['/avatars/original/missing.png', '/headers/original/missing.png', '/instance/thumbnail.png'])(
    '%s is a PNG',
    async (path) => {
      for (let time = 0; time < 2; time++) {
        const answer = await app.fetch(path)
        expect(answer.status).toBe(200)
        expect(answer.headers.get('content-type')).toBe('image/png')
        expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
        expect(
          Buffer.from(await answer.arrayBuffer())
            .subarray(1, 4)
            .toString(),
        ).toBe('PNG')
      }
    },
  )
})
