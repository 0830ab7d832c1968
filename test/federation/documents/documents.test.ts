// What this server shows to other servers: actors, statuses, collections, and what it keeps from them.
import { createPublicKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { attachment } from '#test/people/attachment.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
const base = 'https://chat.example'
const everyone = 'https://www.w3.org/ns/activitystreams#Public'

const ask = (path: string, accept = 'application/activity+json') =>
  app.fetch(path.replace(base, ''), { headers: { accept } })

/** The document at a path or address. */
async function read(path: string): Promise<Json> {
  const answer = await ask(path)
  expect([path, answer.status]).toEqual([path, 200])
  expect(answer.headers.get('content-type')).toBe('application/activity+json; charset=utf-8')
  return answer.json()
}

const statusOf = async (path: string) => (await ask(path)).status
const uriOf = (person: Person) => `${base}/users/${person.username}`
const cacheOf = async (path: string) => (await ask(path)).headers.get('cache-control')

async function mark(person: Person, column: 'suspended_at' | 'deleted_at'): Promise<void> {
  await app.ctx.db
    .updateTable('accounts')
    .set({ [column]: new Date() })
    .where('id', '=', person.accountId)
    .execute()
}

describe('an actor', () => {
  test('tells what others need of an account', async () => {
    const alice = await app.person('alice')
    const profile = {
      display_name: 'Alice',
      note: 'I like #gardens',
      locked: true,
      discoverable: true,
      fields_attributes: [{ name: 'Site', value: 'https://alice.example' }],
    }
    ;(await alice.patch('/api/v1/accounts/update_credentials', profile)).ok()
    const uri = uriOf(alice)
    const actor = await read(uri)
    expect(actor).toMatchObject({
      id: uri,
      type: 'Person',
      preferredUsername: alice.username,
      webfinger: `${alice.username}@chat.example`,
      name: 'Alice',
      url: `${base}/@${alice.username}`,
      inbox: `${uri}/inbox`,
      outbox: `${uri}/outbox`,
      followers: `${uri}/followers`,
      following: `${uri}/following`,
      featured: `${uri}/collections/featured`,
      featuredTags: `${uri}/collections/tags`,
      endpoints: { sharedInbox: `${base}/inbox` },
      manuallyApprovesFollowers: true,
      discoverable: true,
      attachment: [
        { type: 'PropertyValue', name: 'Site', value: expect.stringContaining('https://alice.example') },
      ],
      tag: [{ type: 'Hashtag', name: '#gardens', href: `${base}/tags/gardens` }],
    })
    expect(actor.summary).toContain('I like')
    expect(actor.published).toMatch(/T00:00:00/)
    expect(actor['@context'][0]).toBe('https://www.w3.org/ns/activitystreams')
    for (const absent of ['suspended', 'movedTo', 'alsoKnownAs', 'icon'])
      expect(actor).not.toHaveProperty(absent)
  })

  test('publishes both its keys, and the same ones each time', async () => {
    const alice = await app.person('alice')
    const [first, again] = [await read(uriOf(alice)), await read(uriOf(alice))]
    expect(first.publicKey).toMatchObject({ id: `${uriOf(alice)}#main-key`, owner: uriOf(alice) })
    const key = createPublicKey(first.publicKey.publicKeyPem)
    expect([key.asymmetricKeyType, key.asymmetricKeyDetails?.modulusLength]).toEqual(['rsa', 2048])
    expect(first.assertionMethod).toEqual([
      {
        id: `${uriOf(alice)}#ed25519-key`,
        type: 'Multikey',
        controller: uriOf(alice),
        publicKeyMultibase: expect.stringMatching(/^z6Mk/),
      },
    ])
    expect([again.publicKey, again.assertionMethod]).toEqual([first.publicKey, first.assertionMethod])
    expect(JSON.stringify(first)).not.toContain('PRIVATE')
  })

  test('is a Service for a bot', async () => {
    const robot = await app.person('robot')
    ;(await robot.patch('/api/v1/accounts/update_credentials', { bot: true })).ok()
    expect((await read(uriOf(robot))).type).toBe('Service')
  })

  test('is not there for who is not, or not yet', async () => {
    const early = await app.person('early', { confirmed: false })
    for (const path of [
      uriOf(early),
      '/users/nobody',
      '/users/nobody/outbox',
      '/@nobody',
      '/users/%00',
      '/users/a%2Fb',
    ])
      expect([path, await statusOf(path)]).toEqual([path, 404])
  })

  test('that is suspended says so and nothing else [ACC-17]', async () => {
    const alice = await app.person('alice')
    const profile = {
      display_name: 'Alice',
      note: 'a secret',
      fields_attributes: [{ name: 'a', value: 'secret' }],
    }
    ;(await alice.patch('/api/v1/accounts/update_credentials', profile)).ok()
    const post = await alice.say('hello')
    await mark(alice, 'suspended_at')
    const actor = await read(uriOf(alice))
    expect(actor).toMatchObject({ suspended: true, name: alice.username, summary: '' })
    expect(actor.publicKey.owner).toBe(uriOf(alice))
    expect(JSON.stringify(actor)).not.toMatch(/secret|Alice"|attachment|"tag"|published/)
    const below = ['outbox', 'followers', 'following', 'collections/featured', 'collections/tags']
    for (const path of [...below.map((one) => `${uriOf(alice)}/${one}`), post.uri, `${post.uri}/activity`])
      expect([path, await statusOf(path)]).toEqual([path, 403])
  })

  test('that is deleted is gone, with all of it [ACC-17]', async () => {
    const alice = await app.person('alice')
    const post = await alice.say('hello')
    await mark(alice, 'deleted_at')
    for (const path of [uriOf(alice), `/@${alice.username}`, `${uriOf(alice)}/outbox`, post.uri, post.url])
      expect([path, await statusOf(path)]).toEqual([path, 410])
  })
})

describe('the server’s own actor', () => {
  test('is an Application that signs, with an outbox in which nothing is', async () => {
    const actor = await read('/actor')
    expect(actor).toMatchObject({
      id: `${base}/actor`,
      type: 'Application',
      preferredUsername: 'chat.example',
      inbox: `${base}/actor/inbox`,
      outbox: `${base}/actor/outbox`,
      endpoints: { sharedInbox: `${base}/inbox` },
      url: `${base}/about/more?instance_actor=true`,
      publicKey: { id: `${base}/actor#main-key`, owner: `${base}/actor` },
      assertionMethod: [{ type: 'Multikey', controller: `${base}/actor` }],
    })
    expect(await read('/actor/outbox')).toMatchObject({ totalItems: 0, orderedItems: [] })
    expect(await statusOf('/actor/followers')).toBe(404)
  })
})

describe('a document or a page', () => {
  test('is chosen by what is asked for', async () => {
    const alice = await app.person('alice')
    const post = await alice.say('hello')
    const paths = [`/@${alice.username}`, new URL(post.url).pathname]
    const ids = [uriOf(alice), post.uri]
    const profile = 'https://www.w3.org/ns/activitystreams'
    const documents = [
      'application/activity+json',
      `application/ld+json; profile="${profile}"`,
      `application/ld+json;profile="${profile}", application/activity+json, application/json`,
      'application/activity+json, text/html;q=0.9, */*',
      'text/html;q=0.1, application/activity+json',
      'application/json',
    ]
    const pages = [
      'text/html',
      '*/*',
      'text/html, application/activity+json',
      'text/html,application/xhtml+xml,*/*;q=0.8',
      'application/activity+json;q=0, text/html',
    ]
    for (const [index, path] of paths.entries()) {
      for (const accept of documents) {
        const answer = await ask(path, accept)
        expect([accept, ((await answer.json()) as Json).id]).toEqual([accept, ids[index]])
        expect(answer.headers.get('vary')).toContain('Accept')
      }
      for (const accept of pages) {
        const answer = await ask(path, accept)
        expect([accept, answer.headers.get('content-type')]).toEqual([accept, 'text/html; charset=utf-8'])
        expect(answer.headers.get('vary')).toMatch(/\bAccept\b(?!-)/)
      }
    }
  })

  test('leads to the other', async () => {
    const alice = await app.person('alice')
    const post = await alice.say('hello')
    for (const [page, id] of [
      [`/@${alice.username}`, uriOf(alice)],
      [new URL(post.url).pathname, post.uri],
    ] as const) {
      const answer = await ask(page, 'text/html')
      expect(answer.headers.get('link')).toContain(
        `<${id}>; rel="alternate"; type="application/activity+json"`,
      )
      expect(await answer.text()).toContain(
        `<link rel="alternate" type="application/activity+json" href="${id}"`,
      )
      const moved = await ask(id, 'text/html')
      expect([moved.status, moved.headers.get('location')]).toEqual([301, page])
    }
  })

  test('may be kept by caches for as long as it is the same for all', async () => {
    const alice = await app.person('alice')
    const post = await alice.say('hello')
    expect(await cacheOf(uriOf(alice))).toBe('public, max-age=180')
    expect(await cacheOf(post.uri)).toBe('public, max-age=180')
    expect(await cacheOf(`${uriOf(alice)}/collections/featured`)).toBe('public, max-age=180')
    expect(await cacheOf('/actor')).toBe('public, max-age=600')
    expect(await cacheOf(`${uriOf(alice)}/outbox?page=true`)).toBe('public, max-age=60')
    expect(await cacheOf('/users/nobody')).toBe('private, no-store')
  })

  test('answers HEAD', async () => {
    const alice = await app.person('alice')
    const headers = { accept: 'application/activity+json' }
    const answer = await app.fetch(`/users/${alice.username}`, { method: 'HEAD', headers })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })
})

describe('a status', () => {
  test('is a Note with all that was posted', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const mediaId = await attachment(app.ctx, alice, 'a garden')
    const post = await alice.say(`see @${bob.username} #gardens`, {
      spoiler_text: 'plants',
      sensitive: true,
      language: 'en',
      media_ids: [mediaId],
    })
    const note = await read(post.uri)
    expect(note).toMatchObject({
      id: post.uri,
      type: 'Note',
      url: post.url,
      attributedTo: uriOf(alice),
      to: [everyone],
      cc: [`${uriOf(alice)}/followers`, uriOf(bob)],
      summary: 'plants',
      sensitive: true,
      inReplyTo: null,
      contentMap: { en: note.content },
      attachment: [{ type: 'Document', mediaType: 'image/png', name: 'a garden', width: 40, height: 30 }],
    })
    expect(note.tag).toContainEqual({
      type: 'Mention',
      href: uriOf(bob),
      name: `@${bob.username}@chat.example`,
    })
    expect(note.tag).toContainEqual({ type: 'Hashtag', href: `${base}/tags/gardens`, name: '#gardens' })
    const activity = await read(`${post.uri}/activity`)
    expect(activity).toMatchObject({ id: `${post.uri}/activity`, type: 'Create', actor: uriOf(alice) })
    expect(activity.object.id).toBe(post.uri)
    expect([activity.to, activity.cc]).toEqual([note.to, note.cc])
  })

  test('is a Question with a poll, whose numbers may be hidden until it ends', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const poll = { options: ['tea', 'coffee'], expires_in: 3600 }
    const open = await alice.say('which?', { poll })
    const secret = await alice.say('which?', { poll: { ...poll, hide_totals: true, multiple: true } })
    for (const { poll: asked } of [open, secret])
      (await bob.post(`/api/v1/polls/${asked.id}/votes`, { choices: [1] })).ok()
    expect(await read(open.uri)).toMatchObject({
      type: 'Question',
      oneOf: [
        { type: 'Note', name: 'tea', replies: { type: 'Collection', totalItems: 0 } },
        { type: 'Note', name: 'coffee', replies: { type: 'Collection', totalItems: 1 } },
      ],
      votersCount: 1,
    })
    const hidden = await read(secret.uri)
    expect(hidden.anyOf.map((one: Json) => one.replies.totalItems ?? 0)).toEqual([0, 0])
    expect(hidden).not.toHaveProperty('closed')
  })

  test('that is a boost is its Announce', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const post = await alice.say('hello')
    const boost = (await bob.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
    const uri = `${uriOf(bob)}/statuses/${boost.id}`
    for (const path of [uri, `${uri}/activity`]) {
      const announce = await read(path)
      expect(announce).toMatchObject({
        id: `${uri}/activity`,
        type: 'Announce',
        actor: uriOf(bob),
        object: post.uri,
      })
      expect([...announce.to, ...announce.cc]).toEqual(
        expect.arrayContaining([everyone, uriOf(alice), `${uriOf(bob)}/followers`]),
      )
    }
    ;(await alice.delete(`/api/v1/statuses/${post.id}`)).ok()
    expect(await statusOf(uri)).toBe(410)
  })

  test('is for those who may see it: nobody else learns that it is there [FED-55]', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const hidden = [
      await alice.say('a', { visibility: 'private' }),
      await alice.say(`@${bob.username} b`, { visibility: 'direct' }),
    ]
    const none = `${uriOf(alice)}/statuses/${BigInt(hidden[0]!.id) + 1n}`
    for (const uri of [...hidden.map((one) => one.uri), none]) {
      for (const path of ['', '/activity', '/replies', '/likes', '/shares'])
        expect([path, await statusOf(`${uri}${path}`)]).toEqual([path, 404])
    }
    const post = await alice.say('open')
    expect(await statusOf(post.uri.replace(alice.username, bob.username))).toBe(404)
  })

  test('that was deleted leaves a tombstone [FED-55]', async () => {
    const alice = await app.person('alice')
    for (const visibility of ['public', 'unlisted']) {
      const post = await alice.say('a', { visibility })
      ;(await alice.delete(`/api/v1/statuses/${post.id}`)).ok()
      const answer = await ask(post.uri)
      expect([answer.status, await answer.json()]).toMatchObject([410, { id: post.uri, type: 'Tombstone' }])
      expect([await statusOf(`${post.uri}/activity`), await statusOf(post.url)]).toEqual([410, 410])
      expect(await statusOf(`${post.uri}/replies`)).toBe(404)
    }
  })

  test('that was deleted is as if it had never been when not everybody could see it [FED-55]', async () => {
    const alice = await app.person('alice')
    for (const visibility of ['private', 'direct']) {
      const post = await alice.say('a', { visibility })
      ;(await alice.delete(`/api/v1/statuses/${post.id}`)).ok()
      expect([await statusOf(post.uri), await statusOf(`${post.uri}/activity`)]).toEqual([404, 404])
    }
  })
})
