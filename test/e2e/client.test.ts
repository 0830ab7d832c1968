// The real program with clients that others wrote: the masto package here, the program toot in toot.test.ts.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { createOAuthAPIClient, createRestAPIClient, MastoHttpError, type mastodon } from 'masto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServerProcess, type ServerProcess } from '#test/processes/server-process.ts'
import { isNight } from '#test/run/night.ts'

let server: ServerProcess
let alice: mastodon.rest.Client
let bob: mastodon.rest.Client
let aliceAccount: mastodon.v1.Account
let bobAccount: mastodon.v1.Account

const scope = 'read write follow push'
const redirectUri = 'urn:ietf:wg:oauth:2.0:oob'

beforeAll(async () => {
  server = await createServerProcess({ prepared: true, env: { OAUTH_PASSWORD_GRANT: 'true' } })
  await server.start()
  alice = await signIn('alice', await createAccount('alice'))
  bob = await signIn('bob', await createAccount('bob'))
  aliceAccount = await alice.v1.accounts.verifyCredentials()
  bobAccount = await bob.v1.accounts.verifyCredentials()
})
afterAll(() => server?.remove())

const clientWith = (accessToken: string) => createRestAPIClient({ url: server.url, accessToken })

/** The link in the newest mail to this address, from the folder where mails go without a mail server. */
async function findMailedLink(address: string): Promise<string> {
  const folder = path.join(server.dataDir, 'outbox')
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).toSorted()
  const mails = await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8')))
  const mail = mails.findLast((text) => text.includes(`To: ${address}\r\n`)) ?? ''
  return /http:\/\/\S+confirmation\?\S+/.exec(mail)?.[0] ?? ''
}

/** Returns the password. */
async function createAccount(username: string): Promise<string> {
  const made = await server.command(
    'accounts',
    'create',
    username,
    '--email',
    `${username}@mail.example`,
    '--confirmed',
  )
  return /^New password: (.+)$/m.exec(made.stdout)?.[1] as string
}

async function registerApp() {
  const anonymous = createRestAPIClient({ url: server.url })
  const app = await anonymous.v1.apps.create({ clientName: 'e2e', redirectUris: redirectUri, scopes: scope })
  return { clientId: app.clientId as string, clientSecret: app.clientSecret as string, redirectUri, scope }
}

async function signIn(username: string, password: string): Promise<mastodon.rest.Client> {
  const grant = {
    ...(await registerApp()),
    grantType: 'password' as const,
    username: `${username}@mail.example`,
    password,
  }
  return clientWith((await createOAuthAPIClient({ url: server.url }).token.create(grant)).accessToken)
}

describe('an application', () => {
  let tries = 0

  test('signs somebody up, who is let in once they have followed the mailed link', async () => {
    // A name is given once.
    const username = `carol${++tries}`
    const [app, password, email] = [await registerApp(), 'correct horse battery', `${username}@mail.example`]
    const token = await createOAuthAPIClient({ url: server.url }).token.create({
      ...app,
      grantType: 'client_credentials',
    })
    const person = { username, email, password, agreement: true, locale: 'en' }
    const carol = clientWith((await clientWith(token.accessToken).v1.accounts.create(person)).accessToken)
    await expect(carol.v1.statuses.create({ status: 'too early' })).rejects.toThrow(MastoHttpError)
    await expect.poll(() => findMailedLink(email)).toMatch(/^http/)
    expect((await fetch(await findMailedLink(email), { redirect: 'manual' })).status).toBeLessThan(400)
    expect(await carol.v1.statuses.create({ status: 'now' })).toMatchObject({ account: { acct: username } })
  })

  test('knows for whom and for which application its token is', async () => {
    expect(aliceAccount).toMatchObject({ username: 'alice', acct: 'alice', url: `${server.url}/@alice` })
    expect(await alice.v1.apps.verifyCredentials()).toMatchObject({ name: 'e2e' })
  })

  test('learns what the server is', async () => {
    const instance = await createRestAPIClient({ url: server.url }).v2.instance.fetch()
    expect(instance.domain).toBe(`localhost:${server.port}`)
    expect(instance.configuration.statuses.maxCharacters).toBe(500)
    expect(instance.registrations.enabled).toBe(true)
  })

  test('is told in words what it did wrong', async () => {
    await expect(alice.v1.statuses.create({ status: '' })).rejects.toThrow(/Validation failed/)
    await expect(clientWith('nonsense').v1.timelines.home.list()).rejects.toThrow(
      'The access token is invalid',
    )
    await expect(alice.v1.statuses.$select('1').fetch()).rejects.toThrow('Record not found')
  })
})

