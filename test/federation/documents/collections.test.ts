// The collections that this server shows to other servers.
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()
const base = 'https://chat.example'

const ask = (path: string) =>
  app.fetch(path.replace(base, ''), { headers: { accept: 'application/activity+json' } })

async function read(path: string): Promise<Json> {
  const answer = await ask(path)
  expect([path, answer.status]).toEqual([path, 200])
  return answer.json()
}

const statusOf = async (path: string) => (await ask(path)).status
const uriOf = (person: Person) => `${base}/users/${person.username}`

/** The items of all pages from `first` on, page by page. */
async function readPages(first: string | Json): Promise<Json[][]> {
  const pages: Json[][] = []
  let page: Json = typeof first === 'string' ? await read(first) : first
  for (;;) {
    pages.push(page.orderedItems ?? page.items)
    if (page.next === undefined || pages.length > 10) return pages
    page = await read(page.next)
  }
}

describe('the outbox', () => {
  test('has what everybody may see, twenty on a page, the newest first', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const uris: string[] = []
    for (let n = 0; n < 23; n += 1) uris.unshift((await alice.say(`post ${n}`)).uri)
    await alice.say('hidden', { visibility: 'private' })
    await alice.say(`@${bob.username} hidden`, { visibility: 'direct' })
    const boosted = await bob.say('boost me')
    ;(await alice.post(`/api/v1/statuses/${boosted.id}/reblog`)).ok()
    const entry = await read(`${uriOf(alice)}/outbox`)
    expect(entry).toMatchObject({ id: `${uriOf(alice)}/outbox`, type: 'OrderedCollection' })
    const pages = await readPages(entry.first)
    expect(pages.map((page) => page.length)).toEqual([20, 4])
    const [announce, ...creates] = pages.flat()
    expect(announce).toMatchObject({ type: 'Announce', object: boosted.uri })
    expect(creates.map((one) => [one.type, one.object.id])).toEqual(uris.map((uri) => ['Create', uri]))

    const last = await read(entry.last)
    expect(last.type).toBe('OrderedCollectionPage')
    expect(last.orderedItems.at(-1).object.id).toBe(uris.at(-1))
    const [newest] = await readPages(entry.first)
    const older = await read((await read(entry.first)).next)
    expect((await read(older.prev)).orderedItems.map((one: Json) => one.id)).toEqual(
      newest?.map((one) => one.id),
    )
  })
})

describe('followers and followed', () => {
  test('are listed twelve on a page, the newest follow first', async () => {
    const alice = await app.person('alice')
    const fans: Person[] = []
    for (let n = 0; n < 14; n += 1) {
      const fan = await app.person('fan')
      await fan.follow(alice)
      fans.unshift(fan)
    }
    const entry = await read(`${uriOf(alice)}/followers`)
    expect(entry).toMatchObject({ type: 'OrderedCollection', totalItems: 14 })
    const pages = await readPages(entry.first)
    expect(pages.map((page) => page.length)).toEqual([12, 2])
    expect(pages.flat()).toEqual(fans.map(uriOf))
    const followed = await read((await read(`${uriOf(fans[0]!)}/following`)).first)
    expect(followed.orderedItems).toEqual([uriOf(alice)])
  })

  test('are only counted when the person keeps them to themselves', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    ;(await alice.patch('/api/v1/accounts/update_credentials', { hide_collections: true })).ok()
    for (const [side, totalItems] of [
      ['followers', 1],
      ['following', 0],
    ] as const) {
      const uri = `${uriOf(alice)}/${side}`
      const entry = await read(uri)
      expect(entry).toMatchObject({ id: uri, type: 'OrderedCollection', totalItems })
      expect(Object.keys(entry).toSorted()).toEqual(['@context', 'id', 'totalItems', 'type'])
      expect(await statusOf(`${uri}?page=true`)).toBe(403)
    }
  })

  test('are told server by server only to who signs (FEP-8fcf)', async () => {
    const alice = await app.person('alice')
    expect(await statusOf(`${uriOf(alice)}/followers_synchronization`)).toBe(401)
  })
})

describe('what is featured', () => {
  test('are the pinned posts, the newest pin first, without those that not everybody may see', async () => {
    const alice = await app.person('alice')
    const [first, second] = [await alice.say('first'), await alice.say('second')]
    const hidden = await alice.say('third', { visibility: 'private' })
    for (const post of [second, first, hidden]) (await alice.post(`/api/v1/statuses/${post.id}/pin`)).ok()
    const featured = await read(`${uriOf(alice)}/collections/featured`)
    expect(featured.type).toBe('OrderedCollection')
    expect(featured.orderedItems.map((one: Json) => one.id ?? one)).toEqual([first.uri, second.uri])
    expect(featured.orderedItems[0]).toMatchObject({ type: 'Note', content: '<p>first</p>' })
  })

  test('and the hashtags', async () => {
    const alice = await app.person('alice')
    ;(await alice.post('/api/v1/featured_tags', { name: 'Gardens' })).ok()
    expect(await read(`${uriOf(alice)}/collections/tags`)).toMatchObject({
      type: 'Collection',
      totalItems: 1,
      items: [{ type: 'Hashtag', href: expect.stringMatching(/\/tags\/gardens$/i), name: '#Gardens' }],
    })
  })
})

