// Numbers for the operator, and the answer for balancers.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import pg from 'pg'
import { describe, expect, inject, test, vi } from 'vitest'
import { createContext } from '#app/context.ts'
import { closeHttpServer } from '#app/http-server.ts'
import { startMetricsServer } from '#app/metrics-server.ts'
import { loadConfig } from '#config/config.ts'
import { createMetrics } from '#http/metrics.ts'
import { createWebApp } from '#http/server-app.ts'
import { freePort } from '#test/processes/free-port.ts'
import { connections, startApp, useApp } from '#test/app/app.ts'
import { createTestClock } from '#test/app/clock.ts'
import { admin, copyDatabase } from '#test/run/temporary-cluster.ts'
import { recordingLog } from '#test/app/log.ts'

const token = 'a-long-random-text'
const bearer = { authorization: `Bearer ${token}` }
const app = useApp({ env: { PROMETHEUS_ENABLED: 'true', METRICS_TOKEN: token } })

async function scrape(): Promise<string> {
  const response = await app.fetch('/metrics', { headers: bearer })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('version=0.0.4')
  return response.text()
}

/** The value of one sample. */
function valueOf(text: string, sample: string): number | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

describe('/metrics', () => {
  test('is unknown unless it was turned on', async () => {
    const plain = await startApp()
    try {
      expect((await plain.fetch('/metrics')).status).toBe(404)
    } finally {
      await plain.close()
    }
  })

  test('on the common port is for the bearer of the token alone, and unknown without one', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer' },
      { authorization: `Bearer ${token}x` },
      { authorization: token },
      { cookie: token },
    ] as Record<string, string>[]) {
      const response = await app.fetch(`/metrics?access_token=${token}`, { headers })
      expect([response.status, await response.text()]).toEqual([401, expect.not.stringContaining('process_')])
    }
    const tokenless = await startApp({ env: { PROMETHEUS_ENABLED: 'true' } })
    try {
      const headers = { authorization: 'Bearer ' }
      expect((await tokenless.fetch('/metrics', { headers })).status).toBe(404)
    } finally {
      await tokenless.close()
    }
  })

  test('has a port of its own in every process, the next free one', async () => {
    const metrics = createMetrics(app.ctx)!
    const port = await freePort()
    const log = recordingLog()
    const place = { bind: '127.0.0.1', port, token: null }
    const servers = [
      await startMetricsServer(metrics, place, log),
      await startMetricsServer(metrics, place, log),
    ]
    const ports = log.lines.map(({ fields }) => Number(fields['port']))
    expect(new Set(ports).size).toBe(2)
    for (const one of ports) {
      const response = await fetch(`http://127.0.0.1:${one}/metrics`)
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining('process_cpu_seconds_total'),
      ])
      expect((await fetch(`http://127.0.0.1:${one}/api/v1/instance`)).status).toBe(404)
    }
    await Promise.all(servers.map((server) => closeHttpServer(server, { requests: 0 })))
  })

  test('every line is a comment or a sample, and every sample has a type', async () => {
    const text = await scrape()
    const families = new Set(
      [...text.matchAll(/^# TYPE (\w+) (?:counter|gauge|histogram)$/gm)].map((m) => m[1]),
    )
    for (const line of text.trimEnd().split('\n')) {
      if (line.startsWith('# ')) continue
      const match = /^([a-z_]+)(\{[^}]*\})? (\d+(\.\d+)?(e-?\d+)?)$/.exec(line)
      const name = match?.[1] ?? ''
      const isKnown = families.has(name) || families.has(name.replace(/_(bucket|sum|count)$/, ''))
      expect([line, isKnown]).toEqual([line, true])
    }
  })

  test('counts requests by route, not by path', async () => {
    await app.fetch('/api/v1/statuses/987654321012345')
    await app.fetch('/api/v1/statuses/987654321054321')
    await app.fetch('/nobody/asked/for/this')
    await app.fetch('/api/v1/instance', { method: 'BREW' })
    const text = await scrape()
    const labels = 'method="GET",route="/api/v1/statuses/:id"'
    expect(valueOf(text, `http_requests_total{${labels},status="404"}`)).toBe(2)
    expect(valueOf(text, `http_request_duration_seconds_count{${labels}}`)).toBe(2)
    expect(valueOf(text, `http_request_duration_seconds_bucket{${labels},le="+Inf"}`)).toBe(2)
    expect(valueOf(text, 'http_requests_total{method="GET",route="none",status="404"}')).toBe(1)
    expect(text).toContain('method="OTHER"')
    expect(text).not.toMatch(/987654321|nobody|BREW/)
  })

  test('tells of effects, what other servers sent, streams, caches, people and size', async () => {
    const alice = await app.person('alice')
    const post = await alice.say('measured')
    await app.settle()
    for (const _ of [1, 2]) await app.fetch(`/api/v1/statuses/${post.id}`)
    // People are counted anew.
    app.clock.advance(6_000)
    const text = await scrape()
    expect(text).toMatch(/stonechat_effect_duration_seconds_count\{effect="[\w-]+",outcome="done"\} \d/)
    expect(valueOf(text, 'stonechat_cache_lookups_total{cache="statuses",result="hit"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'stonechat_users{state="confirmed"}')).toBeGreaterThan(0)
    expect(valueOf(text, 'stonechat_database_size_bytes')).toBeGreaterThan(1e6)
    expect(valueOf(text, 'stonechat_media_bytes{kind="local"}')).toBe(0)
    expect(valueOf(text, 'stonechat_queue_oldest_seconds{queue="deliveries"}')).toBe(0)
  })

  test('tells of the outbox, the jobs, the pool and the process', async () => {
    const alice = await app.person('alice')
    await app.settle()
    await alice.say('counted')
    const before = await scrape()
    expect(valueOf(before, 'stonechat_outbox_events{state="waiting"}')).toBe(1)
    expect(valueOf(before, 'stonechat_outbox_events{state="failed"}')).toBe(0)
    await app.settle()
    const after = await scrape()
    expect(valueOf(after, 'stonechat_outbox_events{state="waiting"}')).toBe(0)
    expect(valueOf(after, 'stonechat_jobs{state="failed"}')).toBe(0)
    expect(valueOf(after, 'stonechat_database_up')).toBe(1)
    expect(valueOf(after, 'stonechat_database_connections_max')).toBe(connections)
    expect(valueOf(after, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
    expect(valueOf(after, 'process_cpu_seconds_total{mode="user"}')).toBeGreaterThan(0)
  })
})

describe('/health', () => {
  test('is 200 OK when ready', async () => {
    const response = await app.fetch('/health')
    expect([response.status, await response.text()]).toEqual([200, 'OK'])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('while the database is away all answer 503 quickly, and it works again without a restart [ROB-2]', async () => {
    const server = await appBehindSwitch()
    try {
      const ask = async (path: string) => (await server.fetch(path)).status
      const asked = ['/health', '/api/v1/timelines/public', '/about']
      expect(await Promise.all(asked.map(ask))).toEqual([200, 200, 200])
      server.cut()
      // Nobody waits for anything to take too long.
      vi.useFakeTimers({ toFake: ['setTimeout'] })
      // The settings that `/about` shows are kept for a second; the rules are not.
      expect(await Promise.all(asked.map(ask))).toEqual([503, 503, 503])
      expect((await server.fetch('/health')).headers.get('retry-after')).toBe('30')
      vi.useRealTimers()
      const metrics = await (await server.fetch('/metrics', { headers: bearer })).text()
      expect(valueOf(metrics, 'stonechat_database_up')).toBe(0)
      await server.mend()
      expect(await Promise.all(asked.map(ask))).toEqual([200, 200, 200])
    } finally {
      vi.useRealTimers()
      await server.close()
    }
  })
})

/** A server whose connections to the database go through a relay that can be cut. */
async function appBehindSwitch() {
  const clusterUrl = inject('clusterUrl')
  const database = `${inject('databases')}_relay_${process.pid}`
  await copyDatabase(clusterUrl, inject('templateDatabase'), database)
  const { host, port: realPort, user, password } = new pg.Client({ connectionString: clusterUrl })
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${realPort}` } : { host, port: realPort }
  const open = new Set<Socket>()
  const relay = createServer((socket) => {
    const onward = connect(target)
    for (const end of [socket, onward]) {
      open.add(end)
      end.on('error', () => {})
    }
    pipeline(socket, onward, socket, () => {})
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      relay.listen(port, '127.0.0.1', resolve)
    })
  await listen(0)
  const { port } = relay.address() as AddressInfo
  const login = password ? `${user}:${encodeURIComponent(String(password))}` : user
  const databaseUrl = `postgres://${login}@127.0.0.1:${port}/${database}`
  const config = loadConfig({
    LOCAL_DOMAIN: 'chat.example',
    PROMETHEUS_ENABLED: 'true',
    METRICS_TOKEN: token,
    LOG_LEVEL: 'silent',
  })
  const parts = { clock: createTestClock(), log: recordingLog() }
  const context = await createContext({ config, databaseUrl, connections: 3, sharedFor: 0, ...parts })
  const web = createWebApp(context.ctx)
  return {
    fetch: async (path: string, init?: RequestInit) =>
      web.fetch(new Request(new URL(path, config.baseUrl), init)),
    cut() {
      relay.close()
      for (const end of open) end.destroy()
      open.clear()
    },
    mend: () => listen(port),
    async close() {
      await context.close()
      relay.close()
      await admin(clusterUrl, `drop database ${database} with (force)`)
    },
  }
}
