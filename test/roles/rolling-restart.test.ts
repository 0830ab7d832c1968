// All processes of a server are replaced behind the proxies of the documents, while people read and write.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '#test/app/databases.ts'
import { often, patience } from '#test/run/patience.ts'
import type { Person } from '#test/people/people.ts'
import {
  checkNginx,
  exampleName,
  exampleOf,
  proxyMissing,
  startProxy,
  writeNginx,
  type RunningProxy,
} from '#test/servers/proxies.ts'
import { redisMissing, startRedis, type RedisServer } from '#test/servers/redis-server.ts'
import { freePort } from '#test/processes/free-port.ts'
import { isAlive } from '#test/processes/server-process.ts'
import { readAllOf, startLoad } from '#test/processes/steady-load.ts'
import { startSeveral, type ProcessName, type SeveralProcesses } from '#test/processes/several-processes.ts'
import { isNight } from '#test/run/night.ts'

const nginxMissing = proxyMissing('nginx')
const missing = redisMissing ?? nginxMissing ?? proxyMissing('caddy')
const named = (title: string, reason: string | null) => `${title}${reason ? ` (${reason})` : ''}`
const places: ProcessName[] = ['web 1', 'web 2', 'worker 1', 'streaming 1']

describe.skipIf(nginxMissing !== null)(named('the examples for nginx', nginxMissing), () => {
  test.each(['README.md', 'docs/operators/operations.md'])(
    'nginx loads the one of %s without a warning',
    async (document) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-nginx-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      const file = await writeNginx(await exampleOf(document, 'map '), folder, { 443: 443 })
      const { status, said } = checkNginx(file)
      // From 1.25.1 on it would have http2 elsewhere, which 1.22 does not know.
      expect(
        said.split('\n').filter((line) => line !== '' && !line.includes('"listen ... http2" directive')),
      ).toEqual([])
      expect(status).toBe(0)
    },
  )
})

describe.skipIf(missing !== null || !isNight)(
  named('a rolling restart', missing),
  { timeout: 5 * patience },
  () => {
    let redis: RedisServer
    let database: Awaited<ReturnType<typeof freshDatabase>>
    let several: SeveralProcesses
    let ports: Record<string, number>
    const proxies: RunningProxy[] = []

    beforeAll(async () => {
      redis = await startRedis()
      database = await freshDatabase()
      several = await startSeveral({
        databaseUrl: database.url,
        redisUrl: redis.url,
        // The requests that may be lost are those of the others.
        workers: 1,
        env: {
          LOCAL_DOMAIN: exampleName,
          PROMETHEUS_ENABLED: 'true',
          METRICS_PORT: String(await freePort()),
        },
      })
      const [first, second] = several.urls.map((url) => Number(new URL(url).port))
      ports = {
        3000: first as number,
        3001: second as number,
        4000: Number(new URL(several.streamingUrl).port),
      }
    })
    afterAll(async () => {
      await Promise.allSettled(proxies.map((proxy) => proxy.stop()))
      await several?.remove()
      await database?.drop()
      await redis?.remove()
    })

    test('each process has numbers on a port of its own', () => {
      const ports = [...several.output().matchAll(/"port":(\d+),"msg":"metrics are served"/g)].map(
        ([, port]) => port,
      )
      expect(ports).toHaveLength(places.length)
      expect(new Set(ports).size).toBe(places.length)
    })

    test('loses no request behind nginx and Caddy, which compress what they pass on', async () => {
      const authors: Person[] = []
      for (const [program, begin] of [
        ['nginx', 'map '],
        ['caddy', exampleName],
      ] as const) {
        const proxy = await startProxy(program, await exampleOf('docs/operators/operations.md', begin), ports)
        proxies.push(proxy)
        const page = await proxy.fetch('/about', { headers: { 'accept-encoding': 'gzip' } })
        expect([program, page.headers.get('content-encoding')]).toEqual([program, 'gzip'])
        authors.push(...(await several.peopleThrough(proxy.fetch, program)))
      }
      const before = places.map((place) => several.pidOf(place))
      const load = startLoad(authors)
      await load.some()
      await several.restart()
      await load.some()
      const { published, odd } = await load.end()

      expect(odd).toEqual([])
      for (const author of authors) {
        const told = [...published].filter(([, username]) => username === author.username).map(([id]) => id)
        expect(told.length).toBeGreaterThan(0)
        expect(await readAllOf(author)).toEqual(told.toReversed())
      }
      const after = places.map((place) => several.pidOf(place))
      expect(after.filter((pid) => before.includes(pid))).toEqual([])
      expect(before.filter(isAlive)).toEqual([])
    })

    test('when the supervisor is killed, its processes end', async () => {
      const pids = places.map((place) => several.pidOf(place))
      several.killSupervisor()
      await expect.poll(() => pids.filter(isAlive), often).toEqual([])
    })
  },
)
