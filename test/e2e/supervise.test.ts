// Several processes under a service manager that keeps their sockets, without a proxy that would ask again: nightly,
// since all of them start three times.
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isNight } from '#test/run/night.ts'
import { freshDatabase } from '#test/app/databases.ts'
import type { Json } from '#test/client/client.ts'
import { freePort } from '#test/processes/free-port.ts'
import { createServiceManager } from '#test/processes/service-manager.ts'
import { startProcess } from '#test/processes/processes.ts'
import { cleanEnv, launcher, projectRoot, runToEnd } from '#test/processes/server-process.ts'
import { often, patience } from '#test/run/patience.ts'
import { redisMissing, startRedis } from '#test/servers/redis-server.ts'

const isSkipped = redisMissing !== null || !isNight

/** Between two requests to one port, in milliseconds. */
const pace = 25

/** Status of an answer over a connection of its own, or why there is none. */
const askOnce = (port: number, host: string): Promise<number | string> =>
  new Promise((resolve) => {
    http
      .get({ host: '127.0.0.1', port, path: '/health', agent: false, headers: { host } }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
      })
      .once('error', (error) => resolve(error.message))
  })

/** Asks each port again and again until it is told to end, or something else than 200 is answered; resolves with the answers, and how often each came. */
function keepAsking(ports: readonly number[]) {
  const answers = new Map<number | string, number>()
  let going = true
  const all = Promise.all(
    ports.map(async (port) => {
      while (going) {
        const answer = await askOnce(port, `localhost:${ports[0]}`)
        answers.set(answer, (answers.get(answer) ?? 0) + 1)
        if (answer !== 200) return
        // Without a pause these two loops take the processor from the processes that start.
        await sleep(pace)
      }
    }),
  )
  return {
    count: () => answers.get(200) ?? 0,
    async end() {
      going = false
      await all
      return [...answers]
    },
  }
}

async function endSupervisor(dataDir: string): Promise<void> {
  const { pid } = JSON.parse(await readFile(path.join(dataDir, 'supervisor.json'), 'utf8'))
  process.kill(pid, 'SIGTERM')
}

/** The program as `npm ci` built it, in a folder of its own. */
async function copyProgram(): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'stonechat-program-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const parts = ['bin', 'src', 'dist', 'locales', 'client', 'package.json', 'package-lock.json']
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true }
  for (const part of parts) await cp(path.join(projectRoot, part), path.join(root, part), options)
  await symlink(path.join(projectRoot, 'node_modules'), path.join(root, 'node_modules'))
  return root
}

describe.skipIf(isSkipped)('supervise under a service manager', { timeout: 10 * patience }, () => {
  test('refuses no connection while its processes are replaced, nor while it is started again itself', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-supervise-'))
    const redis = await startRedis()
    onTestFinished(() => redis.remove())
    const database = await freshDatabase()
    onTestFinished(() => database.drop())
    const manager = await createServiceManager(folder)
    const web = await freePort()
    const streaming = await freePort()
    const env = {
      DATA_DIR: path.join(folder, 'data'),
      PORT: String(web),
      DATABASE_URL: database.url.replace('@/', '@localhost/'),
      REDIS_URL: redis.url,
      SECRET_KEY_BASE: 'supervise '.repeat(8),
    }
    const words = ['supervise', '--web', '1', '--worker', '1', '--streaming-port', String(streaming)]
    const running = manager.run(words, { ports: [web, streaming], env, times: 2 })
    onTestFinished(() => void running.kill('SIGTERM'))
    const ended = once(running, 'exit')
    running.stdout?.resume()
    running.stderr?.resume()

    const ready = () =>
      running.exitCode === null ? manager.toldTimes('READY=1') : Promise.reject(new Error('It has ended'))
    await expect.poll(ready, often).toBe(1)
    const asking = keepAsking([web, streaming])
    const restart = await runToEnd([launcher, 'supervise', 'restart'], { env })
    expect(restart).toMatchObject({ code: 0, stderr: '' })
    await endSupervisor(env.DATA_DIR)
    await expect.poll(ready, often).toBe(2)
    const soFar = asking.count()
    await expect.poll(() => asking.count(), often).toBeGreaterThan(soFar)
    expect(await asking.end()).toEqual([[200, expect.any(Number)]])
    await endSupervisor(env.DATA_DIR)
    expect(await ended).toEqual([0, null])
  })

  test('tells of a process that does not get going at all', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-supervise-'))
    const manager = await createServiceManager(folder)
    const env = {
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      REDIS_URL: 'redis://127.0.0.1:1',
    }
    const words = ['supervise', '--web', '0', '--worker', '1', '--streaming', '0']
    const running = manager.run(words, { ports: [], env })
    onTestFinished(() => void running.kill('SIGTERM'))
    for await (const line of createInterface(running.stdout!)) {
      const said: Json = line.startsWith('{') ? JSON.parse(line) : {}
      if (!`${said.msg}`.startsWith('does not get going')) continue
      expect(said).toMatchObject({ process: 'worker 1', reason: 'exit code 1', failures: 5 })
      break
    }
    const status = 'STATUS=worker 1 does not get going: exit code 1, 5 times in a row'
    await expect.poll(() => manager.toldTimes(status), often).toBe(1)
    const ended = once(running, 'exit')
    running.stdout?.resume()
    running.stderr?.resume()
    await endSupervisor(env.DATA_DIR)
    expect(await ended).toEqual([0, null])
  })

  test('warns where a rolling restart starts the former program, since nothing was built of newer sources', async () => {
    const root = await copyProgram()
    const redis = await startRedis()
    onTestFinished(() => redis.remove())
    const database = await freshDatabase()
    onTestFinished(() => database.drop())
    const env = cleanEnv({
      DATA_DIR: path.join(root, 'data'),
      DATABASE_URL: database.url.replace('@/', '@localhost/'),
      REDIS_URL: redis.url,
      LOCAL_DOMAIN: 'chat.example',
    })
    const words = ['supervise', '--web', '0', '--worker', '1', '--streaming', '0']
    const running = startProcess(path.join(root, 'bin/stonechat'), words, { env, cwd: '/' })
    const ended = once(running, 'exit')
    for await (const line of createInterface(running.stdout!)) if (line.includes('"msg":"ready"')) break
    running.stdout?.resume()
    running.stderr?.resume()
    const restart = () => runToEnd([path.join(root, 'bin/stonechat'), 'supervise', 'restart'], { env })
    expect(await restart()).toMatchObject({ code: 0, stderr: '' })
    await writeFile(path.join(root, 'src/pulled.ts'), '')
    expect(await restart()).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^The sources are newer .* run `npm ci`, then restart once more\n$/),
    })
    running.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})
