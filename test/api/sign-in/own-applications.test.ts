import { beforeEach, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Browser, Form, Seen } from '#test/client/browser.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
const path = '/settings/applications'
let alice: Person
let browser: Browser

beforeEach(async () => {
  alice = await personWithPassword(app, 'alice')
  browser = await signedIn(app, alice)
})

/** What a browser sends of a form that is left as it is: boxes that are ticked, and long texts. */
function formOf(seen: Seen, action: string): Form {
  const { fields, ...form } = seen.form(action)
  const isTicked = (name: string) =>
    new RegExp(`name="${name.replaceAll(/[[\]]/g, '\\$&')}"[^>]*checked`).test(seen.text)
  const kept = Object.entries(fields).filter(([name]) => !name.startsWith('scopes[') || isTicked(name))
  const long = /<textarea[^>]*>\s*([^<]*)<\/textarea>/.exec(seen.text)?.[1] ?? ''
  return { ...form, fields: { ...Object.fromEntries(kept), redirect_uris: long } }
}

const secretsIn = (text: string) =>
  [...text.matchAll(/<code class="secret">([^<]+)<\/code>/g)].map((match) => match[1] as string)

interface Made {
  address: string
  clientId: string
  clientSecret: string
  token: string
}

/** Fills in the page for a new one. */
async function make(fields: Record<string, string> = {}): Promise<Made> {
  const form = formOf(await browser.get(`${path}/new`), path)
  const seen = await browser.submit(form, { name: 'Bot', 'scopes[write:statuses]': '1', ...fields })
  expect(seen.status).toBe(200)
  const [clientSecret, token] = secretsIn(seen.text)
  return {
    address: /\/settings\/applications\/\d+/.exec(seen.text)![0],
    clientId: /<code>([^<]{40,})<\/code>/.exec(seen.text)![1]!,
    clientSecret: clientSecret!,
    token: token!,
  }
}

const say = (token: string, status = 'as a bot') =>
  app.fetch('/api/v1/statuses', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status }),
  })
const asClient = (clientId: string, clientSecret: string) =>
  app.fetch('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    }),
  })

describe('an application of one’s own', () => {
  test('has a token that does what was chosen, and its secrets are shown once', async () => {
    const made = await make({ website: 'https://bot.example' })
    const posted = await say(made.token)
    expect(posted.status).toBe(200)
    const status = await posted.json()
    expect(status).toMatchObject({
      account: { id: alice.accountId },
      application: { name: 'Bot', website: 'https://bot.example' },
    })
    const outside = await app.fetch('/api/v1/lists', {
      method: 'POST',
      headers: { authorization: `Bearer ${made.token}` },
      body: new URLSearchParams({ title: 'x' }),
    })
    expect(outside.status).toBe(403)
    expect((await asClient(made.clientId, made.clientSecret)).status).toBe(200)
    const page = await browser.get(made.address)
    expect(page.headers.get('cache-control')).toContain('no-store')
    expect(secretsIn(page.text)).toEqual([])
    expect(page.text).not.toContain(made.token)
    expect((await browser.get(path)).text).toContain('>Bot</a>')
  })

  test('is changed; what is wrong is said beside what was entered', async () => {
    const made = await make()
    const { id } = (await (await say(made.token)).json()) as Json
    const form = formOf(await browser.get(made.address), made.address)
    expect(form.fields).toMatchObject({
      name: 'Bot',
      'scopes[write:statuses]': '1',
      redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
    })
    expect(form.fields).not.toHaveProperty(['scopes[write]'])
    const wrong = await browser.submit(form, { name: 'Renamed', redirect_uris: 'javascript:alert(1)' })
    expect([wrong.status, wrong.form(made.address).fields['name']]).toEqual([422, 'Renamed'])
    expect((await browser.submit(form, { name: 'Renamed' })).location).toBe(made.address)
    expect((await browser.get(path)).text).toContain('Renamed')
    await app.settle()
    expect((await alice.get(`/api/v1/statuses/${id}`)).ok().application?.name).toBe('Renamed')
    const none = await browser.submit(formOf(await browser.get(`${path}/new`), path), { name: ' ' })
    expect([none.status, none.text.includes('role="alert"')]).toEqual([422, true])
  })

  test('gets another secret and another token, and the old ones open nothing', async () => {
    const made = await make()
    const rotate = async (what: string) => {
      const page = await browser.get(made.address)
      const [told] = secretsIn((await browser.submit(page.form(`${made.address}/${what}`))).text)
      return told as string
    }
    const secret = await rotate('secret')
    expect((await asClient(made.clientId, made.clientSecret)).status).toBe(401)
    expect((await asClient(made.clientId, secret)).status).toBe(200)
    expect((await say(made.token)).status).toBe(200)
    const token = await rotate('token')
    expect((await say(made.token)).status).toBe(401)
    expect((await say(token)).status).toBe(200)
  })

  test('goes with all access to it, and what it posted stays', async () => {
    const made = await make({ name: 'Bot to delete' })
    const { id } = (await (await say(made.token)).json()) as Json
    const form = (await browser.get(made.address)).form(`${made.address}/delete`)
    expect((await browser.submit(form)).location).toBe(path)
    expect((await browser.get(made.address)).status).toBe(404)
    expect((await say(made.token)).status).toBe(401)
    expect((await asClient(made.clientId, made.clientSecret)).status).toBe(401)
    await app.settle()
    expect((await alice.get(`/api/v1/statuses/${id}`)).ok().application).toBeNull()
    const left = await app.ctx.db
      .selectFrom('applications')
      .select('id')
      .where('name', '=', 'Bot to delete')
      .execute()
    expect(left).toEqual([])
  })

  test('is its person’s alone, wants somebody who is signed in, and there are fifty at most [ACC-7]', async () => {
    const made = await make()
    const bob = await personWithPassword(app, 'bob')
    const other = await signedIn(app, bob)
    const fields = (await other.get(`${path}/new`)).form(path).fields
    expect((await other.get(made.address)).status).toBe(404)
    for (const what of ['', '/secret', '/token', '/delete'])
      expect((await other.post(made.address + what, { ...fields, name: 'Mine' })).status).toBe(404)
    expect((await other.get(path)).text).not.toContain('>Bot</a>')
    expect((await newBrowser(app).get(path)).location).toContain('/auth/sign_in')
    expect((await say(made.token)).status).toBe(200)
    const form = formOf(await browser.get(`${path}/new`), path)
    const row = await app.ctx.db
      .selectFrom('applications')
      .select('client_secret_hash')
      .where('client_id', '=', made.clientId)
      .executeTakeFirstOrThrow()
    await app.ctx.db
      .insertInto('applications')
      .values(
        Array.from({ length: 49 }, (_, index) => ({
          ...row,
          id: app.ctx.newId(),
          name: 'x',
          website: null,
          redirect_uris: [],
          scopes: [],
          client_id: `${made.clientId}${index}`,
          user_id: alice.userId,
        })),
      )
      .execute()
    const full = await browser.submit(form, { name: 'One more' })
    expect([full.status, full.text.includes('limit of 50 apps')]).toEqual([422, true])
  })
})
