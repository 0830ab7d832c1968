// Servers that do not answer hold up what is wanted of them, and nothing else.
import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '#test/app/databases.ts'
import { startLiveApp } from '#test/app/live-app.ts'
import { meet, relationshipOf } from '#test/people/meeting.ts'
import { arriveWanted } from '#test/people/remote-statuses.ts'
import { personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { often } from '#test/run/patience.ts'
import { useNetwork } from '#test/servers/network.ts'
import { startRemote } from '#test/servers/remote-server.ts'

const network = useNetwork()
const tenMinutes = 10 * 60_000

test('a mail is sent while links of many posts are waited for [ROB-8]', async () => {
  const database = await freshDatabase()
  const mails: string[] = []
  const onMail = async ({ to }: { to: string }) => void mails.push(to)
  const env = { LOCAL_HTTPS: 'false', ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }
  const app = await startLiveApp({ databaseUrl: database.url, env, onMail })
  onTestFinished(async () => {
    await app.close()
    await database.drop()
  })
  const held = new Set<ServerResponse>()
  let atOnce = 0
  const silent = await startRemote('127.0.0.6', (_, response) => {
    held.add(response.on('close', () => held.delete(response)))
    atOnce = Math.max(atOnce, held.size)
  })
  const alice = await app.person('alice')
  const links = 20
  for (let i = 0; i < links; i += 1) await alice.say(silent.url(`/${i}`))
  await expect.poll(() => silent.requests.length, often).toBeGreaterThan(3)
  await app.ctx.transaction((tx) => tx.emit({ type: 'password-reset.asked', email: alice.email }))
  await expect.poll(() => mails, often).toEqual([alice.email])
  // Had it waited in line, all of them would have been asked before it.
  expect(silent.requests.length).toBeLessThan(links / 2)
  expect(atOnce).toBeLessThanOrEqual(6)
})

test('whom an import names on other servers is followed meanwhile, and they are when they answer', async () => {
  const app = await network.server()
  const [slow, quick] = [await network.peer('127.0.0.4'), await network.peer('127.0.0.5')]
  const [zoe, yan] = [await slow.actor('zoe'), await quick.actor('yan')]
  const ann = await personWithPassword(app, 'ann')
  const browser = await signedIn(app, ann)
  const page = await browser.get('/settings/imports')
  const rows = ['Account address', zoe.handle, yan.handle].join('\n')
  const content = new File([rows], 'mine.csv', { type: 'text/csv' })
  const what = { type: 'following', mode: 'merge' }
  const sent = await browser.upload(page.form('/settings/imports'), what, { name: 'data', content })
  const shown = await browser.get(new URL(sent.location as string, 'http://x').pathname)
  await browser.submit(shown.forms.find((form) => form.action.endsWith('/confirm'))!)
  const goOn = slow.hold()
  const settled = app.settle()
  await expect.poll(() => quick.requests.map(({ path }) => path), often).toContain('/users/yan')
  goOn()
  await settled
  expect([slow.inbox.types(), quick.inbox.types()]).toEqual([['Follow'], ['Follow']])
  const { id } = await app.find(ann, zoe.handle)
  expect(await relationshipOf(ann, id)).toMatchObject({ requested: true })
})

test('replies from other servers come meanwhile, and theirs when they answer', async () => {
  const meeting = await meet(network)
  const { app, alice, bob, peer } = meeting
  const [slow, quick] = [await network.peer('127.0.0.4'), await network.peer('127.0.0.5')]
  const [zoe, yan] = [await slow.actor('zoe'), await quick.actor('yan')]
  const root = bob.note('root')
  const [late, soon] = [zoe.note('late', { inReplyTo: root.id }), yan.note('soon', { inReplyTo: root.id })]
  root['replies'] = `${root.id}/replies`
  const list = { id: root['replies'], type: 'Collection', items: [late.id, soon.id] }
  peer.put(new URL(`${root.id}/replies`).pathname, list)
  const id = await arriveWanted(app, bob, root)
  await network.advance(tenMinutes)
  const replies = async () =>
    (await alice.get(`/api/v1/statuses/${id}/context`))
      .ok()
      .descendants.map(({ uri }: { uri: string }) => uri)
  await replies()
  const goOn = slow.hold()
  const settled = app.settle()
  await expect.poll(replies, often).toEqual([soon.id])
  goOn()
  await settled
  expect(await replies()).toEqual(expect.arrayContaining([late.id, soon.id]))
})
