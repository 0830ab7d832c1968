// How other servers find what is here, from any of its names, on one domain or on two.
import { describe, expect, test } from 'vitest'
import { startApp, useApp, type TestApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'

const app = useApp()
const split = { env: { LOCAL_DOMAIN: 'example.org', WEB_DOMAIN: 'social.example.org' } }

type Server = Pick<TestApp, 'fetch' | 'baseUrl'>

const finger = (resource: string, on: Server = app) =>
  on.fetch(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)

async function get(address: string, on: Server = app): Promise<Json> {
  const path = address.replace(on.baseUrl, '')
  const answer = await on.fetch(path, { headers: { accept: 'application/activity+json' } })
  expect([path, answer.status]).toEqual([path, 200])
  return answer.json()
}

const linkOf = (descriptor: Json, rel: string) => descriptor.links.find((link: Json) => link.rel === rel)

async function withSplit(work: (server: TestApp) => Promise<void>): Promise<void> {
  const server = await startApp(split)
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

describe('a person is found', () => {
  test('by handle, page or actor, and all ways lead to one actor [1-15]', async () => {
    const alice = await app.person('alice')
    const actor = `https://chat.example/users/${alice.username}`
    const names = [
      `acct:${alice.username}@chat.example`,
      `acct:@${alice.username}@chat.example`,
      `@${alice.username}@chat.example`,
      `${alice.username}@CHAT.EXAMPLE`,
      `https://chat.example/@${alice.username}`,
      actor,
    ]
    for (const name of names) {
      const descriptor: Json = await (await finger(name)).json()
      expect([name, descriptor.subject]).toEqual([name, `acct:${alice.username}@chat.example`])
      const self = linkOf(descriptor, 'self')
      expect(self).toEqual({ rel: 'self', type: 'application/activity+json', href: actor })
      const document = await get(self.href)
      expect(document.id).toBe(actor)
      expect(`acct:${document.webfinger}`).toBe(descriptor.subject)
      expect(descriptor.aliases).toEqual(expect.arrayContaining([document.id, document.url]))
    }
  })

  test('while the account is suspended, and never again once it is deleted', async () => {
    const alice = await app.person('alice')
    const mark = (values: Record<string, Date | string>) =>
      app.ctx.db.updateTable('accounts').set(values).where('id', '=', alice.accountId).execute()
    await mark({ suspended_at: new Date(), avatar_key: 'avatars/alice.png' })
    const answer = await finger(`acct:${alice.username}@chat.example`)
    expect(answer.status).toBe(200)
    expect(await answer.text()).not.toContain('avatars/')
    await mark({ deleted_at: new Date() })
    for (const name of [
      `acct:${alice.username}@chat.example`,
      `https://chat.example/users/${alice.username}`,
    ])
      expect((await finger(name)).status).toBe(410)
  })

  test('on the domain of handles, while all addresses are of the other one', async () => {
    await withSplit(async (server) => {
      const alice = await server.person('alice')
      const actor = `https://social.example.org/users/${alice.username}`
      for (const name of [
        `acct:${alice.username}@example.org`,
        `acct:${alice.username}@social.example.org`,
        `https://social.example.org/@${alice.username}`,
        actor,
      ]) {
        const descriptor: Json = await (await finger(name, server)).json()
        expect([name, descriptor.subject]).toEqual([name, `acct:${alice.username}@example.org`])
        expect(linkOf(descriptor, 'self').href).toBe(actor)
      }
      const document = await get(actor, server)
      expect(document).toMatchObject({
        id: actor,
        webfinger: `${alice.username}@example.org`,
        url: `https://social.example.org/@${alice.username}`,
        endpoints: { sharedInbox: 'https://social.example.org/inbox' },
      })
      const post = await alice.say(`to myself @${alice.username}`)
      expect(post.uri).toBe(`${actor}/statuses/${post.id}`)
      expect(post.account.acct).toBe(alice.username)
      const note = await get(post.uri, server)
      expect(note.tag).toEqual([{ type: 'Mention', href: actor, name: `@${alice.username}@example.org` }])
    })
  })
})

describe('the server itself is found', () => {
  test('by its domain, and its actor names itself', async () => {
    const descriptor: Json = await (await finger('acct:chat.example@chat.example')).json()
    const actor = await get(linkOf(descriptor, 'self').href)
    expect(actor).toMatchObject({ type: 'Application', webfinger: 'chat.example@chat.example' })
    expect(descriptor.aliases).toContain(actor.id)
    await withSplit(async (server) => {
      const other: Json = await (await finger('acct:example.org@example.org', server)).json()
      const document = await get(linkOf(other, 'self').href, server)
      expect(document).toMatchObject({
        id: 'https://social.example.org/actor',
        preferredUsername: 'example.org',
        webfinger: 'example.org@example.org',
      })
    })
  })

  test('host-meta leads to WebFinger on the domain of addresses', async () => {
    await withSplit(async (server) => {
      const text = await (await server.fetch('/.well-known/host-meta')).text()
      expect(text).toContain('template="https://social.example.org/.well-known/webfinger?resource={uri}"')
    })
  })

  test('NodeInfo is linked in both versions, and says what is spoken', async () => {
    const { links }: Json = await (await app.fetch('/.well-known/nodeinfo')).json()
    for (const version of ['2.0', '2.1']) {
      const link = links.find((one: Json) => one.rel.endsWith(`/ns/schema/${version}`))
      const answer = await app.fetch(new URL(link.href).pathname)
      expect(answer.headers.get('content-type')).toContain(
        `http://nodeinfo.diaspora.software/ns/schema/${version}#`,
      )
      expect(await answer.json()).toMatchObject({ version, protocols: ['activitypub'] })
    }
    expect(links).toContainEqual({
      rel: 'https://www.w3.org/ns/activitystreams#Application',
      href: 'https://chat.example/actor',
    })
  })
})
