// Our documents as a strict reader of JSON-LD understands them: Fedify's vocabulary, with the contexts it has built in.
import { getDocumentLoader } from '@fedify/fedify'
import {
  Announce,
  Collection,
  Create,
  Document,
  Emoji,
  Hashtag,
  Image,
  Mention,
  Note,
  OrderedCollection,
  Person,
  PropertyValue,
  PUBLIC_COLLECTION,
  Question,
} from '@fedify/fedify/vocab'
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { attachment } from '#test/people/attachment.ts'
import type { Json } from '#test/client/client.ts'
import type { Person as TestPerson } from '#test/people/people.ts'

const app = useApp()
const base = 'https://chat.example'
const builtIn = getDocumentLoader()
const known = ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1']

/** Fetches nothing: contexts are those that every reader has, and no document leads to another one. */
const reading = {
  contextLoader: async (url: string) => {
    if (!known.includes(url)) throw new Error(`no reader has the context ${url}`)
    return builtIn(url)
  },
  documentLoader: async (url: string) => {
    throw new Error(`${url} is fetched to read what is there already`)
  },
}

async function get(address: string): Promise<Json> {
  const headers = { accept: 'application/activity+json' }
  const answer = await app.fetch(address.replace(base, ''), { headers })
  expect([address, answer.status]).toEqual([address, 200])
  return answer.json()
}

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const uriOf = (person: TestPerson) => `${base}/users/${person.username}`
const hrefs = (urls: readonly (URL | null)[]) => urls.map((url) => url?.href)

test('an actor', async () => {
  const alice = await app.person('alice')
  const fields = [{ name: 'Site', value: 'https://alice.example' }]
  const profile = { display_name: 'Alice', note: 'I like #gardens', locked: true, fields_attributes: fields }
  ;(await alice.patch('/api/v1/accounts/update_credentials', { ...profile, indexable: true })).ok()
  await app.ctx.db
    .updateTable('accounts')
    .set({ avatar_key: 'avatars/a.png', also_known_as: ['https://old.example/users/alice'] })
    .where('id', '=', alice.accountId)
    .execute()
  const actor = await Person.fromJsonLd(await get(uriOf(alice)), reading)
  expect(actor.id?.href).toBe(uriOf(alice))
  expect([actor.name, actor.preferredUsername, actor.manuallyApprovesFollowers]).toEqual([
    'Alice',
    alice.username,
    true,
  ])
  expect([actor.indexable, actor.discoverable, actor.suspended]).toEqual([true, false, null])
  expect(
    hrefs([
      actor.inboxId,
      actor.outboxId,
      actor.followersId,
      actor.followingId,
      actor.featuredId,
      actor.featuredTagsId,
    ]),
  ).toEqual(
    ['inbox', 'outbox', 'followers', 'following', 'collections/featured', 'collections/tags'].map(
      (path) => `${uriOf(alice)}/${path}`,
    ),
  )
  expect(actor.endpoints?.sharedInbox?.href).toBe(`${base}/inbox`)
  expect(hrefs([...actor.aliasIds])).toEqual(['https://old.example/users/alice'])
  const icon = await actor.getIcon(reading)
  expect([icon instanceof Image, icon?.mediaType]).toEqual([true, 'image/png'])
  const [field] = await listOf(actor.getAttachments(reading))
  expect([field instanceof PropertyValue, field?.name?.toString()]).toEqual([true, 'Site'])
  const [tag] = await listOf(actor.getTags(reading))
  expect([tag instanceof Hashtag, tag?.name?.toString()]).toEqual([true, '#gardens'])
  const key = await actor.getPublicKey(reading)
  expect([key?.id?.href, key?.ownerId?.href, key?.publicKey?.algorithm.name]).toEqual([
    `${uriOf(alice)}#main-key`,
    uriOf(alice),
    'RSASSA-PKCS1-v1_5',
  ])
  const [multikey] = await listOf(actor.getAssertionMethods(reading))
  expect([multikey?.id?.href, multikey?.controllerId?.href, multikey?.publicKey?.algorithm.name]).toEqual([
    `${uriOf(alice)}#ed25519-key`,
    uriOf(alice),
    'Ed25519',
  ])
})

