// The foreign servers of the network tests among themselves: what fails here is not Stonechat's fault.
import { Announce, Create, Follow, Like, Note } from '@fedify/fedify/vocab'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startFedifyPeer, type FedifyPeerOptions } from '#test/servers/fedify-peer.ts'
import { isNight } from '#test/run/night.ts'
import { snacMissing, startSnac } from '#test/servers/snac.ts'

async function peer(address: string, options?: FedifyPeerOptions) {
  const started = await startFedifyPeer(address, options)
  onTestFinished(() => started.stop())
  return started
}

describe('two servers on Fedify', () => {
  test('follow, publish and vote', async () => {
    const [one, two] = [await peer('127.0.3.4'), await peer('127.0.3.5')]
    const [ann, bob] = [await one.actor('ann'), await two.actor('bob', { locked: true })]
    await ann.follow(bob.uri)
    expect([bob.requests, bob.followers, ann.following]).toEqual([[ann.uri], [], []])
    await bob.accept(ann.uri)
    expect([bob.requests, bob.followers, ann.following]).toEqual([[], [ann.uri], [bob.uri]])
    const secret = await bob.post('For followers', { visibility: 'private' })
    expect(await ann.read(secret)).toBeInstanceOf(Note)
    expect((await fetch(secret, { headers: { accept: 'application/activity+json' } })).status).toBe(401)
    const poll = await bob.post('Which?', { options: ['red', 'blue'] })
    await ann.vote(poll, 'blue')
    await expect(ann.vote(poll, 'green')).rejects.toThrow(/500/)
    expect(one.received(Create).map(({ objectId }) => objectId?.href)).toEqual([secret, poll])
    expect(await one.isProven(one.received(Create)[0] as Create)).toBe(true)
    expect([one.problems, [...new Set(two.problems)]]).toEqual([[], ['a vote for green, which is no option']])
  })

  test('note what is signed by nobody', async () => {
    const one = await peer('127.0.3.4')
    const ann = await one.actor('ann')
    const body = {
      '@context': 'https://www.w3.org/ns/activitystreams',
      type: 'Follow',
      actor: ann.uri,
      object: ann.uri,
    }
    const headers = { 'content-type': 'application/activity+json' }
    const answer = await fetch(`${one.url}/inbox`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(401)
    expect([one.received(Follow), one.problems.length]).toEqual([[], 1])
  })
})

// Each of the two is met by this server by day: foreign-snac.test.ts, foreign-fedify.test.ts.
describe.skipIf(snacMissing || !isNight)('snac and Fedify (at night, where snac is installed)', () => {
  test('follow and react', async () => {
    // snac knows the older kind of signatures alone, and answers 202 to any.
    const one = await peer('127.0.3.4', { firstKnock: 'draft-cavage-http-signatures-12' })
    const snac = await startSnac('127.0.3.6')
    onTestFinished(() => snac.stop())
    const [ann, joe] = [await one.actor('ann'), await snac.user('joe')]
    await joe.run('follow', ann.handle)
    await ann.follow(joe.uri)
    await snac.settle()
    expect([ann.followers, ann.following, await joe.isFollowAccepted(ann.uri)]).toEqual([
      [joe.uri],
      [joe.uri],
      true,
    ])
    const id = await ann.post('Hello')
    await snac.settle()
    expect((await joe.status(id)).content).toContain('Hello')
    await joe.press('Like', { id })
    await joe.press('Boost', { id })
    const answer = await joe.note('Hello back', { replyTo: id })
    await snac.settle()
    expect([one.received(Like).length, one.received(Announce).length]).toEqual([1, 1])
    expect(one.received(Create).map(({ objectId }) => objectId?.href)).toEqual([answer])
    expect(one.problems).toEqual([])
  })
})
