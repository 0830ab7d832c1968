// What OpenTelemetry is told of the way of a post, from the request to the inbox of another server.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { startApp, type TestApp } from '#test/app/app.ts'
import { startCollector, type CollectedSpan, type Collector } from '#test/servers/collector.ts'
import { useNetwork } from '#test/servers/network.ts'
import { runProcess } from '#test/processes/processes.ts'

const network = useNetwork()
let collector: Collector

beforeAll(async () => {
  collector = await startCollector()
})
afterAll(() => collector.close())

const ofTrace = (id: string) => collector.spans.filter(({ traceId }) => traceId === id)

/** The names on the way from the root of its trace to a span. */
function wayTo(span: CollectedSpan): string[] {
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId)
  return [...(parent ? wayTo(parent) : []), span.name]
}

async function setUp() {
  const app = await network.server('first', { env: collector.env })
  const peer = await network.peer()
  const alice = await app.person('alice')
  const bob = await peer.actor('bob')
  await bob.follow(app.uriOf(alice))
  await app.settle()
  peer.inbox.clear()
  return { app, peer, alice }
}

const traceId = '0af7651916cd43dd8448eb211c80319c'
const traceparent = `00-${traceId}-b7ad6b7169203331-01`

describe('a post', () => {
  test('is one trace, from the request to the inbox of another server', async () => {
    const { app, peer, alice } = await setUp()
    const secret = 'a word that nobody is to see'
    const posted = await app.fetch('/api/v1/statuses', {
      method: 'POST',
      headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/json', traceparent },
      body: JSON.stringify({ status: secret }),
    })
    expect(posted.status).toBe(200)
    await app.settle()
    expect(peer.inbox).toHaveLength(1)
    const delivered = () => ofTrace(traceId).find(({ name }) => name === 'delivery')
    await expect.poll(delivered).toBeDefined()
    const spans = ofTrace(traceId)

    const request = spans.find(({ kind }) => kind === 2)
    expect(request).toMatchObject({
      name: 'POST /api/v1/statuses',
      parentSpanId: 'b7ad6b7169203331',
      failed: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/statuses',
        'http.response.status_code': 200,
        'stonechat.request_id': posted.headers.get('x-request-id'),
      },
      resource: { 'service.name': 'stonechat', 'stonechat.roles': 'web,worker,streaming' },
    })
    const statement = spans.find(({ attributes }) =>
      /insert into outbox/.test(`${attributes['db.query.text']}`),
    )
    expect(statement).toMatchObject({ name: 'insert', parentSpanId: request?.spanId, kind: 3 })
    expect(statement?.attributes['db.query.text']).toMatch(/\$1/)

    const sent = spans.find((span) => span.attributes['server.address'] === peer.domain.split(':')[0])
    expect(sent).toMatchObject({ name: 'POST', kind: 3, attributes: { 'http.response.status_code': 202 } })
    expect(wayTo(sent as CollectedSpan)).toEqual([
      'POST /api/v1/statuses',
      'event status.created',
      'effect deliver-status',
      'delivery',
      'POST',
    ])
    expect(JSON.stringify(collector.spans)).not.toContain(secret)
    // What happens here is not the business of other servers.
    expect(peer.inbox[0]?.headers).not.toHaveProperty('traceparent')
    const line = app.logLines.find(({ fields }) => fields['requestId'] === posted.headers.get('x-request-id'))
    expect(line?.fields['trace']).toBe(traceId)
  })

  test('has the jobs that follow from it in its trace', async () => {
    const { app, peer, alice } = await setUp()
    await alice.say(`read http://${peer.domain}/article`)
    await app.settle()
    const ways = () => collector.spans.map((span) => wayTo(span).join(' > '))
    const way = [
      'POST /api/v1/statuses',
      'event status.created',
      'effect request-link-card',
      'job fetch-card',
      'GET',
    ]
    await expect.poll(ways).toContain(way.join(' > '))
  })

  test('has the notification of a favourite in its trace', async () => {
    const { app, alice } = await setUp()
    const { id } = await alice.say('like this')
    const carol = await app.person('carol')
    ;(await carol.post(`/api/v1/statuses/${id}/favourite`)).ok()
    await app.settle()
    const ways = () => collector.spans.map((span) => wayTo(span).join(' > '))
    const effect = 'POST /api/v1/statuses/:id/favourite > event favourite.created > effect notify-favourite'
    await expect.poll(ways).toContain(`${effect} > event notification.created`)
  })

  test('of another server is one trace with what is done about it', async () => {
    const { app, peer, alice } = await setUp()
    const bob = await peer.actor('writer')
    await bob.follow(app.uriOf(alice))
    await app.settle()
    const ways = () => collector.spans.map((span) => wayTo(span).slice(0, 3).join(' > '))
    await expect
      .poll(ways)
      .toContainEqual(expect.stringMatching(/^POST \/\S+ > incoming activity > event follow/))
  })
})

