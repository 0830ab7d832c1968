import { chmodSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { recordingLog } from '#test/app/log.ts'
import { ffmpegMissing, useFolder } from '#test/files/media-files.ts'
import { createFfmpeg, findFfmpeg, type Ffmpeg } from './ffmpeg.ts'
import { encodingFor } from './ffmpeg-output.ts'

const folder = useFolder()
const log = recordingLog()
const endless = (size: string) => ['-v', 'error', '-f', 'lavfi', '-i', `testsrc=size=${size}:rate=100`]
const encode = ['-c:v', 'libx264', '-f', 'null', '-']

describe('finding it', () => {
  test('nothing where it is not, or lacks what is needed', async () => {
    expect(await findFfmpeg(undefined)).toBeNull()
    expect(await findFfmpeg(`relative:${folder.path}`)).toBeNull()
    for (const name of ['ffmpeg', 'ffprobe']) {
      chmodSync(folder.write(name, '#!/bin/sh\necho " V....D mpeg4  MPEG-4 part 2"\n'), 0o755)
    }
    expect(await findFfmpeg(folder.path)).toBeNull()
    for (const name of ['ffmpeg', 'ffprobe']) folder.write(name, '#!/bin/sh\nexit 1\n')
    expect(await findFfmpeg(folder.path)).toBeNull()
  })
})

describe.skipIf(ffmpegMissing)(`bounds (${ffmpegMissing ?? 'ffmpeg is installed'}) [CNT-16]`, async () => {
  const programs = await findFfmpeg(process.env['PATH'])
  const opened: Ffmpeg[] = []
  const open = (options: { memory?: number } = {}) => {
    const ffmpeg = createFfmpeg(programs!, { log, ...options })
    opened.push(ffmpeg)
    return ffmpeg
  }
  afterAll(() => Promise.all(opened.map((ffmpeg) => ffmpeg.close())))
  const run = (ffmpeg: Ffmpeg, args: string[], deadline = 60_000) =>
    ffmpeg.run({ program: 'ffmpeg', args, folder: folder.path, deadline })

  test('what takes too long is ended', async () => {
    await expect(run(open(), [...endless('64x64'), ...encode], 500)).rejects.toMatchObject({
      code: 'invalid',
      message: 'The file takes too long to convert',
    })
  })

  test('what takes too much memory is ended', async () => {
    await expect(
      run(open({ memory: 80 * 2 ** 20 }), [...endless('3840x2160'), ...encode]),
    ).rejects.toMatchObject({
      code: 'invalid',
      message: 'The file needs too much memory',
    })
  })

  test('what prints without end is ended', async () => {
    await expect(run(open(), [...endless('64x64'), '-f', 'rawvideo', '-'])).rejects.toMatchObject({
      code: 'invalid',
    })
  })

  test('what is under way when the server stops may be tried again', async () => {
    const ffmpeg = open()
    const task = run(ffmpeg, [...endless('64x64'), ...encode])
    const closed = ffmpeg.close()
    await expect(task).rejects.toMatchObject({ code: 'unavailable' })
    await closed
    await expect(run(ffmpeg, ['-version'])).rejects.toMatchObject({ code: 'unavailable' })
  })

  test.each(['kill -TERM $$', 'kill -INT $$', 'exit 255'])(
    'what the system stops may be tried again: %s',
    async (command) => {
      const shell = createFfmpeg({ ffmpeg: '/bin/sh', ffprobe: '/bin/sh' }, { log })
      await expect(run(shell, ['-c', command])).rejects.toMatchObject({ code: 'unavailable' })
    },
  )

  test('what the system kills for want of memory is said to need too much', async () => {
    const shell = createFfmpeg({ ffmpeg: '/bin/sh', ffprobe: '/bin/sh' }, { log })
    await expect(run(shell, ['-c', 'kill -KILL $$'])).rejects.toMatchObject({
      code: 'invalid',
      message: 'The file needs too much memory',
    })
  })

  test('where memory is short a video is encoded with less of it', () => {
    const gigabyte = 2 ** 30
    expect(encodingFor({ memory: gigabyte / 2, cores: 4 })).toEqual({ threads: 1, 'rc-lookahead': 0 })
    expect(encodingFor({ memory: gigabyte, cores: 1 })).toEqual({ threads: 1 })
    expect(encodingFor({ memory: 8 * gigabyte, cores: 4 })).toEqual({ threads: 2 })
  })

  test('a full disk is not the fault of the file', async () => {
    const args = [...endless('64x64'), '-t', '1', '-f', 'rawvideo', '-y', 'file:/dev/full']
    await expect(run(open(), args)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('a program that vanished is not either', async () => {
    const gone = createFfmpeg({ ffmpeg: '/nowhere/ffmpeg', ffprobe: '/nowhere/ffprobe' }, { log })
    await expect(run(gone, ['-version'])).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('it sees nothing of the environment', async () => {
    const shell = createFfmpeg({ ffmpeg: '/usr/bin/env', ffprobe: '/usr/bin/env' }, { log })
    expect((await run(shell, [])).replace(/^LD_LIBRARY_PATH=.*\n/m, '')).toBe('')
  })
})
