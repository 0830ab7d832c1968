// What posts show of accounts and emoji of other servers follows when these change, however long the posts were kept.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { saveActor } from '#federation/ingest/actors/actor.ts'
import { arriveWanted } from '#test/people/remote-statuses.ts'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork()

async function setUp(host: string) {
  const app = await network.server()
  return { app, peer: await network.peer(host), person: await app.person('ann') }
}

const png = (background: string) =>
  sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .png()
    .toBuffer()

test('the files of a server that are refused are shown nowhere, and again when they are taken', async () => {
  const { app, peer, person } = await setUp('127.0.0.2')
  const admin = await app.person('admin', { role: 'Admin' })
  const icon = { type: 'Image', url: peer.url('/nowhere.png') }
  const tag = [{ type: 'Emoji', id: peer.url('/owl'), name: ':owl:', icon }]
  const actor = await peer.actor('other', { name: 'Other :owl:', icon, tag })
  const { id } = await app.find(person, actor.handle)
  const statusId = await arriveWanted(app, actor, actor.note('hi :owl:', { tag }))
  const look = async () => {
    const account = (await person.get(`/api/v1/accounts/${id}`)).ok()
    const status = (await person.get(`/api/v1/statuses/${statusId}`)).ok()
    return [account.avatar.includes('missing'), account.emojis.length, status.emojis.length]
  }
  const [refused, taken] = [
    [true, 0, 0],
    [false, 1, 1],
  ]
  expect(await look()).toEqual(taken)
  const blocks = '/api/v1/admin/domain_blocks'
  const terms = { domain: peer.domain.replace(/:\d+$/, ''), severity: 'noop' }
  const block = (await admin.post(blocks, { ...terms, reject_media: true })).ok()
  await app.settle()
  expect(await look()).toEqual(refused)
  ;(await admin.put(`${blocks}/${block.id}`, { reject_media: false })).ok()
  await app.settle()
  expect(await look()).toEqual(taken)
  ;(await admin.put(`${blocks}/${block.id}`, { reject_media: true })).ok()
  await app.settle()
  expect(await look()).toEqual(refused)
  ;(await admin.delete(`${blocks}/${block.id}`)).ok()
  await app.settle()
  expect(await look()).toEqual(taken)
})

test('old posts show an emoji with the picture that it has now', async () => {
  const { app, peer, person } = await setUp('127.0.0.3')
  for (const color of ['red', 'blue']) peer.put(`/${color}.png`, await png(color), { type: 'image/png' })
  const actor = await peer.actor('bob')
  const post = (color: string, updated: string) => {
    const icon = { type: 'Image', url: peer.url(`/${color}.png`) }
    const tag = [{ type: 'Emoji', id: peer.url('/owl'), name: ':owl:', updated, icon }]
    return arriveWanted(app, actor, actor.note(`${color} :owl:`, { tag }))
  }
  const urlIn = async (id: string) => (await person.get(`/api/v1/statuses/${id}`)).ok().emojis[0]?.url
  const old = await post('red', '2026-01-01T00:00:00Z')
  const before = await urlIn(old)
  // Some say with every post that their emoji have changed.
  await post('red', '2026-01-02T00:00:00Z')
  expect(await urlIn(old)).toBe(before)
  await network.advance(3 * 86_400_000)
  const now = await urlIn(await post('blue', '2026-02-01T00:00:00Z'))
  expect(now).not.toBe(before)
  expect(await urlIn(old)).toBe(now)
})

test('posts that name somebody lead to the page that they have now', async () => {
  const { app, peer, person } = await setUp('127.0.0.4')
  const actor = await peer.actor('bob', { url: peer.url('/@bob') })
  await app.find(person, actor.handle)
  const post = await person.say(`hi @${actor.handle}`)
  expect(post.mentions).toMatchObject([{ url: peer.url('/@bob') }])
  await saveActor(app.ctx, actor.change({ url: peer.url('/people/bob') }))
  await app.settle()
  const { mentions } = (await person.get(`/api/v1/statuses/${post.id}`)).ok()
  expect(mentions).toMatchObject([{ url: peer.url('/people/bob') }])
})
