import { describe, expect, test } from 'vitest'
import { startApp, useApp } from '#test/app/app.ts'
import { asId, type ApplicationId } from '#lib/id.ts'

const app = useApp()
const good = { client_name: 'Test app', redirect_uris: 'https://app.example/cb' }

describe('POST /api/v1/apps', () => {
  test('registers with everything', async () => {
    const made = (
      await app.anonymous.post('/api/v1/apps', {
        ...good,
        scopes: 'read write:media',
        website: 'https://app.example',
      })
    ).ok()
    expect(made).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'Test app',
      website: 'https://app.example',
      scopes: ['read', 'write:media'],
      redirect_uris: ['https://app.example/cb'],
      redirect_uri: 'https://app.example/cb',
      client_id: expect.stringMatching(/^[\w-]{43}$/),
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
      vapid_key: app.ctx.secrets.vapid.publicKey,
    })
  })

  test('in every spelling', async () => {
    const two = ['https://app.example/cb', 'urn:ietf:wg:oauth:2.0:oob']
    const post = async (body: FormData | URLSearchParams) =>
      (await app.fetch('/api/v1/apps', { method: 'POST', body })).json()
    const multipart = new FormData()
    multipart.set('client_name', 'm')
    multipart.append('redirect_uris[]', two[0]!)
    multipart.append('redirect_uris[]', two[1]!)
    const spelled = [
      (await app.anonymous.post('/api/v1/apps', { client_name: 'j', redirect_uris: two })).ok(),
      (await app.anonymous.post('/api/v1/apps', { client_name: 'j', redirect_uris: two.join('\n') })).ok(),
      await post(new URLSearchParams({ client_name: 'f', redirect_uris: two.join(' ') })),
      await post(new URLSearchParams({ client_name: 'f', redirect_uris: two.join('\r\n'), unknown: 'x' })),
      await post(multipart),
      (
        await app.anonymous.post(
          `/api/v1/apps?${new URLSearchParams({ client_name: 'q', redirect_uris: two.join('\n') })}`,
        )
      ).ok(),
    ]
    for (const made of spelled) {
      expect(made).toMatchObject({
        redirect_uris: two,
        redirect_uri: two.join('\n'),
        scopes: ['read'],
        website: null,
      })
    }
  })

  test('scopes are read when left out or blank, and a list is as good as a text', async () => {
    expect((await app.anonymous.post('/api/v1/apps', { ...good, scopes: '' })).ok().scopes).toEqual(['read'])
    expect(
      (await app.anonymous.post('/api/v1/apps', { ...good, scopes: ['read', 'follow'] })).ok().scopes,
    ).toEqual(['read', 'follow'])
  })

  test.each([
    ['no name', { client_name: '' }],
    ['a long name', { client_name: 'x'.repeat(61) }],
    ['no redirect', { redirect_uris: ' ' }],
    ['a relative redirect', { redirect_uris: '/callback' }],
    ['a fragment', { redirect_uris: 'https://app.example/#x' }],
    ['javascript', { redirect_uris: 'javascript:alert(1)' }],
    ['JavaScript among others', { redirect_uris: ['https://app.example/', 'JavaScript:alert(1)'] }],
    ['data', { redirect_uris: 'data:text/html,x' }],
    ['vbscript', { redirect_uris: 'vbscript:x' }],
    ...[
      'file:///etc/passwd',
      'FILE:/etc/passwd',
      'blob:https://a.example/x',
      'about:blank',
      'view-source:x',
    ].map((redirect_uris): [string, object] => [redirect_uris, { redirect_uris }]),
    ...['filesystem:https://a.example/x', 'ftp://a.example/', 'mailto:a@b.example', 'wss://a.example/'].map(
      (redirect_uris): [string, object] => [redirect_uris, { redirect_uris }],
    ),
    ['a website with a user before its host', { website: 'https://bank.example@evil.example/' }],
    ['an unknown scope', { scopes: 'read everything' }],
    ['a website that is none', { website: 'javascript:alert(1)' }],
  ])('%s is refused', async (_, change) => {
    const answer = await app.anonymous.post('/api/v1/apps', { ...good, ...change })
    expect(answer.status).toBe(422)
    expect(answer.body.error).toMatch(/^Validation failed: /)
  })

  test('custom schemes, http and 60 letters are fine', async () => {
    const uris = ['com.example.app:/oauth', 'myapp://cb', 'http://localhost:4711/cb?x=1']
    const made = (
      await app.anonymous.post('/api/v1/apps', { client_name: 'é'.repeat(60), redirect_uris: uris })
    ).ok()
    expect(made.redirect_uris).toEqual(uris)
  })

  test('one that was registered before its scheme was refused leads nowhere', async () => {
    const made = (await app.anonymous.post('/api/v1/apps', good)).ok()
    const before = ['file:///tmp/x', 'myapp://cb']
    await app.ctx.db
      .updateTable('applications')
      .set({ redirect_uris: before })
      .where('id', '=', asId<ApplicationId>(made.id))
      .execute()
    const ask = (redirect_uri: string) =>
      app.fetch(
        `/oauth/authorize?${new URLSearchParams({ client_id: made.client_id, redirect_uri, response_type: 'token' })}`,
      )
    const refused = await ask(before[0] as string)
    expect([refused.status, refused.headers.get('location')]).toEqual([400, null])
    expect((await ask(before[1] as string)).headers.get('location')).toMatch(/^myapp:\/\/cb\?error=/)
  })

  test('a NUL is dropped wherever it stands', async () => {
    expect((await app.anonymous.post('/api/v1/apps', { ...good, client_name: 'a\0b' })).ok().name).toBe('ab')
    const uri = 'https://a.example/'
    const made = await app.anonymous.post('/api/v1/apps', {
      ...good,
      redirect_uris: `${uri}\0`,
      website: `${uri}\0`,
    })
    expect(made.ok()).toMatchObject({ redirect_uris: [uri], website: uri })
  })
})