describe('what is recorded', () => {
  test('is no query string, no path, and no probe', async () => {
    const { app, alice } = await setUp()
    await app.fetch('/health')
    await alice.get('/api/v2/search?q=embarrassing')
    await app.fetch(`/@${alice.username}`)
    await app.fetch('/no/such/path')
    await expect
      .poll(() => collector.spans.map(({ name }) => name))
      .toEqual(expect.arrayContaining(['GET /api/v2/search', 'GET']))
    const told = JSON.stringify(collector.spans)
    for (const word of ['embarrassing', 'no/such/path', 'GET /health', alice.token])
      expect(told).not.toContain(word)
  })

  test('is the failure of a statement and a request, by kind alone', async () => {
    const { app } = await setUp()
    const failing = app.ctx.trace.span({ name: 'failing' }, () =>
      sql`select 1 / ${0}::int as ratio`.execute(app.ctx.db),
    )
    await expect(failing).rejects.toThrow('division by zero')
    const failed = () =>
      collector.spans.filter((span) => span.failed).map((span) => span.attributes['error.type'])
    await expect.poll(failed).toEqual(expect.arrayContaining(['22012', '22012']))
    expect(JSON.stringify(collector.spans)).not.toContain('division by zero')
  })

  test('is nothing of statements and requests that belong to no work', async () => {
    const { app } = await setUp()
    await sql`select 'a loose end'`.execute(app.ctx.db)
    await app.ctx.trace.span({ name: 'afterwards' }, async () => {})
    await expect.poll(() => collector.spans.map(({ name }) => name)).toContain('afterwards')
    expect(JSON.stringify(collector.spans)).not.toContain('a loose end')
  })
})

