// The order in which other servers are told of things, whichever worker tells them.
import { describe, expect, test } from 'vitest'
import { claimEvents } from '#db/outbox.ts'
import { useNetwork } from '#test/servers/network.ts'
import { arriveWanted } from '#test/people/remote-statuses.ts'

const network = useNetwork()
const lease = 120_000

/** Alice has done it to bob elsewhere, who was told; `undo` and `redo` are not told yet. */
async function setUp(what: string) {
  const app = await network.server()
  const peer = await network.peer()
  const [alice, bob] = [await app.person('alice'), await peer.actor('bob')]
  await bob.follow(app.uriOf(alice))
  await app.settle()
  const statusId = await arriveWanted(app, bob, bob.note('again'))
  const { id } = await app.find(alice, bob.handle)
  const path = what === 'favourite' ? `/api/v1/statuses/${statusId}` : `/api/v1/accounts/${id}`
  const redo = () => alice.post(`${path}/${what}`)
  await redo()
  await app.settle()
  peer.inbox.clear()
  /** A worker takes what waits, and dies. */
  const takeAndDie = () => {
    const now = app.clock.now()
    return claimEvents(app.ctx.db, { now, until: now + lease, limit: 50 })
  }
  return { app, peer, undo: () => alice.post(`${path}/un${what}`), redo, takeAndDie }
}

const types: Record<string, string> = { favourite: 'Like', follow: 'Follow', block: 'Block' }

describe.each(Object.keys(types))('what is done, taken back and done again: %s', (what) => {
  test('is told in its order, also when a worker dies that had the one and another one has the other [ROB-8]', async () => {
    const { app, peer, undo, redo, takeAndDie } = await setUp(what)
    await undo()
    await takeAndDie()
    await redo()
    await app.settle()
    expect(peer.inbox.types()).toEqual([])
    app.clock.advance(lease + 1)
    await app.settle()
    app.clock.advance(1_000)
    await app.settle()
    expect(peer.inbox.types()).toEqual(['Undo', types[what]])
  })

  test('is told in its order when the worker that had a part of it begins anew [ROB-1]', async () => {
    const { app, peer, undo, redo, takeAndDie } = await setUp(what)
    await undo()
    await takeAndDie()
    await redo()
    app.clock.advance(lease + 1)
    await app.settle()
    app.clock.advance(1_000)
    await app.settle()
    expect(peer.inbox.types()).toEqual(['Undo', types[what]])
  })
})
