import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { minutes } from '#test/app/clock.ts'
import { claimEvents, countAttempt } from '#db/outbox.ts'
import { listFailedWork } from '#db/failed-work.ts'
import { drainOutbox, releaseClaims } from './outbox.ts'

const app = useApp()

/** What a process leaves that takes all waiting events and dies. */
async function die(): Promise<void> {
  const now = app.clock.now()
  await claimEvents(app.ctx.db, { now, until: now + 1_000, limit: 100 })
  await releaseClaims(app.ctx)
}

const failed = () => listFailedWork(app.ctx.db)

describe('events of a process that died', () => {
  test('are done by the next one, however often that happened while others were at work', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    await app.settle()
    await bob.get('/api/v1/timelines/home')
    const status = await alice.say('still here')
    for (let i = 0; i < 20; i++) await die()
    expect(await drainOutbox(app.ctx)).toBe(1)
    expect(await failed()).toEqual([])
    const home = (await bob.get('/api/v1/timelines/home')).ok()
    expect(home.map((entry: { id: string }) => entry.id)).toEqual([status.id])
  })

  test('are left alone until the lease has run out', async () => {
    const alice = await app.person('alice')
    await app.settle()
    await alice.say('mine')
    const now = app.clock.now()
    await claimEvents(app.ctx.db, { now, until: now + 60_000, limit: 100 })
    expect(await drainOutbox(app.ctx)).toBe(0)
    app.clock.advance(60_001)
    expect(await drainOutbox(app.ctx)).toBe(1)
  })

  test('one that was run alone each time the process died is set aside, the others are not', async () => {
    const alice = await app.person('alice')
    await app.settle()
    await alice.say('harmless')
    await alice.say('poison')
    await die()
    const now = app.clock.now()
    const rows = await claimEvents(app.ctx.db, { now, until: now + 1_000, limit: 100 })
    expect(rows.map((row) => row.attempts)).toEqual([1, 1])
    const poison = rows[1]!.id
    for (let i = 0; i < 5; i++) await countAttempt(app.ctx.db, poison)
    await releaseClaims(app.ctx)
    await drainOutbox(app.ctx)
    expect(await failed()).toMatchObject([{ id: `event-${poison}`, name: 'status.created', attempts: 6 }])
    expect(await drainOutbox(app.ctx)).toBe(0)
  })
})

test('an event of a newer version of the program waits for a process that knows it, and holds nothing else up', async () => {
  await app.settle()
  await app.ctx.transaction((tx) => tx.emit({ type: 'future.come', accountId: '1' } as never))
  const alice = await app.person('alice')
  await alice.say('known')
  expect(await drainOutbox(app.ctx)).toBeGreaterThan(0)
  expect(await drainOutbox(app.ctx)).toBe(0)
  expect((await failed()).map(({ name }) => name)).not.toContain('future.come')
  const now = app.clock.now() + minutes(3)
  const left = await claimEvents<{ type: string }>(app.ctx.db, { now, until: now, limit: 100 })
  expect(left.map(({ event }) => event.type)).toEqual(['future.come'])
})
