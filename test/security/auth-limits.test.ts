import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { askToken, registerClient } from '#test/client/oauth.ts'
import { makeSignUpApp, registration } from '#test/people/registration.ts'
import { fillSignIn, newBrowser, personWithPassword } from '#test/people/sign-in.ts'

// Behind a proxy on this machine, as most servers are; what the client writes itself stands left of the true address.
const proxied = useApp({
  env: { RATE_LIMITS: 'on', TRUSTED_PROXY_IP: '127.0.0.1', OAUTH_PASSWORD_GRANT: 'true' },
})
/** Trusts nobody, so that all headers are inventions. */
const bare = useApp({ env: { RATE_LIMITS: 'on', TRUSTED_PROXY_IP: '10.0.0.1' } })

const hour = 3_600_000
/** Limits count in windows of the clock: in the next one, nothing counts of what was tried before. */
const toNextHour = (app: typeof proxied) => app.clock.set((Math.floor(app.clock.now() / hour) + 1) * hour)
let hosts = 0
const newAddress = () => `203.0.113.${++hosts}`

async function remainingAt(path: string, headers: Record<string, string>): Promise<number> {
  const response = await proxied.fetch(path, { headers })
  return Number(response.headers.get('x-ratelimit-remaining') ?? Number.NaN)
}

describe('requests without a token [AUTH-16]', () => {
  test('count by the address that the proxy saw, not by those that the client invents', async () => {
    toNextHour(proxied)
    const address = newAddress()
    const inventions: Record<string, string>[] = [
      { 'x-forwarded-for': `1.2.3.4, ${address}` },
      { 'x-forwarded-for': `127.0.0.1, ${address}` },
      { 'x-forwarded-for': `10.0.0.1,unknown,${address}` },
      {
        'x-forwarded-for': address,
        'x-real-ip': '1.2.3.5',
        'client-ip': '1.2.3.6',
        'true-client-ip': '1.2.3.6',
      },
      { 'x-forwarded-for': address, forwarded: 'for=1.2.3.7', 'cf-connecting-ip': '1.2.3.8' },
      { 'x-forwarded-for': `::ffff:${address}` },
      { 'x-forwarded-for': `${address}:4711` },
    ]
    const left = []
    for (const headers of inventions) left.push(await remainingAt('/api/v1/timelines/public', headers))
    expect(left).toEqual(inventions.map((_, index) => 299 - index))
  })

  test('count together however the path is written', async () => {
    toNextHour(proxied)
    const headers = { 'x-forwarded-for': newAddress() }
    const spellings = [
      '/api/v1/timelines/public',
      '/api/v1/timelines/public?limit=1',
      '/api/v1/timelines/public?x=/api/v2',
      '/api/v1/timelines/%70ublic',
      '/api/v1/./timelines/x/../public',
      '/api/v1/timelines/public/',
    ]
    const left = []
    for (const path of spellings) left.push(await remainingAt(path, headers))
    expect(left).toEqual([299, 298, 297, 296, 295, 294])
    for (const path of ['//api/v1/timelines/public', '/API/v1/timelines/public']) {
      expect([path, (await proxied.fetch(path, { headers })).status]).toEqual([path, 404])
    }
  })

  test('count by the whole network that one IPv6 customer has', async () => {
    toNextHour(proxied)
    const left = []
    for (const address of ['2001:db8:7:7::1', '2001:db8:7:7:ffff::2', '2001:DB8:7:7:0:0:0:3'])
      left.push(await remainingAt('/api/v1/timelines/public', { 'x-forwarded-for': address }))
    expect(left).toEqual([299, 298, 297])
  })

  test('are refused beyond 300, with another address unharmed, and guessed tokens count as none', async () => {
    toNextHour(proxied)
    const address = newAddress()
    const alice = await proxied.person('alice')
    const statuses: number[] = []
    for (let index = 0; index < 310; index++) {
      const guess: Record<string, string> = index % 2 ? { authorization: `Bearer guess${index}` } : {}
      const headers = { 'x-forwarded-for': `9.9.9.${index % 250}, ${address}`, ...guess }
      statuses.push((await proxied.fetch('/api/v1/timelines/home', { headers })).status)
    }
    expect(statuses.slice(0, 300).every((status) => status === 401)).toBe(true)
    expect(statuses.slice(300).every((status) => status === 429)).toBe(true)
    const home = (headers: Record<string, string>) =>
      proxied.fetch('/api/v1/timelines/home', { headers }).then(({ status }) => status)
    expect(await home({ 'x-forwarded-for': newAddress() })).toBe(401)
    expect(await home({ 'x-forwarded-for': address, authorization: `Bearer ${alice.token}` })).toBe(200)
  })

  test('no header counts where no proxy is trusted', async () => {
    toNextHour(bare)
    const browser = newBrowser(bare)
    const form = (await browser.get('/auth/sign_in')).form('/auth/sign_in')
    const statuses: number[] = []
    for (let index = 0; index < 30; index++) {
      const headers = { 'x-forwarded-for': `192.0.2.${index}`, forwarded: `for=192.0.2.${index}` }
      const fields = { ...form.fields, 'user[email]': 'somebody', 'user[password]': 'x' }
      statuses.push((await browser.post('/auth/sign_in', fields, headers)).status)
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(25)
    expect(statuses.slice(25).every((status) => status === 429)).toBe(true)
  })
})

test('tries at the page and at the token endpoint count together [AUTH-16]', async () => {
  toNextHour(proxied)
  const alice = await personWithPassword(proxied, 'alice')
  const client = await registerClient(proxied)
  const attempt = (secret: string) =>
    askToken(proxied, client, { grant_type: 'password', username: alice.email, password: secret })
  const browser = newBrowser(proxied)
  const statuses: number[] = []
  for (let index = 0; index < 12; index++) {
    statuses.push(
      (await attempt('wrong')).status,
      (await fillSignIn(browser, alice.username, 'wrong')).status,
    )
  }
  expect(statuses).toEqual(Array.from({ length: 12 }, () => [400, 422]).flat())
  expect((await attempt('wrong')).status).toBe(400)
  expect((await attempt('correct horse battery')).status).toBe(429)
  expect((await fillSignIn(browser, alice.email)).status).toBe(429)
})

test('sign-ups that would mail one mailbox are limited, from wherever they come and however it is written [AUTH-17]', async () => {
  toNextHour(proxied)
  const through = await makeSignUpApp(proxied)
  const from = () => ({ 'x-forwarded-for': newAddress() })
  const spellings = (index: number) => [`victim+${index}@mail.example`, `v.ictim+${index}@ｍａｉｌ.example`]
  const statuses: number[] = []
  for (let index = 0; index < 4; index++)
    for (const email of spellings(index))
      statuses.push((await through.post('/api/v1/accounts', registration({ email }), from())).status)
  for (let index = 10; index < 14; index++) {
    const browser = newBrowser(proxied)
    const form = (await browser.get('/auth/sign_up')).form('/auth/sign_up')
    const { username, password } = registration()
    const fields = {
      username,
      password: String(password),
      email: `victim+${index}@mail.example`,
      agreement: '1',
    }
    statuses.push((await browser.submit(form, fields, from())).status)
  }
  expect(statuses).toEqual([...Array<number>(8).fill(200), 303, 303, 429, 429])
  const other = await through.post('/api/v1/accounts', registration({ email: 'other@mail.example' }), from())
  expect(other.status).toBe(200)
})
