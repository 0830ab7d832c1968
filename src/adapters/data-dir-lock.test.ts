import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startProcess } from '#test/processes/processes.ts'
import { lockDataDir } from './data-dir-lock.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lock-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A process that tries to lock, says `locked` or the error, and stays. */
function startLocker(dataDir: string): {
  child: ChildProcess
  said: Promise<string>
  ended: Promise<unknown>
} {
  const script = `
    const { lockDataDir } = await import(${JSON.stringify(path.join(import.meta.dirname, 'data-dir-lock.ts'))})
    await lockDataDir(${JSON.stringify(dataDir)}).then(() => console.log('locked'), (error) => console.log(error.message))
    setInterval(() => {}, 1000)`
  const child = startProcess(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = new Promise<string>((resolve) => {
    child.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
  })
  return { child, said, ended: new Promise((resolve) => child.once('exit', resolve)) }
}

describe('lockDataDir', () => {
  test('makes the folder, and is free again after release', async () => {
    const dataDir = path.join(folder, 'new', 'data')
    const lock = await lockDataDir(dataDir)
    await expect(lockDataDir(dataDir)).rejects.toThrow(
      `Another Stonechat (pid ${process.pid}) already uses DATA_DIR ${dataDir}`,
    )
    await lock.release()
    await lock.release()
    await (await lockDataDir(dataDir)).release()
  })

  test('holds against other processes, and ends with kill -9', async () => {
    const dataDir = path.join(folder, 'killed')
    const other = startLocker(dataDir)
    expect(await other.said).toBe('locked')
    await expect(lockDataDir(dataDir)).rejects.toThrow(`(pid ${other.child.pid})`)
    other.child.kill('SIGKILL')
    await other.ended
    await (await lockDataDir(dataDir)).release()
  })

  test('has one winner among simultaneous starts', async () => {
    const dataDir = path.join(folder, 'race')
    const others = [1, 2, 3, 4].map(() => startLocker(dataDir))
    const said = await Promise.all(others.map((other) => other.said))
    expect(said.filter((text) => text === 'locked')).toHaveLength(1)
    expect(said.filter((text) => text.startsWith('Another Stonechat'))).toHaveLength(3)
    for (const other of others) other.child.kill('SIGKILL')
    await Promise.all(others.map((other) => other.ended))
  })

  test('says so when the folder cannot be made', async () => {
    await expect(lockDataDir('/dev/null/data')).rejects.toThrow(/^DATA_DIR \/dev\/null\/data cannot be made/)
  })
})
