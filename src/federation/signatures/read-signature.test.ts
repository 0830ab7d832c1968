import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readSignature, type ReceivedRequest } from './read-signature.ts'
import { digestOf, signRequest, type SignatureScheme } from './sign-request.ts'

const now = Date.parse('2026-03-01T12:00:00Z')
const minute = 60_000
const hour = 60 * minute
const body = Buffer.from('{"type":"Create"}')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ed25519 = generateKeyPairSync('ed25519')
const keyId = 'https://remote.example/users/bob#main-key'

interface Sent {
  method?: string
  target?: string
  body?: Buffer | null
  headers: Record<string, string>
  rawHeaders?: string[]
}

const received = (sent: Sent): ReceivedRequest => ({
  method: 'POST',
  target: '/inbox',
  host: 'chat.example',
  baseUrl: 'https://chat.example',
  body,
  ...sent,
  headers: new Headers(sent.headers),
})

const read = (sent: Sent, at = now) => readSignature(received(sent), at)

/** What is wrong; fails when nothing is. */
function problemOf(sent: Sent, at = now): string {
  const found = read(sent, at)
  if ('problem' in found) return found.problem
  throw new Error('the signature was read')
}

function isVerified(
  sent: Sent,
  { key = rsa.publicKey, at = now }: { key?: KeyObject; at?: number } = {},
): boolean {
  const found = read(sent, at)
  if ('problem' in found) throw new Error(found.problem)
  return found.verify(key)
}

const headersOf = {
  host: 'chat.example',
  date: new Date(now).toUTCString(),
  digest: `SHA-256=${digestOf(body)}`,
  'content-type': 'application/activity+json',
}

/** A POST as careful servers sign it, but for what is changed. Undefined leaves a header or parameter out. */
function cavage(change: {
  covered?: string
  algorithm?: string | null
  headers?: Record<string, string | undefined>
  parameters?: string
  hash?: string | null
  key?: KeyObject
  lines?: Record<string, string>
}): Sent {
  const { covered = '(request-target) host date digest content-type', algorithm = 'rsa-sha256' } = change
  const all = Object.entries({ ...headersOf, ...change.headers }).filter((entry) => entry[1] !== undefined)
  const headers = Object.fromEntries(all) as Record<string, string>
  const lines: Record<string, string> = { '(request-target)': 'post /inbox', ...headers, ...change.lines }
  const text = covered.split(' ').map((name) => `${name}: ${lines[name]}`)
  const made = sign(
    change.hash === undefined ? 'sha256' : change.hash,
    Buffer.from(text.join('\n')),
    change.key ?? rsa.privateKey,
  )
  const parameters = [
    `keyId="${keyId}"`,
    ...(algorithm === null ? [] : [`algorithm="${algorithm}"`]),
    ...(change.parameters === undefined ? [] : [change.parameters]),
    `headers="${covered}"`,
    `signature="${made.toString('base64')}"`,
  ]
  return { headers: { ...headers, signature: parameters.join(',') } }
}

const seconds = (time: number) => Math.floor(time / 1000)

/** The same by RFC 9421. */
function message(change: {
  components?: string
  parameters?: string
  lines?: Record<string, string>
  headers?: Record<string, string>
  key?: KeyObject
  hash?: string | null
}): Sent {
  const { components = '"@method" "@target-uri" "content-digest"' } = change
  const parameters = change.parameters ?? `created=${seconds(now)};keyid="${keyId}";alg="rsa-v1_5-sha256"`
  const headers: Record<string, string> = {
    host: 'chat.example',
    'content-digest': `sha-256=:${digestOf(body)}:`,
    ...change.headers,
  }
  const lines: Record<string, string> = {
    '@method': 'POST',
    '@target-uri': 'https://chat.example/inbox',
    '@authority': 'chat.example',
    '@scheme': 'https',
    '@path': '/inbox',
    '@query': '?',
    '@request-target': '/inbox',
    ...headers,
    ...change.lines,
  }
  const names = components === '' ? [] : components.split(' ')
  const text = [
    ...names.map((name) => `${name}: ${lines[name.slice(1, -1)]}`),
    `"@signature-params": (${components});${parameters}`,
  ]
  const made = sign(
    change.hash === undefined ? 'sha256' : change.hash,
    Buffer.from(text.join('\n')),
    change.key ?? rsa.privateKey,
  )
  return {
    headers: {
      ...headers,
      'signature-input': `sig1=(${components});${parameters}`,
      signature: `sig1=:${made.toString('base64')}:`,
    },
  }
}

