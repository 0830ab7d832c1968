// A film is being converted when the server is killed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ffmpegMissing, picture, tone, useFolder } from '#test/files/media-files.ts'
import type { Person } from '#test/people/people.ts'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'
import { filesBelow, keyOfUrl, uploadForm } from '#test/client/upload.ts'
import { isNight } from '#test/run/night.ts'

const folder = useFolder()
let server: ServerProcess
let eve: Person

beforeAll(async () => {
  server = await createServerProcess({ prepared: true })
  await server.start()
  ;[eve] = (await server.people('eve')) as [Person]
})
afterAll(() => server?.remove())

const tmp = () => path.join(server.dataDir, 'tmp')

test.skipIf(ffmpegMissing || !isNight)(
  'it is ready after the next start, and nothing is left of the first attempt',
  async () => {
    const video = folder.encode('long.mp4', ...picture('size=1280x720:rate=60'), ...tone(), '-shortest')
    const { status, body } = await eve.post('/api/v2/media', uploadForm(readFileSync(video)))
    expect(status).toBe(202)
    await expect.poll(async () => (await filesBelow(tmp())).length, { interval: 5 }).toBeGreaterThan(0)
    await server.end('SIGKILL')
    const left = path.join(tmp(), 'media', 'work-of-another-time')
    mkdirSync(left, { recursive: true })
    writeFileSync(path.join(left, 'upload'), 'x')
    await server.start()
    expect(existsSync(left)).toBe(false)
    const get = () => eve.get(`/api/v1/media/${body.id}`)
    await expect.poll(async () => (await get()).status, { interval: 200 }).toBe(200)
    const ready = (await get()).ok()
    await expect
      .poll(() => filesBelow(path.join(server.dataDir, 'media')))
      .toEqual([keyOfUrl(ready.url), keyOfUrl(ready.preview_url)].toSorted())
    await expect.poll(() => filesBelow(tmp())).toEqual([])
  },
)
