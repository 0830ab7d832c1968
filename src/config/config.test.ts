import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  assertRoles,
  ConfigError,
  loadConfig,
  parseQueues,
  parseRoles,
  withQueues,
  withRoles,
} from '#config/config.ts'
import type { Env } from '#config/env.ts'
import { findVapidPublicKey, newVapidKeys } from '#lib/vapid-keys.ts'

function problemsOf(env: Env): readonly string[] {
  try {
    loadConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('defaults', () => {
  const config = loadConfig({})

  test('an empty environment is a whole server on localhost', () => {
    expect(config).toMatchObject({
      port: 3000,
      bind: '127.0.0.1',
      localDomain: 'localhost:3000',
      webDomain: 'localhost:3000',
      alternateDomains: [],
      https: false,
      baseUrl: 'http://localhost:3000',
      streamingBaseUrl: 'ws://localhost:3000',
      streamingRedirect: null,
      databaseUrl: null,
      redis: null,
      s3: null,
      smtp: null,
      translation: null,
      vapid: null,
      secretKeyBase: null,
      allowedPrivateAddresses: [],
      authorizedFetch: false,
      timelinePreview: true,
      rateLimits: true,
      compression: 'direct',
      logLevel: 'info',
      roles: ['web', 'worker', 'streaming'],
    })
    expect(config.dataDir).toBe(path.resolve(import.meta.dirname, '../../data'))
  })

  test("limits are Mastodon's", () => {
    expect(config.limits).toMatchObject({
      statusCharacters: 500,
      pollOptions: 4,
      pollOptionCharacters: 50,
      mediaAttachments: 4,
      imageBytes: 16_777_216,
      imagePixels: 33_177_600,
      videoBytes: 103_809_024,
      videoPixels: 8_294_400,
      profileFields: 4,
      displayNameCharacters: 30,
    })
  })

  test('it is frozen to the leaves', () => {
    expect(Object.isFrozen(config)).toBe(true)
    expect(Object.isFrozen(config.limits)).toBe(true)
    expect(Object.isFrozen(config.trustedProxies[0]?.bytes)).toBe(true)
  })

  test('blank counts as unset, unknown names are ignored', () => {
    expect(loadConfig({ PORT: ' ', DATABASE_URL: '', NO_SUCH_THING: 'x' })).toEqual(config)
  })
})

describe('domains', () => {
  test.each([
    [{ LOCAL_DOMAIN: 'Example.ORG' }, 'example.org', 'https://example.org'],
    [
      { LOCAL_DOMAIN: 'example.org', WEB_DOMAIN: 'social.example.org' },
      'example.org',
      'https://social.example.org',
    ],
    [{ LOCAL_DOMAIN: 'bücher.example' }, 'xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
    [{ LOCAL_DOMAIN: 'example.org:443' }, 'example.org', 'https://example.org'],
    [{ LOCAL_DOMAIN: 'example.org:80' }, 'example.org:80', 'https://example.org:80'],
    [{ LOCAL_DOMAIN: 'example.org:80', LOCAL_HTTPS: 'false' }, 'example.org', 'http://example.org'],
    [{ LOCAL_DOMAIN: '127.0.0.2:4001' }, '127.0.0.2:4001', 'http://127.0.0.2:4001'],
    [{ LOCAL_DOMAIN: '127.0.0.2' }, '127.0.0.2', 'http://127.0.0.2'],
    [{ LOCAL_DOMAIN: '[::1]:4001' }, '[::1]:4001', 'http://[::1]:4001'],
    [{ LOCAL_DOMAIN: 'localhost' }, 'localhost', 'http://localhost'],
    [{ LOCAL_DOMAIN: 'localhost', LOCAL_HTTPS: 'true' }, 'localhost', 'https://localhost'],
    [{ PORT: '4002' }, 'localhost:4002', 'http://localhost:4002'],
  ])('%j', (env, localDomain, baseUrl) => {
    expect(loadConfig(env)).toMatchObject({ localDomain, baseUrl })
  })

  test.each([
    'https://example.org',
    'example.org/',
    'a b',
    'me@example.org',
    'example.org:99999',
    '-x.org',
    'a..b',
  ])('LOCAL_DOMAIN=%s is refused', (LOCAL_DOMAIN) => {
    const [problem, ...others] = problemsOf({ LOCAL_DOMAIN })
    expect(problem).toContain(`LOCAL_DOMAIN is ${JSON.stringify(LOCAL_DOMAIN)}; allowed is`)
    expect(others).toEqual([])
  })

  test('streaming elsewhere is redirected to, on the main host not', () => {
    const otherHost = { LOCAL_DOMAIN: 'example.org', STREAMING_API_BASE_URL: 'wss://streaming.example.org/' }
    expect(loadConfig(otherHost)).toMatchObject({
      streamingBaseUrl: 'wss://streaming.example.org',
      streamingRedirect: 'https://streaming.example.org',
    })
    const here = { LOCAL_DOMAIN: 'example.org', STREAMING_API_BASE_URL: 'wss://example.org' }
    expect(loadConfig(here)).toMatchObject({
      streamingBaseUrl: 'wss://example.org',
      streamingRedirect: null,
    })
    expect(loadConfig({ STREAMING_API_BASE_URL: 'http://127.0.0.1:4000' })).toMatchObject({
      streamingBaseUrl: 'ws://127.0.0.1:4000',
      streamingRedirect: 'http://127.0.0.1:4000',
    })
  })
})

describe('services', () => {
  test('S3', () => {
    const env = {
      S3_ENABLED: 'true',
      S3_BUCKET: 'media',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'hush',
    }
    expect(loadConfig(env).s3).toEqual({
      bucket: 'media',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      region: 'us-east-1',
      accessKeyId: 'key',
      secretAccessKey: 'hush',
      pathStyle: false,
      acl: 'public-read',
      keyPrefix: '',
      aliasUrl: null,
    })
    const own = { ...env, S3_ENDPOINT: 'http://127.0.0.1:9000/', S3_ALIAS_HOST: 'files.example.org/media/' }
    expect(loadConfig({ ...own, S3_KEY_PREFIX: '/a/', S3_PERMISSION: 'none' }).s3).toMatchObject({
      endpoint: 'http://127.0.0.1:9000',
      pathStyle: true,
      acl: null,
      keyPrefix: 'a/',
      aliasUrl: 'https://files.example.org/media',
    })
    expect(loadConfig({ ...env, S3_ENABLED: 'false' }).s3).toBeNull()
    expect(problemsOf({ S3_ENABLED: 'true' })).toHaveLength(3)
  })

  test('SMTP', () => {
    const env = { SMTP_SERVER: 'mail.example.org', LOCAL_DOMAIN: 'example.org:8443' }
    expect(loadConfig(env).smtp).toEqual({
      host: 'mail.example.org',
      port: 587,
      implicitTls: false,
      starttls: 'auto',
      verifyCertificate: true,
      caFile: null,
      auth: null,
      domain: 'example.org',
      from: 'notifications@example.org',
      replyTo: null,
      returnPath: null,
    })
    const more = {
      SMTP_SSL: 'true',
      SMTP_LOGIN: 'me',
      SMTP_PASSWORD: 'hush',
      SMTP_AUTH_METHOD: 'LOGIN',
      SMTP_OPENSSL_VERIFY_MODE: 'none',
      SMTP_ENABLE_STARTTLS_AUTO: 'false',
      SMTP_FROM_ADDRESS: 'Example <no-reply@example.org>',
    }
    expect(loadConfig({ ...env, ...more }).smtp).toMatchObject({
      port: 465,
      implicitTls: true,
      starttls: 'never',
      verifyCertificate: false,
      auth: { method: 'login', login: 'me', password: 'hush' },
      from: 'Example <no-reply@example.org>',
    })
    expect(loadConfig({ ...env, ...more, SMTP_AUTH_METHOD: 'none' }).smtp?.auth).toBeNull()
    expect(problemsOf({ ...env, SMTP_LOGIN: 'me' })).toEqual([
      'SMTP_PASSWORD is not set; SMTP_LOGIN needs it',
    ])
    expect(problemsOf({ ...env, SMTP_FROM_ADDRESS: 'no-reply' })[0]).toContain(
      'SMTP_FROM_ADDRESS is "no-reply"',
    )
  })

  test('translation', () => {
    const libre = { LIBRE_TRANSLATE_ENDPOINT: 'http://127.0.0.1:5000/' }
    expect(loadConfig(libre).translation).toEqual({
      service: 'libretranslate',
      endpoint: 'http://127.0.0.1:5000',
      apiKey: null,
    })
    expect(loadConfig({ ...libre, LIBRE_TRANSLATE_API_KEY: 'hush' }).translation?.apiKey).toBe('hush')
    const deepl = { DEEPL_API_KEY: 'hush' }
    expect(loadConfig({ ...deepl, ...libre }).translation).toEqual({
      service: 'deepl',
      endpoint: 'https://api-free.deepl.com',
      apiKey: 'hush',
    })
    expect(loadConfig({ ...deepl, DEEPL_PLAN: 'Pro' }).translation?.endpoint).toBe('https://api.deepl.com')
    expect(loadConfig({ LIBRE_TRANSLATE_API_KEY: 'hush' }).translation).toBeNull()
    expect(problemsOf({ DEEPL_PLAN: 'best', LIBRE_TRANSLATE_ENDPOINT: 'translate.example' })).toEqual([
      'DEEPL_PLAN is "best"; allowed is one of free, pro',
      'LIBRE_TRANSLATE_ENDPOINT is "translate.example"; allowed is a URL that starts with https:// or http://, without a user or password in it',
    ])
  })

  test('a pair of VAPID keys', () => {
    const { publicKey, privateKey } = newVapidKeys()
    const VAPID_PUBLIC_KEY = `${publicKey.replaceAll('-', '+').replaceAll('_', '/')}=`
    const VAPID_PRIVATE_KEY = `${privateKey}=`
    expect(loadConfig({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY }).vapid).toEqual({ publicKey, privateKey })
    expect(problemsOf({ VAPID_PUBLIC_KEY })).toEqual([
      'VAPID_PRIVATE_KEY is not set; VAPID_PUBLIC_KEY needs it',
    ])
    const other = newVapidKeys().privateKey
    expect(problemsOf({ VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY: other })[0]).toMatch(
      /^VAPID_PUBLIC_KEY is .* belongs to/,
    )
  })

  test('a VAPID key without its leading zeros is made whole, and one that was cut is refused', () => {
    const whole = Buffer.alloc(32, 7).fill(0, 0, 2)
    const publicKey = findVapidPublicKey(whole.toString('base64url')) as string
    const load = (key: Buffer) => ({
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: key.toString('base64url'),
    })
    for (const zeros of [0, 1, 2]) {
      expect(loadConfig(load(whole.subarray(zeros))).vapid).toEqual({
        publicKey,
        privateKey: whole.toString('base64url'),
      })
    }
    expect(problemsOf(load(whole.subarray(0, 31)))[0]).toMatch(/^VAPID_PUBLIC_KEY is .* belongs to/)
    expect(problemsOf(load(Buffer.alloc(33, 7)))[0]).toMatch(/^VAPID_PRIVATE_KEY is .*32 bytes/)
    expect(problemsOf(load(Buffer.alloc(32)))[0]).toMatch(/^VAPID_PUBLIC_KEY is .* belongs to/)
  })
})

describe('addresses that are asked later', () => {
  test.each(['LIBRE_TRANSLATE_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'S3_ENDPOINT', 'S3_ALIAS_HOST'])(
    '%s has no user, who would be refused then, and is not shown with one',
    (name) => {
      const s3 = { S3_ENABLED: 'true', S3_BUCKET: 'b', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 's' }
      const problems = problemsOf({ ...s3, [name]: 'https://me:hush@service.example/' })
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(new RegExp(`^${name} is \\(value not shown\\)`))
      expect(loadConfig({ ...s3, [name]: 'https://service.example/' })).toBeTruthy()
    },
  )

  test('a sender is one address', () => {
    const smtp = { SMTP_SERVER: 'mail.example' }
    for (const SMTP_FROM_ADDRESS of [
      'Chat <a%b@example.org>',
      'Chat, Team <a@example.org>',
      'a@x.example,b@x.example',
    ]) {
      expect(problemsOf({ ...smtp, SMTP_FROM_ADDRESS })[0]).toMatch(/^SMTP_FROM_ADDRESS is /)
    }
    const named = '"Chat, Team" <notifications@localhost>'
    expect(loadConfig({ ...smtp, SMTP_FROM_ADDRESS: named }).smtp?.from).toBe(named)
  })
})

describe('problems', () => {
  test('all are reported at once, each with name, value and what is allowed', () => {
    const problems = problemsOf({
      PORT: '70000',
      LOCAL_HTTPS: 'maybe',
      MAX_STATUS_CHARS: '1e3',
      LOG_LEVEL: 'loud',
      TRUSTED_PROXY_IP: '10.0.0.0/8, proxy',
    })
    expect(problems).toEqual([
      'PORT is "70000"; allowed is a whole number from 1 to 65535',
      'LOCAL_HTTPS is "maybe"; allowed is true or false (also on, off, yes, no, 1, 0)',
      'TRUSTED_PROXY_IP is "10.0.0.0/8, proxy"; allowed is a list of addresses or CIDR ranges, such as 10.0.0.0/8,fd00::/8',
      'MAX_STATUS_CHARS is "1e3"; allowed is a whole number from 1 to 100000',
      'LOG_LEVEL is "loud"; allowed is one of debug, info, warn, error, silent',
    ])
    expect(new ConfigError(problems).message.split('\n')).toEqual(problems)
  })

  test('secrets are never shown', () => {
    const message = problemsOf({
      DATABASE_URL: 'mysql://root:hush@db/x',
      REDIS_URL: 'hush',
      SECRET_KEY_BASE: 'hush',
      VAPID_PRIVATE_KEY: 'hush',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://hush:hush@x',
      OTEL_EXPORTER_OTLP_HEADERS: 'hush',
    }).join('\n')
    expect(message).toContain(
      'DATABASE_URL is (value not shown); allowed is a URL that starts with postgres://',
    )
    expect(message).not.toContain('hush')
  })

  test('a value with line breaks stays on one line', () => {
    expect(problemsOf({ BIND: 'a\nPORT is fine' })[0]).not.toContain('\n')
  })
})

describe('switches', () => {
  test('words for true and false', () => {
    expect(
      loadConfig({ RATE_LIMITS: 'off', SINGLE_USER_MODE: 'on', TIMELINE_PREVIEW: 'FALSE' }),
    ).toMatchObject({
      rateLimits: false,
      singleUser: true,
      timelinePreview: false,
    })
  })

  test('limited federation asks everyone for a signature or a token', () => {
    expect(loadConfig({ LIMITED_FEDERATION_MODE: 'true' })).toMatchObject({
      limitedFederation: true,
      authorizedFetch: true,
      disallowUnauthenticatedApi: true,
    })
  })
})

describe('traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/otlp/' }

  test('are off unless there is somewhere to send them to', () => {
    expect(loadConfig({ OTEL_SERVICE_NAME: 'chat' }).tracing).toBeNull()
    expect(loadConfig({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).tracing).toBeNull()
    expect(loadConfig({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }).tracing).toBeNull()
  })

  test("go to the usual path below the endpoint, or to traces' own", () => {
    expect(loadConfig(endpoint).tracing?.url).toBe('http://collector:4318/otlp/v1/traces')
    const own = { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://other/here' }
    expect(loadConfig(own).tracing?.url).toBe('https://other/here')
  })

  test('are named and chosen by the usual variables', () => {
    const env = {
      ...endpoint,
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=chat,team=a%2Cb',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=1,b=2',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'b=3',
    }
    expect(loadConfig(env).tracing).toMatchObject({
      serviceName: 'chat',
      resource: { team: 'a,b' },
      sampler: { name: 'parentbased_traceidratio', ratio: 0.25 },
      headers: { a: '1', b: '3' },
    })
  })

  test('are refused where a variable is wrong', () => {
    const problems = problemsOf({
      ...endpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '2',
      OTEL_RESOURCE_ATTRIBUTES: 'nothing',
    })
    expect(problems.map((line) => line.split(' ')[0])).toEqual([
      'OTEL_RESOURCE_ATTRIBUTES',
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      'OTEL_TRACES_SAMPLER_ARG',
    ])
  })
})

describe('Redis', () => {
  test('by an address, by Sentinel with Mastodon’s names, or as a cluster', () => {
    expect(loadConfig({ REDIS_URL: 'redis://127.0.0.1' }).redis).toEqual({
      kind: 'single',
      url: 'redis://127.0.0.1',
    })
    const sentinel = { REDIS_SENTINELS: 'one,two:5000,[::1]:7', REDIS_PASSWORD: 'secret', REDIS_DB: '2' }
    expect(loadConfig(sentinel).redis).toEqual({
      kind: 'sentinel',
      sentinels: [
        { host: 'one', port: 26_379 },
        { host: 'two', port: 5000 },
        { host: '::1', port: 7 },
      ],
      name: 'mymaster',
      database: 2,
      username: null,
      password: 'secret',
      sentinelLogin: { username: null, password: null },
    })
    expect(loadConfig({ REDIS_CLUSTER_NODES: 'one:1 two' }).redis).toMatchObject({
      nodes: [
        { host: 'one', port: 1 },
        { host: 'two', port: 6379 },
      ],
    })
  })

  test('over TLS where its address or the operator says so', () => {
    const tls = { caFile: '/etc/redis/ca.pem' }
    const own = { REDIS_TLS_CA_FILE: tls.caFile }
    expect(loadConfig({ REDIS_SENTINELS: 'one', REDIS_TLS: 'true', ...own }).redis).toMatchObject({ tls })
    expect(loadConfig({ REDIS_CLUSTER_NODES: 'one', REDIS_TLS: 'true' }).redis).toMatchObject({
      tls: { caFile: null },
    })
    expect(loadConfig({ REDIS_URL: 'rediss://one', ...own }).redis).toMatchObject({ tls })
    expect(loadConfig({ REDIS_URL: 'redis://one', ...own }).redis).not.toHaveProperty('tls')
  })

  test('only one of the three is meant', () => {
    expect(() => loadConfig({ REDIS_URL: 'redis://one', REDIS_SENTINELS: 'two' })).toThrow(
      /^REDIS_SENTINELS is "two"; allowed is nothing beside REDIS_URL/,
    )
    expect(() => loadConfig({ REDIS_CLUSTER_NODES: 'one:x' })).toThrow(/allowed is a list of HOST:PORT$/)
  })
})

describe('roles', () => {
  const outside = { DATABASE_URL: 'postgres://u:p@db/x', REDIS_URL: 'redis://127.0.0.1' }

  test('are parsed in a fixed order', () => {
    expect(parseRoles('streaming, web,web')).toEqual(['web', 'streaming'])
    expect(() => parseRoles('web,sidekiq')).toThrow(/--roles is "web,sidekiq"; allowed is/)
    expect(() => parseRoles('')).toThrow(ConfigError)
  })

  test('queues are for workers, and mean that there are others', () => {
    expect(parseQueues('incoming,events')).toEqual(['events', 'incoming'])
    expect(() => parseQueues('push')).toThrow(/--queues is "push"; allowed is a list of events, jobs,/)
    const some = withQueues(loadConfig({}), ['deliveries'])
    expect(() => assertRoles(some)).toThrow(/^DATABASE_URL is not set; --queues deliveries means several/)
    expect(() => assertRoles(withQueues(loadConfig(outside), ['deliveries']))).not.toThrow()
    const web = withQueues(withRoles(loadConfig(outside), ['web']), ['jobs'])
    expect(() => assertRoles(web)).toThrow('--queues jobs is for workers; --roles web is none')
  })

  test('some roles only need an outside database and Redis', () => {
    const alone = withRoles(loadConfig({}), ['web'])
    expect(() => assertRoles(alone)).toThrow(/^DATABASE_URL is not set;[^\n]+\nREDIS_URL is not set;/)
    const withoutRedis = withRoles(loadConfig({ ...outside, REDIS_URL: '' }), ['worker'])
    expect(() => assertRoles(withoutRedis)).toThrow(/^REDIS_URL is not set/)
    expect(() => assertRoles(withRoles(loadConfig(outside), ['worker']))).not.toThrow()
    expect(() => assertRoles(loadConfig({}))).not.toThrow()
  })
})