describe('people', () => {
  test('follow each other', async () => {
    expect(await bob.v1.accounts.$select(aliceAccount.id).follow()).toMatchObject({ following: true })
    const [relationship] = await bob.v1.accounts.relationships.fetch({ id: [aliceAccount.id] })
    expect(relationship).toMatchObject({
      id: aliceAccount.id,
      following: true,
      followedBy: false,
      requested: false,
    })
    expect(await alice.v1.accounts.$select(aliceAccount.id).followers.list()).toMatchObject([
      { username: 'bob' },
    ])
    expect(await bob.v1.accounts.$select(bobAccount.id).following.list()).toMatchObject([
      { username: 'alice' },
    ])
  })

  test('post, reply, favourite and boost, and the counters follow', async () => {
    const status = await alice.v1.statuses.create({ status: 'Hello, #world!', visibility: 'public' })
    expect(status.content).toContain('Hello, ')
    expect(status.tags).toMatchObject([{ name: 'world' }])
    const reply = await bob.v1.statuses.create({ status: '@alice hi', inReplyToId: status.id })
    expect(reply).toMatchObject({ inReplyToId: status.id, mentions: [{ acct: 'alice' }] })
    expect(await bob.v1.statuses.$select(status.id).favourite()).toMatchObject({
      favourited: true,
      favouritesCount: 1,
    })
    const boost = await bob.v1.statuses.$select(status.id).reblog()
    expect(boost.reblog).toMatchObject({ id: status.id, reblogged: true, reblogsCount: 1 })
    const thread = await alice.v1.statuses.$select(status.id).context.fetch()
    expect(thread.descendants.map(({ id }) => id)).toEqual([reply.id])
    expect(await alice.v1.statuses.$select(status.id).fetch()).toMatchObject({
      repliesCount: 1,
      favouritesCount: 1,
      reblogsCount: 1,
      favourited: false,
    })
    expect(await bob.v1.statuses.$select(status.id).unfavourite()).toMatchObject({
      favourited: false,
      favouritesCount: 0,
    })
    expect(await bob.v1.statuses.$select(status.id).unreblog()).toMatchObject({ reblogged: false })
  })

  test('are notified of what others do to them', async () => {
    const types = async () => {
      const list = await alice.v1.notifications.list({ types: ['follow', 'mention', 'favourite', 'reblog'] })
      return list.map((one) => `${one.type} by ${one.account.acct}`).toSorted()
    }
    await bob.v1.statuses.$select((await alice.v1.statuses.create({ status: 'like me' })).id).favourite()
    await expect
      .poll(types)
      .toEqual(expect.arrayContaining(['follow by bob', 'mention by bob', 'favourite by bob']))
  })

  test('delete what they wrote', async () => {
    const status = await alice.v1.statuses.create({ status: 'oops' })
    expect(await alice.v1.statuses.$select(status.id).remove()).toMatchObject({ id: status.id, text: 'oops' })
    await expect(bob.v1.statuses.$select(status.id).fetch()).rejects.toThrow('Record not found')
  })
})

describe('more posts than three pages hold', () => {
  const count = isNight ? 500 : 130
  let posted: string[] = []

  beforeAll(async () => {
    // Somebody who reads has a feed that is written at each post; a rebuilt one would reach less far back.
    await Promise.all([alice.v1.timelines.home.list(), bob.v1.timelines.home.list()])
    for (let i = 0; i < count; i += 10) {
      const batch = Array.from({ length: 10 }, (_, n) =>
        alice.v1.statuses.create({ status: `post ${i + n}` }),
      )
      posted.push(...(await Promise.all(batch)).map(({ id }) => id))
    }
    posted = posted.toSorted((a, b) => (BigInt(a) < BigInt(b) ? 1 : -1))
  })

  /** Follows the links of the Link header as far as `posted` goes. */
  async function collect(pages: AsyncIterable<mastodon.v1.Status[]>): Promise<string[]> {
    const found: string[] = []
    for await (const page of pages) {
      found.push(...page.map(({ id }) => id))
      if (found.length >= count) break
    }
    return found.slice(0, count)
  }

  test('come back page by page without a gap or a repeat', async () => {
    const own = alice.v1.accounts.$select(aliceAccount.id).statuses.list({ limit: 40 })
    expect(await collect(own.values())).toEqual(posted)
    expect(await collect(alice.v1.timelines.home.list({ limit: 33 }).values())).toEqual(posted)
    expect(await collect(bob.v1.timelines.public.list({ limit: 40, local: true }).values())).toEqual(posted)
  })

  test('reach a follower in the same order', async () => {
    const home = () => collect(bob.v1.timelines.home.list({ limit: 40 }).values())
    await expect.poll(home, { interval: 500 }).toEqual(posted)
  })

  test('can be paged back to the newest', async () => {
    const oldest = posted.at(-1) as string
    const found: string[] = [oldest]
    for await (const page of alice.v1.timelines.home
      .list({ limit: 40, minId: oldest })
      .setDirection('prev')
      .values()) {
      if (page.length === 0) break
      found.unshift(...page.map(({ id }) => id))
    }
    expect(found).toEqual(posted)
  })
})