const without = ({ headers, ...sent }: Sent, name: string): Sent => ({
  ...sent,
  headers: Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name)),
})

const withHeader = ({ headers, ...sent }: Sent, name: string, value: string): Sent => ({
  ...sent,
  headers: { ...headers, [name]: value },
})

const inSignature = (sent: Sent, from: string | RegExp, to: string) =>
  withHeader(sent, 'signature', String(sent.headers['signature']).replace(from, to))

describe('A signature of draft-cavage', () => {
  test('is read, and holds for its key alone', () => {
    const found = read(cavage({}))
    expect(found).toMatchObject({ scheme: 'cavage', keyId, algorithm: 'rsa-sha256', created: new Date(now) })
    expect(isVerified(cavage({}))).toBe(true)
    expect(isVerified(cavage({}), { key: otherRsa.publicKey })).toBe(false)
  })

  test('may be spelt with spaces, hs2019, or without algorithm', () => {
    expect(isVerified(inSignature(cavage({}), /",/g, '" , '))).toBe(true)
    expect(isVerified(cavage({ algorithm: 'hs2019' }))).toBe(true)
    expect(isVerified(cavage({ algorithm: null }))).toBe(true)
    expect(isVerified(cavage({ algorithm: 'hs2019', hash: 'sha512' }))).toBe(true)
    expect(isVerified(cavage({ algorithm: 'rsa-sha256', hash: 'sha512' }))).toBe(false)
    expect(
      isVerified(cavage({ algorithm: 'hs2019', hash: null, key: ed25519.privateKey }), {
        key: ed25519.publicKey,
      }),
    ).toBe(true)
  })

  test('may be of (created) in place of the date', () => {
    const covered = '(request-target) host (created) (expires) digest'
    const stated = { '(created)': `${seconds(now)}`, '(expires)': `${seconds(now) + 60}` }
    const parameters = `created=${stated['(created)']},expires="${stated['(expires)']}"`
    const sent = cavage({
      covered,
      parameters,
      algorithm: 'hs2019',
      lines: stated,
      headers: { date: undefined },
    })
    expect(read(sent)).toMatchObject({ created: new Date(now) })
    expect(isVerified(sent)).toBe(true)
    expect(isVerified(inSignature(sent, /created=\d+/, `created=${seconds(now) + 1}`))).toBe(false)
    expect(problemOf(cavage({ covered, parameters, lines: stated }))).toMatch('hs2019 only')
    expect(problemOf(inSignature(sent, /created=\d+/, 'created=1.5'))).toMatch('malformed')
    expect(problemOf(inSignature(sent, /created=\d+/, 'created="soon"'))).toMatch('whole number')
    expect(problemOf(inSignature(sent, /created=\d+,/, ''))).toMatch('whole number')
  })

  test.each([
    ['/inbox?page=1', '/inbox?page=1', true],
    ['/inbox?page=1', '/inbox', false],
    ['/inbox?page=1', '/inbox?page=2', false],
    ['/inbox?page=1', '/inbox?', false],
    ['/inbox', '/inbox?page=1', false],
    ['/inbox?', '/inbox', false],
    ['/inbox?', '/inbox?', true],
    ['/inbox?a=%20b', '/inbox?a=+b', false],
    ['/inbox?a=1&b=2', '/inbox?b=2&a=1', false],
    ['/inbox?page=1', '/inbox?page=1&more', false],
  ])('a request to %s whose signature is over %s verifies: %s [FED-6]', (target, signed, isGood) => {
    expect(isVerified({ ...cavage({ lines: { '(request-target)': `post ${signed}` } }), target })).toBe(
      isGood,
    )
  })

  test('of a GET needs no digest', () => {
    const get = cavage({ covered: '(request-target) host date', lines: { '(request-target)': 'get /inbox' } })
    expect(isVerified({ ...get, method: 'GET', body: null })).toBe(true)
    expect(isVerified({ ...get, method: 'GET', body: Buffer.alloc(0) })).toBe(true)
    expect(problemOf({ ...get, method: 'GET' })).toMatch('does not cover digest')
  })
})

describe('A signature of RFC 9421', () => {
  test('is read, and holds for its key alone', () => {
    const found = read(message({}))
    expect(found).toMatchObject({
      scheme: 'rfc9421',
      keyId,
      algorithm: 'rsa-v1_5-sha256',
      created: new Date(now),
    })
    expect(isVerified(message({}))).toBe(true)
    expect(isVerified(message({}), { key: otherRsa.publicKey })).toBe(false)
  })

  test('may cover more, and say more of itself', () => {
    const all =
      '"@method" "@target-uri" "@authority" "@scheme" "@path" "@query" "@request-target" "host" "content-digest"'
    expect(isVerified(message({ components: all }))).toBe(true)
    const target = '/inbox?a=b%20c'
    const lines = {
      '@target-uri': `https://chat.example${target}`,
      '@query': '?a=b%20c',
      '@request-target': target,
    }
    expect(isVerified({ ...message({ components: all, lines }), target })).toBe(true)
    const parameters = `keyid="${keyId}";created=${seconds(now)};expires=${seconds(now) + 60};nonce="a\\"b";tag="x"`
    expect(isVerified(message({ parameters }))).toBe(true)
    expect(read(message({ parameters }))).toMatchObject({ algorithm: 'of-key', keyId })
  })

  test('may be by Ed25519', () => {
    const parameters = `created=${seconds(now)};keyid="${keyId}"`
    const key = ed25519.privateKey
    expect(isVerified(message({ parameters, key, hash: null }), { key: ed25519.publicKey })).toBe(true)
    expect(
      isVerified(message({ parameters: `${parameters};alg="ed25519"`, key, hash: null }), {
        key: ed25519.publicKey,
      }),
    ).toBe(true)
  })

  test('must have its form', () => {
    for (const header of [
      '',
      'sig1',
      'sig1=1',
      '("@method")',
      'sig1=("@method" x);created=1',
      'sig1=("@method")x',
      'Sig=()',
    ]) {
      expect(problemOf(withHeader(message({}), 'signature-input', header))).toMatch('signature-input')
    }
    expect(problemOf(withHeader(message({}), 'signature', 'sig1=:abc'))).toMatch('not that of one')
    expect(problemOf(withHeader(message({}), 'signature', 'sig2=:abcd:'))).toMatch('labels')
    expect(problemOf(withHeader(message({}), 'signature', String(cavage({}).headers['signature'])))).toMatch(
      'one',
    )
    expect(problemOf(message({ components: '"@method" "@target-uri" "content-digest" "@status"' }))).toMatch(
      '@status',
    )
    expect(problemOf(message({ components: '"@method" "@target-uri" "content-digest" "absent"' }))).toMatch(
      'not there',
    )
    expect(problemOf(message({ components: '"@method" "@target-uri";req "content-digest"' }))).toMatch(
      'plain',
    )
  })
})

test('A request without signature is refused [FED-1]', () => {
  expect(problemOf(without(cavage({}), 'signature'))).toBe('The request is not signed')
  expect(problemOf(without(message({}), 'signature'))).toBe('The request is not signed')
  expect(isVerified(cavage({}))).toBe(true)
})

describe('A body that no digest covers is refused [FED-4]', () => {
  test('with the digest not signed', () => {
    expect(problemOf(cavage({ covered: '(request-target) host date' }))).toMatch('does not cover digest')
    expect(problemOf(message({ components: '"@method" "@target-uri"' }))).toMatch(
      'does not cover content-digest',
    )
  })

  test('with the digest not sent', () => {
    expect(problemOf(without(cavage({}), 'digest'))).toMatch('not there')
    expect(problemOf(without(message({}), 'content-digest'))).toMatch('not there')
  })

  test('also for a POST without body, and other methods', () => {
    const none = { covered: '(request-target) host date' }
    expect(problemOf({ ...cavage(none), body: null })).toMatch('does not cover digest')
    expect(problemOf({ ...cavage(none), method: 'PUT' })).toMatch('does not cover digest')
    expect(problemOf({ ...message({ components: '"@method" "@target-uri"' }), body: null })).toMatch(
      'content-digest',
    )
  })

  test.each([
    ['without SHA-256', `SHA-512=${digestOf(body)}`, 'no SHA-256'],
    ['malformed', digestOf(body).replace('=', ''), 'malformed'],
    ['empty', '', 'malformed'],
    ['SHA-256 twice', `SHA-256=${digestOf(body)},sha-256=${digestOf(Buffer.from('x'))}`, 'twice'],
  ])('with a digest that is %s', (_, digest, problem) => {
    expect(problemOf(cavage({ headers: { digest } }))).toMatch(problem)
  })
})

describe('A body that is not the one of the digest is refused [FED-5]', () => {
  const changed = Buffer.from('{"type":"Delete"}')

  test('in both schemes', () => {
    expect(problemOf({ ...cavage({}), body: changed })).toMatch('not that of the body')
    expect(problemOf({ ...message({}), body: changed })).toMatch('not that of the body')
    expect(problemOf({ ...cavage({}), body: null })).toMatch('not that of the body')
  })

  test('whatever other digests say', () => {
    const digest = `SHA-512=anything, sha-256=${digestOf(body)}`
    expect(isVerified(cavage({ headers: { digest } }))).toBe(true)
    expect(problemOf({ ...cavage({ headers: { digest } }), body: changed })).toMatch('not that of the body')
    const list = { 'content-digest': `sha-512=:YQ==:, sha-256=:${digestOf(body)}:` }
    expect(isVerified(message({ headers: list }))).toBe(true)
    expect(problemOf({ ...message({ headers: list }), body: changed })).toMatch('not that of the body')
  })

  test('and one of a GET, when there is a digest', () => {
    expect(problemOf({ ...cavage({}), method: 'GET', body: changed })).toMatch('not that of the body')
  })

  test('a digest exchanged with the body does not verify', () => {
    const sent = withHeader(cavage({}), 'digest', `SHA-256=${digestOf(changed)}`)
    expect(isVerified({ ...sent, body: changed })).toBe(false)
    const message9421 = withHeader(message({}), 'content-digest', `sha-256=:${digestOf(changed)}:`)
    expect(isVerified({ ...message9421, body: changed })).toBe(false)
  })
})

describe('A signature is refused [FED-6]', () => {
  test.each(['(request-target)', 'host', 'date', 'digest'])('that does not cover %s', (name) => {
    const all = ['(request-target)', 'host', 'date', 'digest']
    const covered = all.filter((each) => each !== name).join(' ')
    expect(problemOf(cavage({ covered }))).toBe(`The signature does not cover ${name}`)
  })

  test.each(['"@method"', '"@target-uri"', '"content-digest"'])(
    'of RFC 9421 that does not cover %s',
    (name) => {
      const all = ['"@method"', '"@target-uri"', '"content-digest"']
      const components = all.filter((each) => each !== name).join(' ')
      expect(problemOf(message({ components }))).toMatch('does not cover')
    },
  )

  test('of RFC 9421 without created or keyid', () => {
    expect(problemOf(message({ parameters: `keyid="${keyId}"` }))).toMatch('created')
    expect(problemOf(message({ parameters: `created=${seconds(now)}` }))).toMatch('no key')
    expect(problemOf(message({ parameters: `created=${seconds(now)};keyid=1` }))).toMatch('string')
    expect(problemOf(message({ parameters: `created="1";keyid="${keyId}"` }))).toMatch('whole number')
  })

  test('that is meant for another host', () => {
    expect(problemOf(cavage({ headers: { host: 'evil.example' } }))).toMatch('another host')
    expect(problemOf(message({ headers: { host: 'evil.example' } }))).toMatch('another host')
    expect(problemOf(without(cavage({}), 'host'))).toMatch('no host')
    expect(problemOf(cavage({ headers: { host: 'chat.example:8443' } }))).toMatch('another host')
    expect(isVerified(message({ lines: { '@target-uri': 'https://evil.example/inbox' } }))).toBe(false)
    expect(isVerified(message({ lines: { '@target-uri': 'http://chat.example/inbox' } }))).toBe(false)
  })

  test('but a host may be spelt otherwise', () => {
    for (const host of ['CHAT.example', 'chat.example:443', 'chat.example.']) {
      expect(isVerified(cavage({ headers: { host } }))).toBe(true)
    }
  })

  test('that was made for another method or address', () => {
    expect(isVerified(cavage({ lines: { '(request-target)': 'get /inbox' } }))).toBe(false)
    expect(isVerified(cavage({ lines: { '(request-target)': 'post /users/alice/inbox' } }))).toBe(false)
    expect(isVerified({ ...message({}), method: 'PUT' })).toBe(false)
    expect(isVerified({ ...message({}), target: '/inbox?a' })).toBe(false)
  })

  test('of an address that can be read in two ways', () => {
    expect(problemOf({ ...cavage({}), target: '/inböx' })).toMatch('percent')
    expect(problemOf({ ...cavage({}), target: 'https://chat.example/inbox' })).toMatch('percent')
  })

  test('that covers headers that are not there, or none', () => {
    for (const more of ['accept', '(other)', 'x y', '', 'host:', '__proto__']) {
      expect(problemOf(cavage({ covered: `(request-target) host date digest ${more}` }))).toMatch('not there')
    }
  })

  test('whose created is not signed: the date counts', () => {
    const headers = { date: new Date(now - 3 * hour).toUTCString() }
    const parameters = `created=${seconds(now)},expires=${seconds(now) + 60}`
    expect(problemOf(cavage({ headers, parameters, algorithm: 'hs2019' }))).toMatch('too old')
  })
})

describe('A signature is refused [FED-7]', () => {
  const dated = (time: number) => cavage({ headers: { date: new Date(time).toUTCString() } })
  const created = (time: number, expires = '') =>
    message({ parameters: `created=${seconds(time)}${expires};keyid="${keyId}"` })

  test.each([dated, created])('that is too old', (make) => {
    expect(isVerified(make(now - hour - 5 * minute))).toBe(true)
    expect(problemOf(make(now - hour - 5 * minute - 1000))).toMatch('too old')
    expect(problemOf(make(now - 12 * hour - 1000))).toMatch('too old')
  })

  test.each([dated, created])('that is of the future', (make) => {
    expect(isVerified(make(now + hour))).toBe(true)
    expect(problemOf(make(now + hour + 1000))).toMatch('future')
  })

  test('that expired, at the latest after twelve hours', () => {
    const expires = (time: number) => `;expires=${seconds(time)}`
    expect(isVerified(created(now - 11 * hour, expires(now)))).toBe(true)
    expect(isVerified(created(now - 12 * hour, expires(now + 24 * hour)))).toBe(true)
    expect(problemOf(created(now - 12 * hour - 1000, expires(now + 24 * hour)))).toMatch('too old')
    expect(problemOf(created(now - 2 * hour, expires(now - hour - 1000)))).toMatch('too old')
  })

  test('of which only one of two times is good', () => {
    const covered = '(request-target) host date (created) digest'
    const make = (date: number, created: number) =>
      cavage({
        covered,
        algorithm: 'hs2019',
        headers: { date: new Date(date).toUTCString() },
        parameters: `created=${seconds(created)}`,
        lines: { '(created)': `${seconds(created)}` },
      })
    expect(isVerified(make(now, now))).toBe(true)
    expect(problemOf(make(now - 2 * hour, now))).toMatch('too old')
    expect(problemOf(make(now, now - 2 * hour))).toMatch('too old')
    expect(problemOf(make(now, now + 2 * hour))).toMatch('future')
  })

  test.each([
    '',
    'yesterday',
    '2026-03-01T12:00:00Z',
    'Sun, 01 Mar 2026 12:00:00 +0100',
    'Sun, 01 Foo 2026 12:00:00 GMT',
  ])('that is dated %j', (date) => {
    expect(problemOf(cavage({ headers: { date } }))).toMatch('no HTTP date')
  })
})

describe('A signature is refused that can be read in two ways [FED-8]', () => {
  test.each<SignatureScheme>(['cavage', 'rfc9421'])('%s: two Signature headers', async (scheme) => {
    const url = new URL('https://chat.example/inbox')
    const added = await signRequest(
      { id: keyId, privateKey: rsa.privateKey },
      { method: 'POST', url, body, now, scheme },
    )
    const once = { headers: { host: 'chat.example', ...added } }
    expect(isVerified(once)).toBe(true)
    for (const name of ['signature', 'signature-input'].filter((name) => name in added)) {
      const value = String(once.headers[name as 'host'])
      problemOf(withHeader(once, name, `${value}, ${value}`))
      problemOf(withHeader(once, name, `${value}, ${value.replace('sig1', 'sig2')}`))
      const rawHeaders = Object.entries(once.headers).flat()
      expect(isVerified({ ...once, rawHeaders })).toBe(true)
      expect(problemOf({ ...once, rawHeaders: [...rawHeaders, name.toUpperCase(), value] })).toMatch(
        'several',
      )
    }
  })

  test('halves of one in two headers', () => {
    const sent = cavage({})
    const [first = '', second = ''] = String(sent.headers['signature']).split(/,(?=headers)/)
    const rawHeaders = [...Object.entries(sent.headers).flat(), 'Signature', first, 'Signature', second]
    expect(problemOf({ ...withHeader(sent, 'signature', `${first}, ${second}`), rawHeaders })).toMatch(
      'several',
    )
  })

  test.each(['keyId', 'algorithm', 'headers', 'signature'])('%s twice', (name) => {
    const value = new RegExp(`${name}="[^"]*"`).exec(String(cavage({}).headers['signature']))?.[0]
    expect(problemOf(inSignature(cavage({}), /^/, `${value},`))).toMatch('twice')
    expect(problemOf(inSignature(cavage({}), /^/, `${value?.replace(name, name.toUpperCase())},`))).toMatch(
      'unknown',
    )
  })

  test('parameters and components of RFC 9421 twice', () => {
    for (const twice of [
      'created=1',
      'keyid="https://evil.example/"',
      'alg="ed25519"',
      'expires=1;expires=2',
    ]) {
      const parameters = `created=${seconds(now)};keyid="${keyId}";alg="rsa-v1_5-sha256";${twice}`
      expect(problemOf(message({ parameters }))).toMatch('twice')
    }
    expect(problemOf(message({ components: '"@method" "@target-uri" "content-digest" "@method"' }))).toMatch(
      'twice',
    )
  })

  test('covered headers twice', () => {
    expect(problemOf(cavage({ covered: '(request-target) host date digest host' }))).toMatch('twice')
    const sent = cavage({})
    const date = String(sent.headers['date'])
    expect(problemOf(withHeader(sent, 'date', `${date}, ${date}`))).toMatch('date')
    expect(problemOf(withHeader(sent, 'host', 'chat.example, evil.example'))).toMatch('another host')
  })
})

describe('A signature is refused [FED-9]', () => {
  test.each(['', 'rsa-sha1', 'rsa-sha512', 'hmac-sha256', 'none', 'ed25519'])(
    'by the algorithm %j',
    (algorithm) => {
      expect(problemOf(cavage({ algorithm }))).toMatch('algorithm')
    },
  )

  test.each(['""', '"hmac-sha256"', '"rsa-pss-sha512"', '"none"', 'ed25519', '1'])(
    'of RFC 9421 by %s',
    (alg) => {
      expect(
        problemOf(message({ parameters: `created=${seconds(now)};keyid="${keyId}";alg=${alg}` })),
      ).toMatch(/alg/)
    },
  )

  test('when the algorithm does not fit the key', () => {
    const byEd25519 = { hash: null, key: ed25519.privateKey }
    expect(isVerified(cavage(byEd25519), { key: ed25519.publicKey })).toBe(false)
    expect(isVerified(message(byEd25519), { key: ed25519.publicKey })).toBe(false)
    const parameters = `created=${seconds(now)};keyid="${keyId}";alg="ed25519"`
    expect(isVerified(message({ parameters }))).toBe(false)
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    expect(isVerified(cavage({ algorithm: 'hs2019' }), { key: publicKey })).toBe(false)
    expect(
      isVerified(message({ parameters: `created=${seconds(now)};keyid="${keyId}"` }), { key: publicKey }),
    ).toBe(false)
  })

  test('that is empty', () => {
    expect(problemOf(inSignature(cavage({}), /signature="[^"]*"/, 'signature=""'))).toMatch('empty')
    expect(problemOf(inSignature(cavage({}), /,signature="[^"]*"/, ''))).toMatch('empty')
    expect(problemOf(inSignature(cavage({}), /signature="[^"]*"/, 'signature="*"'))).toMatch('base64')
    expect(problemOf(withHeader(cavage({}), 'signature', ''))).toMatch('no key')
    expect(problemOf(inSignature(message({}), /:.*:/, '::'))).toMatch('empty')
    expect(isVerified(inSignature(cavage({}), /signature="[^"]*"/, 'signature="AA=="'))).toBe(false)
    expect(isVerified(inSignature(message({}), /:.*:/, ':AA==:'))).toBe(false)
  })

  test('of an empty list of headers', () => {
    expect(problemOf(inSignature(cavage({}), /headers="[^"]*"/, 'headers=""'))).toMatch('does not cover')
    expect(problemOf(inSignature(cavage({}), /headers="[^"]*",/, ''))).toMatch('does not cover')
    expect(problemOf(message({ components: '' }))).toMatch('does not cover')
  })

  test('of a key without a usable name', () => {
    for (const name of ['', ' ', 'https://a b', `https://${'a'.repeat(2050)}`]) {
      expect(problemOf(inSignature(cavage({}), keyId, name))).toMatch('key')
      expect(problemOf(message({ parameters: `created=${seconds(now)};keyid="${name}"` }))).toMatch('key')
    }
    expect(problemOf(inSignature(cavage({}), `keyId="${keyId}",`, ''))).toMatch('no key')
  })

  test.each([
    'garbage',
    'keyId',
    'keyId=',
    'keyId="a',
    'keyId=a',
    '=',
    ',',
    'keyId="a",',
    'keyId="a"headers="b"',
  ])('that is spelt %s', (signature) => {
    expect(problemOf(withHeader(cavage({}), 'signature', signature))).toMatch('malformed')
  })
})