describe('a traceparent', () => {
  test('that cannot be read begins a new trace', async () => {
    const { app } = await setUp()
    for (const bad of [
      'rubbish',
      `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
      `ff-${traceId}-b7ad6b7169203331-01`,
    ])
      await app.fetch('/api/v1/instance/rules', { headers: { traceparent: bad } })
    const found = () => collector.spans.filter(({ name }) => name === 'GET /api/v1/instance/rules')
    await expect.poll(() => found().length).toBe(3)
    expect(new Set(found().map((span) => span.traceId)).size).toBe(3)
    expect(found().map((span) => span.parentSpanId)).toEqual([null, null, null])
  })

  test('that is not sampled is passed on and not recorded', async () => {
    const { app } = await setUp()
    const unsampled = '1af7651916cd43dd8448eb211c80319c'
    await app.fetch('/api/v1/instance/rules', {
      headers: { traceparent: `00-${unsampled}-b7ad6b7169203331-00` },
    })
    await app.fetch('/api/v1/instance/domain_blocks')
    await expect
      .poll(() => collector.spans.map(({ name }) => name))
      .toContain('GET /api/v1/instance/domain_blocks')
    expect(ofTrace(unsampled)).toEqual([])
    expect(app.logLines.some(({ fields }) => fields['trace'] === unsampled)).toBe(true)
  })
})

describe('without an endpoint', () => {
  test('nothing is kept with what waits', async () => {
    const app = await network.server('untraced')
    const alice = await app.person('alice')
    await alice.say('hello')
    const { rows } = await sql`select 1 from outbox where traceparent is not null`.execute(app.ctx.db)
    expect(rows).toEqual([])
    expect(app.ctx.trace.on).toBe(false)
  })

  test('none of the packages is loaded', async () => {
    const load = `
      await import('#app/serve.ts')
      const { _cache: loaded } = (await import('node:module')).default
      console.log(Object.keys(loaded).filter((name) => name.includes('@opentelemetry')).length, Object.keys(loaded).length)`
    const { stdout } = await runProcess([process.execPath, '--input-type=module', '-e', load])
    expect(stdout).toMatch(/^0 [1-9]/)
  })
})

describe('the collector', () => {
  /** Returns what it got until the app had stopped. */
  async function withCollector(
    env: Record<string, string>,
    work: (app: TestApp, own: Collector) => Promise<void>,
  ): Promise<Collector> {
    const own = await startCollector()
    const app = await startApp({ env: { ...own.env, ...env } })
    try {
      await work(app, own)
    } finally {
      await app.close()
      await own.close()
    }
    return own
  }

  test('gets bytes, compressed, with headers, as the operator wants it', async () => {
    await withCollector(
      {
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
        OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20abc,x-scope=a',
        OTEL_SERVICE_NAME: 'chat',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=trial,service.name=other',
      },
      async (app, own) => {
        await app.fetch('/api/v1/instance/rules')
        const text = () => own.requests.map(({ body }) => body.toString('latin1')).join()
        await expect.poll(text).toContain('/api/v1/instance/rules')
        expect(own.requests[0]).toMatchObject({
          path: '/v1/traces',
          headers: {
            'content-type': 'application/x-protobuf',
            authorization: 'Basic abc',
            'x-scope': 'a',
          },
        })
        for (const word of ['chat', 'deployment.environment.name', 'trial']) expect(text()).toContain(word)
        expect(text()).not.toContain('other')
      },
    )
  })

  test('gets what the sampler lets through, and what is left when the server stops', async () => {
    const env = { OTEL_BSP_SCHEDULE_DELAY: '600000' }
    const ask = async (app: TestApp) => void (await app.fetch('/api/v1/instance/rules'))
    const all = await withCollector({ ...env }, ask)
    expect(all.spans.map(({ name }) => name)).toContain('GET /api/v1/instance/rules')
    const none = await withCollector({ ...env, OTEL_TRACES_SAMPLER: 'always_off' }, ask)
    expect(none.requests).toEqual([])
  })

  test('that refuses or is away costs a line in the log now and then, and nobody waits for it', async () => {
    await withCollector({}, async (app, own) => {
      own.status = 503
      const lines = () => app.logLines.filter(({ message }) => message.startsWith('spans could not be sent'))
      await app.fetch('/api/v1/instance/rules')
      await expect.poll(() => lines().length).toBe(1)
      expect(lines()[0]).toMatchObject({
        level: 'warn',
        fields: { collector: expect.stringMatching(/^127\.0\.0\.1:/), error: 'it answers 503' },
      })
      await app.fetch('/api/v1/instance/rules')
      // It is asked again some time later, and gets what happens then.
      own.status = 200
      const recorded = async () => {
        await app.fetch('/api/v1/instance/rules')
        return own.spans.length
      }
      await expect.poll(recorded).toBeGreaterThan(0)
      own.status = 'hang'
      const answers = await Promise.all(Array.from({ length: 20 }, () => app.fetch('/api/v1/instance/rules')))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(lines()).toHaveLength(1)
    })
  })
})