test('one address may register five applications in ten minutes, loopback any number [AUTH-16]', async () => {
  const limited = await startApp({ env: { RATE_LIMITS: 'on' } })
  try {
    const register = async (address: string) => {
      const headers: Record<string, string> = address === '' ? {} : { 'x-forwarded-for': address }
      return (await limited.anonymous.post('/api/v1/apps', good, headers)).status
    }
    const statuses: number[] = []
    for (let index = 0; index < 7; index++) statuses.push(await register(`2001:db8::${index}`))
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    expect(await register('2001:db8:0:1::1')).toBe(200)
    for (let index = 0; index < 7; index++) expect(await register('')).toBe(200)
  } finally {
    await limited.close()
  }
})

describe('GET /api/v1/apps/verify_credentials [4-21]', () => {
  test('tells an application about itself, without its secrets', async () => {
    const made = (await app.anonymous.post('/api/v1/apps', good)).ok()
    const { client_id, client_secret } = made
    const token = (
      await app.anonymous.post('/oauth/token', { grant_type: 'client_credentials', client_id, client_secret })
    ).ok()
    const answer = await app.fetch('/api/v1/apps/verify_credentials', {
      headers: { authorization: `Bearer ${token.access_token}` },
    })
    const body = await answer.json()
    expect(answer.status).toBe(200)
    expect(body).toMatchObject({
      id: made.id,
      name: 'Test app',
      redirect_uris: good.redirect_uris.split(' '),
      vapid_key: made.vapid_key,
    })
    expect(body).not.toHaveProperty('client_id')
    expect(body).not.toHaveProperty('client_secret')
  })

  test('takes tokens of any scope, also those made without an application', async () => {
    const person = await app.person('alice')
    const client = await app.withScopes(person, ['push'])
    expect((await client.get('/api/v1/apps/verify_credentials')).ok().name).toBe('Stonechat')
  })

  test('wants a token', async () => {
    const answer = await app.anonymous.get('/api/v1/apps/verify_credentials')
    expect([answer.status, answer.body.error]).toEqual([401, 'The access token is invalid'])
  })
})