describe('what belongs to a status', () => {
  test('the replies: those of its author first, then those of others, without hidden ones', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const post = await alice.say('a thread')
    const reply = (person: Person, more = {}) => person.say('more', { in_reply_to_id: post.id, ...more })
    const own: string[] = []
    for (let n = 0; n < 22; n += 1) own.push((await reply(alice)).uri)
    const other = await reply(bob)
    await reply(bob, { visibility: 'private' })
    await reply(alice, { visibility: 'direct' })
    const replies = await read(`${post.uri}/replies`)
    expect(replies).toMatchObject({ id: `${post.uri}/replies`, type: 'Collection' })
    const items = (await readPages(replies.first)).flat()
    expect(items.map((one) => one.id ?? one)).toEqual([...own, other.uri])
    // The document itself begins the same list.
    const inside = (await readPages((await read(post.uri)).replies.first)).flat()
    expect(inside.map((one) => one.id ?? one)).toEqual([...own, other.uri])
  })

  test('how often it was liked and boosted', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const post = await alice.say('like me')
    for (const act of ['favourite', 'reblog']) (await bob.post(`/api/v1/statuses/${post.id}/${act}`)).ok()
    for (const name of ['likes', 'shares']) {
      const collection = await read(`${post.uri}/${name}`)
      expect(collection).toMatchObject({ id: `${post.uri}/${name}`, type: 'Collection', totalItems: 1 })
      expect(JSON.stringify(collection)).not.toContain(bob.username)
    }
  })

  test('the thread (FEP-7888), without what is hidden', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const post = await alice.say('a thread')
    const answer = await bob.say('yes', { in_reply_to_id: post.id })
    await bob.say('psst', { in_reply_to_id: post.id, visibility: 'private' })
    const { context } = await read(post.uri)
    expect(context).toMatch(/^https:\/\/chat\.example\/contexts\/\d+$/)
    const thread = await read(context)
    expect(thread).toMatchObject({ id: context, type: 'Collection' })
    expect((await readPages(thread.first)).flat()).toEqual([post.uri, answer.uri])
    expect((await read(answer.uri)).context).toBe(context)
    const alone = await alice.say('psst', { visibility: 'private' })
    const { rows } = {
      rows: await app.ctx.db
        .selectFrom('statuses')
        .select('conversation_id')
        .where('id', '=', asId<StatusId>(alone.id))
        .execute(),
    }
    expect(await statusOf(`/contexts/${rows[0]?.conversation_id}`)).toBe(404)
    expect(await statusOf('/contexts/1')).toBe(404)
  })

  test('the consent to be quoted, as long as it holds (FEP-044f)', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const quoted = await alice.say('quote me')
    const quoting = await bob.say('look', { quoted_status_id: quoted.id })
    const note = await read(quoting.uri)
    expect(note).toMatchObject({ quote: quoted.uri, quoteUri: quoted.uri, _misskey_quote: quoted.uri })
    const stamp = `${uriOf(alice)}/quote_authorizations/${quoting.id}`
    expect(await read(stamp)).toMatchObject({
      id: stamp,
      type: 'QuoteAuthorization',
      attributedTo: uriOf(alice),
      interactingObject: quoting.uri,
      interactionTarget: quoted.uri,
    })
    expect(await statusOf(`${uriOf(bob)}/quote_authorizations/${quoting.id}`)).toBe(404)
    ;(await alice.post(`/api/v1/statuses/${quoted.id}/quotes/${quoting.id}/revoke`)).ok()
    expect(await statusOf(stamp)).toBe(404)
  })
})

test('a custom emoji is a document of its own', async () => {
  await app.ctx.db
    .insertInto('custom_emojis')
    .values({
      id: app.ctx.newId(),
      shortcode: 'blobcat',
      image_key: 'emoji/blobcat.png',
      static_key: 'emoji/blobcat.png',
    })
    .execute()
  const alice = await app.person('alice')
  const post = await alice.say('look :blobcat:')
  const [tag] = (await read(post.uri)).tag
  expect(tag).toMatchObject({
    type: 'Emoji',
    name: ':blobcat:',
    icon: { type: 'Image', mediaType: 'image/png' },
  })
  expect(await read(tag.id)).toMatchObject({ id: tag.id, name: ':blobcat:', icon: tag.icon })
  expect(await statusOf('/emojis/nothing')).toBe(404)
})
