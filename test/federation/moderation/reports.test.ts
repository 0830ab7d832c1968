// Reports that leave this server, and those that come from others.
import { describe, expect, test } from 'vitest'
import type { Json } from '#test/client/client.ts'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork()
const path = '/api/v1/reports'

/** Bob, elsewhere, answers carol, who is on a third server, and alice sees it. */
async function setUp() {
  const app = await network.server()
  const [peer, third] = [await network.peer('127.0.0.2'), await network.peer('127.0.0.3')]
  const [alice, moderator] = [await app.person('alice'), await app.person('moderator', { role: 'Moderator' })]
  const [bob, carol] = [await peer.actor('bob'), await third.actor('carol')]
  const question = carol.note('question')
  const answer = bob.note('rude answer', { inReplyTo: question.id })
  await app.find(alice, question.id)
  const seen = await app.find(alice, answer.id)
  await app.settle()
  for (const one of [peer, third]) one.inbox.clear()
  return { app, peer, third, alice, moderator, bob, carol, answer, report: reportOf(seen) }
}

const reportOf = (seen: Json) => ({
  account_id: seen.account.id,
  status_ids: [seen.id],
  comment: 'this is rude',
  forward: true,
})

describe('a report', () => {
  test('is forwarded by the server, which does not say who made it', async () => {
    const { app, peer, third, alice, bob, answer, report } = await setUp()
    expect((await alice.post(path, report)).ok()).toMatchObject({ forwarded: true })
    await app.settle()
    const [post, ...more] = await peer.received('Flag')
    expect(more).toEqual([])
    expect(post).toMatchObject({ signer: `${app.baseUrl}/actor`, problem: null })
    expect(post?.json).toMatchObject({
      type: 'Flag',
      id: expect.stringContaining(`${app.baseUrl}/`),
      actor: `${app.baseUrl}/actor`,
      content: 'this is rude',
      object: [bob.uri, answer.id],
    })
    for (const secret of [alice.username, alice.accountId])
      expect(JSON.stringify([post?.json, post?.headers])).not.toContain(secret)
    expect(third.inbox.of('Flag')).toEqual([])
  })

  test('goes to the servers of those who were answered too, where that is asked for [4-57]', async () => {
    const { app, peer, third, alice, report } = await setUp()
    const forward_to_domains = [peer.domain, third.domain, 'nobody.example']
    ;(await alice.post(path, { ...report, forward_to_domains })).ok()
    await app.settle()
    expect([peer.inbox.of('Flag').length, third.inbox.of('Flag').length]).toEqual([1, 1])
    for (const one of [peer, third]) one.inbox.clear()
    ;(await alice.post(path, { ...report, forward_to_domains: [third.domain] })).ok()
    await app.settle()
    expect([peer.inbox.of('Flag').length, third.inbox.of('Flag').length]).toEqual([0, 1])
  })

  test('stays here unless it is to be forwarded', async () => {
    const { app, peer, third, alice, report } = await setUp()
    ;(
      await alice.post(path, { ...report, forward: false, forward_to_domains: [peer.domain, third.domain] })
    ).ok()
    await app.settle()
    expect([peer.inbox.length, third.inbox.length]).toEqual([0, 0])
  })
})

describe('a Flag', () => {
  test('reaches staff, with what it names, once', async () => {
    const { app, peer, alice, moderator } = await setUp()
    const post = await alice.say('what they report')
    const activity = {
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: peer.url('/flags/1'),
      type: 'Flag',
      actor: peer.instanceActor.uri,
      content: 'look at this',
      object: [app.uriOf(alice), post.uri],
    }
    app.mails.length = 0
    for (let i = 0; i < 2; i += 1) {
      expect((await peer.instanceActor.send(activity)).status).toBe(202)
      await app.settle()
    }
    const notices = (await moderator.get('/api/v1/notifications', { types: ['admin.report'] })).ok()
    expect(notices.map((one: Json) => one.report)).toMatchObject([
      {
        comment: 'look at this',
        category: 'other',
        status_ids: [post.id],
        target_account: { id: alice.accountId },
      },
    ])
    expect(app.mails.filter((mail) => mail.to === moderator.email)).toHaveLength(1)
  })

  test('of a server of which no reports are taken is dropped', async () => {
    const { app, peer, alice, moderator } = await setUp()
    const admin = await app.person('admin', { role: 'Admin' })
    const terms = { domain: peer.domain.replace(/:\d+$/, ''), severity: 'noop', reject_reports: true }
    const { id } = (await admin.post('/api/v1/admin/domain_blocks', terms)).ok()
    const object = [app.uriOf(alice)]
    const activity = { id: peer.url('/flags/2'), type: 'Flag', actor: peer.instanceActor.uri, object }
    expect((await peer.instanceActor.send({ '@context': [], ...activity })).status).toBe(202)
    await app.settle()
    expect((await moderator.get('/api/v1/notifications', { types: ['admin.report'] })).ok()).toEqual([])
    await admin.delete(`/api/v1/admin/domain_blocks/${id}`)
  })
})
