import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { startApp, useApp, type TestApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'

const app = useApp()

const finger = (resource: string, on: Pick<TestApp, 'fetch'> = app) =>
  on.fetch(`/.well-known/webfinger?resource=${encodeURIComponent(resource)}`)

async function descriptor(resource: string, on: Pick<TestApp, 'fetch'> = app): Promise<Json> {
  const answer = await finger(resource, on)
  expect(answer.status).toBe(200)
  return answer.json()
}

describe('WebFinger (RFC 7033)', () => {
  test('answers a descriptor with its type, open to other origins [AUTH-19]', async () => {
    const alice = await app.person('alice')
    const answer = await finger(`acct:${alice.username}@chat.example`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/jrd\+json/)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('cache-control')).toContain('max-age=259200')
    const profile = `https://chat.example/@${alice.username}`
    const actor = `https://chat.example/users/${alice.username}`
    const body: Json = await answer.json()
    expect(body.subject).toBe(`acct:${alice.username}@chat.example`)
    expect(body.aliases).toEqual([profile, actor])
    expect(body.links).toEqual(
      expect.arrayContaining([
        { rel: 'http://webfinger.net/rel/profile-page', type: 'text/html', href: profile },
        { rel: 'self', type: 'application/activity+json', href: actor },
        {
          rel: 'http://ostatus.org/schema/1.0/subscribe',
          template: 'https://chat.example/authorize_interaction?uri={uri}',
        },
      ]),
    )
  })

  test('finds by handle, profile and actor, in any case', async () => {
    const alice = await app.person('alice')
    const subject = `acct:${alice.username}@chat.example`
    const resources = [
      `acct:${alice.username.toUpperCase()}@CHAT.example`,
      `${alice.username}@chat.example`,
      `acct:@${alice.username}@chat.example`,
      `https://chat.example/@${alice.username}`,
      `https://chat.example/users/${alice.username}`,
    ]
    for (const resource of resources) expect(await descriptor(resource)).toMatchObject({ subject })
  })

  test('tells the avatar when there is one', async () => {
    const alice = await app.person('alice')
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const avatar = `data:image/png;base64,${picture.toString('base64')}`
    const account = (await alice.patch('/api/v1/accounts/update_credentials', { avatar })).ok()
    const { links } = await descriptor(`acct:${alice.username}@chat.example`)
    expect(links).toContainEqual({
      rel: 'http://webfinger.net/rel/avatar',
      type: 'image/png',
      href: account.avatar,
    })
  })

  test('400 without a resource, 404 for what is not ours [SSRF-14]', async () => {
    const alice = await app.person('alice')
    const early = await app.person('early', { confirmed: false })
    expect((await app.fetch('/.well-known/webfinger')).status).toBe(400)
    expect((await app.fetch('/.well-known/webfinger?resource=')).status).toBe(400)
    const unknown = [
      'acct:nobody@chat.example',
      `acct:${early.username}@chat.example`,
      `acct:${alice.username}@elsewhere.example`,
      `acct:${alice.username}`,
      `acct:${alice.username}@chat.example/path`,
      `acct:${alice.username}@chat.example#x`,
      `https://elsewhere.example/@${alice.username}`,
      `https://chat.example/@${alice.username}/1`,
      'https://chat.example/',
      'https://[bad',
      'mailto:x@chat.example',
    ]
    for (const resource of unknown) expect((await finger(resource)).status).toBe(404)
  })

  test('410 for a deleted account, but not for one that may come back [ACC-17]', async () => {
    const alice = await app.person('alice')
    const mark = (column: 'suspended_at' | 'deleted_at') =>
      app.ctx.db
        .updateTable('accounts')
        .set({ [column]: new Date() })
        .where('id', '=', alice.accountId)
        .execute()
    await mark('suspended_at')
    expect((await finger(`acct:${alice.username}@chat.example`)).status).toBe(200)
    await mark('deleted_at')
    expect((await finger(`acct:${alice.username}@chat.example`)).status).toBe(410)
  })

  test('the server itself answers by its domain', async () => {
    const body = await descriptor('acct:chat.example@chat.example')
    expect(body.links).toContainEqual({
      rel: 'self',
      type: 'application/activity+json',
      href: 'https://chat.example/actor',
    })
    expect((await descriptor('https://chat.example/actor')).subject).toBe('acct:chat.example@chat.example')
  })

  test('handles are of LOCAL_DOMAIN, addresses of WEB_DOMAIN', async () => {
    const split = await startApp({ env: { LOCAL_DOMAIN: 'example.org', WEB_DOMAIN: 'social.example.org' } })
    try {
      const alice = await split.person('alice')
      for (const domain of ['example.org', 'social.example.org']) {
        const body = await descriptor(`acct:${alice.username}@${domain}`, split)
        expect(body.subject).toBe(`acct:${alice.username}@example.org`)
        expect(body.aliases).toContain(`https://social.example.org/users/${alice.username}`)
      }
      expect((await finger(`https://social.example.org/@${alice.username}`, split)).status).toBe(200)
    } finally {
      await split.close()
    }
  })

  test('a domain with a port, over http, as on loopback', async () => {
    const local = await startApp({ env: { LOCAL_DOMAIN: '127.0.0.1:4000', LOCAL_HTTPS: 'false' } })
    try {
      const alice = await local.person('alice')
      const body = await descriptor(`acct:${alice.username}@127.0.0.1:4000`, local)
      expect(body.aliases).toContain(`http://127.0.0.1:4000/users/${alice.username}`)
      expect((await finger(`http://127.0.0.1:4000/@${alice.username}`, local)).status).toBe(200)
      expect((await finger(`acct:${alice.username}@127.0.0.1:4001`, local)).status).toBe(404)
    } finally {
      await local.close()
    }
  })
})

describe('host-meta (RFC 6415)', () => {
  const template = 'https://chat.example/.well-known/webfinger?resource={uri}'

  test('is XRD', async () => {
    const answer = await app.fetch('/.well-known/host-meta')
    expect(answer.headers.get('content-type')).toMatch(/^application\/xrd\+xml/)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.text()).toContain(`<Link rel="lrdd" template="${template}"/>`)
  })

  test('is JSON where that is asked for', async () => {
    const expected = { links: [{ rel: 'lrdd', template }] }
    const asked = await app.fetch('/.well-known/host-meta', { headers: { accept: 'application/json' } })
    expect(await asked.json()).toEqual(expected)
    expect(await (await app.fetch('/.well-known/host-meta.json')).json()).toEqual(expected)
  })
})

test('short cuts lead to our own pages', async () => {
  const password = await app.fetch('/.well-known/change-password')
  expect([password.status, password.headers.get('location')]).toEqual([302, 'https://chat.example/auth/edit'])
  const proxy = await app.fetch('/.well-known/proxy?uri=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y')
  expect(proxy.headers.get('location')).toBe(
    'https://chat.example/authorize_interaction?uri=https%3A%2F%2Fa.example%2F%3Fx%3D1%26y',
  )
  expect((await app.fetch('/.well-known/proxy')).status).toBe(400)
})