test('a Note, and its Create', async () => {
  await app.ctx.db
    .insertInto('custom_emojis')
    .values({
      id: app.ctx.newId(),
      shortcode: 'blobcat',
      image_key: 'emoji/blobcat.png',
      static_key: 'emoji/blobcat.png',
    })
    .execute()
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const parent = await bob.say('what grows?')
  const post = await alice.say(`@${bob.username} see #gardens :blobcat:`, {
    in_reply_to_id: parent.id,
    spoiler_text: 'plants',
    language: 'en',
    media_ids: [await attachment(app.ctx, alice, 'a garden')],
  })
  const note = await Note.fromJsonLd(await get(post.uri), reading)
  expect(hrefs([note.id, note.attributionId, note.replyTargetId])).toEqual([
    post.uri,
    uriOf(alice),
    parent.uri,
  ])
  expect(hrefs([...note.toIds])).toEqual([PUBLIC_COLLECTION.href])
  expect(hrefs([...note.ccIds])).toEqual([`${uriOf(alice)}/followers`, uriOf(bob)])
  expect([note.summary?.toString(), note.sensitive, note.url?.toString()]).toEqual(['plants', true, post.url])
  expect(note.contents.map((one) => (typeof one === 'string' ? null : one.locale.toString()))).toContain('en')
  expect(note.published?.toString()).toMatch(/^20/)
  const tags = await listOf(note.getTags(reading))
  expect(tags.map((tag) => [tag.constructor, tag.name?.toString()])).toEqual([
    [Mention, `@${bob.username}@chat.example`],
    [Hashtag, '#gardens'],
    [Emoji, ':blobcat:'],
  ])
  const [media] = await listOf(note.getAttachments(reading))
  expect(media).toBeInstanceOf(Document)
  expect([media?.name?.toString(), (media as Document).width, (media as Document).mediaType]).toEqual([
    'a garden',
    40,
    'image/png',
  ])
  expect(hrefs([note.repliesId, note.likesId, note.sharesId])).toEqual(
    ['replies', 'likes', 'shares'].map((name) => `${post.uri}/${name}`),
  )
  const create = await Create.fromJsonLd(await get(`${post.uri}/activity`), reading)
  expect(hrefs([create.id, create.actorId, create.objectId])).toEqual([
    `${post.uri}/activity`,
    uriOf(alice),
    post.uri,
  ])
  expect(await create.getObject(reading)).toBeInstanceOf(Note)
})

test('a Question', async () => {
  const alice = await app.person('alice')
  const post = await alice.say('which?', { poll: { options: ['tea', 'coffee'], expires_in: 3600 } })
  const question = await Question.fromJsonLd(await get(post.uri), reading)
  const options = await listOf(question.getExclusiveOptions(reading))
  expect(options.map((one) => one.name?.toString())).toEqual(['tea', 'coffee'])
  expect([question.voters, question.endTime?.toString().slice(0, 2), question.closed]).toEqual([
    0,
    '20',
    null,
  ])
})

test('an Announce', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const post = await alice.say('hello')
  const boost = (await bob.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
  const announce = await Announce.fromJsonLd(
    await get(`${uriOf(bob)}/statuses/${boost.id}/activity`),
    reading,
  )
  expect(hrefs([announce.actorId, announce.objectId])).toEqual([uriOf(bob), post.uri])
  expect(hrefs([...announce.toIds, ...announce.ccIds])).toEqual(
    expect.arrayContaining([PUBLIC_COLLECTION.href, uriOf(alice), `${uriOf(bob)}/followers`]),
  )
})

test('a quote, with the properties that others look for', async () => {
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const quoted = await alice.say('quote me')
  const quoting = await bob.say('look', { quoted_status_id: quoted.id })
  const note = await Note.fromJsonLd(await get(quoting.uri), reading)
  expect(note.quoteUrl?.href).toBe(quoted.uri)
})

test('collections', async () => {
  const alice = await app.person('alice')
  const post = await alice.say('hello')
  const outbox = await OrderedCollection.fromJsonLd(await get(`${uriOf(alice)}/outbox`), reading)
  expect([outbox.totalItems, outbox.firstId?.href]).toEqual([1, `${uriOf(alice)}/outbox?page=true`])
  const replies = await Collection.fromJsonLd(await get(`${post.uri}/replies`), reading)
  expect(replies.id?.href).toBe(`${post.uri}/replies`)
  const [seen] = (await get(`${uriOf(alice)}/outbox?page=true`)).orderedItems
  expect(
    (await Create.fromJsonLd({ '@context': (await get(post.uri))['@context'], ...seen }, reading)).objectId
      ?.href,
  ).toBe(post.uri)
})
