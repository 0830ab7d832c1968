// What a service manager gets and gives: signs of readiness and life, and a socket that outlives the process.
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { often } from '#test/run/patience.ts'
import { freePort } from '#test/processes/free-port.ts'
import { createServiceManager, type ServiceManager } from '#test/processes/service-manager.ts'
import { launcher, runToEnd } from '#test/processes/server-process.ts'
import { isNight } from '#test/run/night.ts'

describe('a server under a service manager', () => {
  let folder: string
  let manager: ServiceManager
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'stonechat-service-'))
    manager = await createServiceManager(folder)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  function start({ port, socket = port, times = 1 }: { port: number; socket?: number; times?: number }) {
    const env = { DATA_DIR: path.join(folder, 'data'), PORT: String(port), WATCHDOG_USEC: '300000' }
    const running = manager.run(['serve'], { ports: [socket], env, times })
    running.stdout?.resume()
    return running
  }

  test('connections wait while it starts and while it is restarted, and none is refused', async () => {
    const port = await freePort()
    const running = start({ port, times: 2 })
    const ended = once(running, 'exit')
    const url = `http://127.0.0.1:${port}/health`
    await expect.poll(() => manager.toldTimes('READY=1'), often).toBe(1)
    await expect.poll(() => manager.toldTimes('WATCHDOG=1'), often).toBeGreaterThan(1)
    const pid = Number(await readFile(path.join(folder, 'data', 'stonechat.pid'), 'utf8'))
    process.kill(pid, 'SIGTERM')
    await expect.poll(() => manager.toldTimes('STOPPING=1'), often).toBe(1)
    const answers: string[] = []
    while ((await manager.toldTimes('READY=1')) < 2) answers.push(await (await fetch(url)).text())
    expect(new Set(answers)).toEqual(new Set(['OK']))
    const next = Number(await readFile(path.join(folder, 'data', 'stonechat.pid'), 'utf8'))
    expect(next).not.toBe(pid)
    process.kill(next, 'SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test.runIf(isNight)('a socket of another port than its own is refused in one line', async () => {
    const [port, socket] = [await freePort(), await freePort()]
    const running = start({ port, socket })
    expect(await text(running.stderr!)).toBe(
      `systemd listens on port ${socket} for this process, which is to serve ${port}: change PORT, or ListenStream in the socket unit\n`,
    )
  })

  test.runIf(isNight)('what was handed to another process is not taken', async () => {
    const env = {
      LISTEN_FDS: '1',
      LISTEN_PID: '1',
      DATA_DIR: path.join(folder, 'none'),
      BIND: 'nowhere.invalid',
    }
    const ended = await runToEnd([launcher, 'serve'], { env })
    expect(ended.stderr).toMatch(/^BIND is nowhere.invalid, a name that leads to no address/)
  })
})
