import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { recordingLog } from '#test/app/log.ts'
import { blackPng, useFolder } from '#test/files/media-files.ts'
import { often } from '#test/run/patience.ts'
import { startProcess } from '#test/processes/processes.ts'
import { cleanEnv } from '#test/processes/server-process.ts'
import { createImageWorkers, type ImageWorkers, type ImageWorkersOptions } from './image-workers.ts'

const folder = useFolder()
const file = folder.write(
  'a.png',
  await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer(),
)
const header = { width: 30, height: 20, frames: 1, isReadable: true }
const inspect = (workers: ImageWorkers) => workers.run('inspect', { path: file })

const opened: ImageWorkers[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((workers) => workers.close()))
})
const log = recordingLog()
function open(options: Partial<ImageWorkersOptions> = {}) {
  const workers = createImageWorkers({ log, ...options })
  opened.push(workers)
  return workers
}
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
const untilGone = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), often)

/** Its one process, ready, but stopped, so that the next task hangs. */
async function stopped(workers: ImageWorkers): Promise<number> {
  await inspect(workers)
  const [pid] = workers.pids()
  process.kill(pid!, 'SIGSTOP')
  return pid!
}

describe('processes', () => {
  test('start with the first task, serve the next, and end when nothing comes', async () => {
    const workers = open({ idle: 100 })
    expect(workers.pids()).toEqual([])
    expect(await inspect(workers)).toEqual(header)
    const [pid, ...others] = workers.pids()
    expect(others).toEqual([])
    await inspect(workers)
    expect(workers.pids()).toEqual([pid])
    await untilGone(pid!)
    expect(workers.pids()).toEqual([])
    expect(await inspect(workers)).toEqual(header)
  })

  test('are two at most, however many tasks there are', async () => {
    const workers = open()
    const all = Array.from({ length: 30 }, () => inspect(workers))
    await Promise.race(all)
    expect(workers.pids().length).toBeLessThanOrEqual(2)
    expect(await Promise.all(all)).toEqual(Array.from({ length: 30 }, () => header))
    expect(workers.pids().length).toBeLessThanOrEqual(2)
  })

  test('know nothing of the environment, and let everybody else go first', async () => {
    vi.stubEnv('SECRET_KEY_BASE', 'very secret')
    const workers = open()
    await inspect(workers)
    vi.unstubAllEnvs()
    const [pid] = workers.pids()
    const environ = existsSync('/proc/self') ? readFileSync(`/proc/${pid}/environ`, 'latin1') : ''
    expect(environ).not.toContain('secret')
    expect(getPriority(pid!)).toBe(10)
  })
})

describe('a process that fails takes nothing with it [CNT-16]', () => {
  test('one that is killed while it works: its picture is refused, the next one is read', async () => {
    const workers = open()
    const pid = await stopped(workers)
    const task = inspect(workers)
    await sleep(50)
    process.kill(pid, 'SIGKILL')
    await expect(task).rejects.toMatchObject({ code: 'invalid', message: 'The picture cannot be read' })
    expect(await inspect(workers)).toEqual(header)
    expect(workers.pids()).not.toContain(pid)
  })

  test('one that is told to stop along with the server finishes its work', async () => {
    const workers = open()
    const pid = await stopped(workers)
    const task = inspect(workers)
    process.kill(pid, 'SIGTERM')
    process.kill(pid, 'SIGCONT')
    expect(await task).toEqual(header)
    expect(workers.pids()).toEqual([pid])
  })

  test('one that is killed while it rests is not missed', async () => {
    const workers = open()
    await inspect(workers)
    const [pid] = workers.pids()
    process.kill(pid!, 'SIGKILL')
    await vi.waitFor(() => expect(workers.pids()).toEqual([]), often)
    expect(await inspect(workers)).toEqual(header)
  })

  test('one that takes too long is ended', async () => {
    const workers = open({ deadline: 30_000 })
    const pid = await stopped(workers)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const outcome = inspect(workers).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(29_000)
      expect(isAlive(pid)).toBe(true)
      await vi.advanceTimersByTimeAsync(121_000)
      expect(await outcome).toMatchObject({ code: 'invalid', message: 'The picture cannot be read' })
    } finally {
      vi.useRealTimers()
    }
    await untilGone(pid)
    expect(log.lines).toContainEqual(expect.objectContaining({ fields: { bound: 'time', task: 'inspect' } }))
    expect(await inspect(workers)).toEqual(header)
  })

  test.skipIf(!existsSync('/proc/self/stat'))('one that others keep from working is waited for', async () => {
    const workers = open({ deadline: 30_000 })
    const pid = await stopped(workers)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const task = inspect(workers)
    await vi.advanceTimersByTimeAsync(100_000)
    vi.useRealTimers()
    process.kill(pid, 'SIGCONT')
    expect(await task).toEqual(header)
    expect(workers.pids()).toEqual([pid])
  })

  test.skipIf(!existsSync('/proc/self/status'))('one that takes too much memory is ended', async () => {
    const workers = open({ memory: 130 * 2 ** 20 })
    expect(await inspect(workers)).toEqual(header)
    const [pid] = workers.pids()
    const large = folder.write('large.png', blackPng(7680, 4320))
    const task = {
      path: large,
      target: `${folder.path}/large.webp`,
      format: 'webp',
      maxPixels: 33_177_600,
      pixels: 33_177_600,
    } as const
    await expect(workers.run('convert', task)).rejects.toMatchObject({ code: 'invalid' })
    await untilGone(pid!)
    expect(log.lines).toContainEqual(
      expect.objectContaining({ fields: { bound: 'memory', task: 'convert' } }),
    )
    expect(await inspect(workers)).toEqual(header)
  })

  test('what is under way when the server stops may be tried again', async () => {
    const workers = open()
    const pid = await stopped(workers)
    const task = inspect(workers)
    await sleep(50)
    const closed = workers.close()
    await expect(task).rejects.toMatchObject({ code: 'unavailable' })
    await closed
    expect(isAlive(pid)).toBe(false)
    await expect(inspect(workers)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

test('the processes end with the server, even when that is killed, which never loads the image library', async () => {
  const url = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  const program = `
    await import(${url('../../../app/context.ts')})
    const { createImageWorkers } = await import(${url('./image-workers.ts')})
    const workers = createImageWorkers({ log: console })
    await workers.run('inspect', { path: ${JSON.stringify(file)} })
    const libraries = process.report.getReport().sharedObjects.filter((name) => /sharp|vips/.test(name))
    console.log(JSON.stringify({ pids: workers.pids(), libraries }))
    setInterval(() => {}, 1000)`
  const parent = startProcess(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: new URL('.', import.meta.url),
    env: cleanEnv({}),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout, 'data')
  const { pids, libraries } = JSON.parse(String(line))
  expect(libraries).toEqual([])
  expect(pids).toHaveLength(1)
  expect(isAlive(pids[0])).toBe(true)
  parent.kill('SIGKILL')
  await untilGone(pids[0])
})
