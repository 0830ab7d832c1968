import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { costsNoMore } from '#test/client/growth-of-requests.ts'
import { useNetwork } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import type { JsonObject } from '#test/peer/documents.ts'
import { arriveWanted, change, stored } from '#test/people/remote-statuses.ts'

const network = useNetwork()

async function setUp(host = '127.0.0.2') {
  const app = await network.server()
  const peer = await network.peer(host)
  const [bob, ann] = [await peer.actor('bob'), await app.person('ann')]
  await stored(app, bob)
  const end = (hours: number) => new Date(app.clock.now() + hours * 3_600_000).toISOString()
  const ask = (more: JsonObject = {}) =>
    bob.note('which?', { type: 'Question', oneOf: options(1, 2), votersCount: 3, endTime: end(1), ...more })
  return { app, peer, bob, ann, ask }
}

const options = (...votes: number[]) =>
  votes.map((totalItems, n) => ({
    type: 'Note',
    name: `option ${n}`,
    replies: { type: 'Collection', totalItems },
  }))

const pollOf = async (person: Person, id: string) => (await person.get(`/api/v1/statuses/${id}`)).ok().poll

describe('a poll of another server', () => {
  test('is shown with its results', async () => {
    const { app, bob, ann, ask } = await setUp()
    const id = await arriveWanted(app, bob, ask())
    expect(await pollOf(ann, id)).toMatchObject({
      options: [
        { title: 'option 0', votes_count: 1 },
        { title: 'option 1', votes_count: 2 },
      ],
      votes_count: 3,
      voters_count: 3,
      multiple: false,
      expired: false,
      voted: false,
    })
  })

  test('counts votes cast here at once, one for each person [FED-46]', async () => {
    const { app, bob, ann, ask } = await setUp()
    const { id } = await pollOf(ann, await arriveWanted(app, bob, ask()))
    const vote = (choices: number[]) => ann.post(`/api/v1/polls/${id}/votes`, { choices })
    expect((await vote([])).status).toBeGreaterThanOrEqual(400)
    expect((await vote([0, 1])).status).toBe(422)
    expect((await vote([1])).ok()).toMatchObject({ votes_count: 4, voters_count: 4, own_votes: [1] })
    expect((await vote([0])).status).toBe(422)
    expect((await ann.get(`/api/v1/polls/${id}`)).ok()).toMatchObject({ votes_count: 4, voters_count: 4 })
  })

  test('takes the results its server says, without being an edit', async () => {
    const { app, bob, ann, ask } = await setUp()
    const question = ask()
    const id = await arriveWanted(app, bob, question)
    await change(app, bob, { ...question, oneOf: options(5, 6), votersCount: 11 })
    expect(await pollOf(ann, id)).toMatchObject({
      votes_count: 11,
      options: [{ votes_count: 5 }, { votes_count: 6 }],
    })
    expect((await ann.get(`/api/v1/statuses/${id}`)).ok().edited_at).toBeNull()
  })

  test('is asked for again when somebody looks at an old copy, and no more often', async () => {
    const { app, peer, bob, ann, ask } = await setUp()
    const question = ask()
    const { id } = await pollOf(ann, await arriveWanted(app, bob, question))
    peer.put(new URL(question.id).pathname, { ...question, oneOf: options(7, 8), votersCount: 15 })
    const path = `/api/v1/polls/${id}`
    expect((await ann.get(path)).ok()).toMatchObject({ votes_count: 3 })
    await network.advance(10 * 60_000)
    expect((await app.anonymous.get(path)).ok()).toMatchObject({ votes_count: 3 })
    expect((await ann.get(path)).ok()).toMatchObject({ votes_count: 15 })
    const asked = () =>
      peer.requests.filter((request) => request.path === new URL(question.id).pathname).length
    const before = asked()
    await Promise.all([ann.get(path), ann.get(path)])
    expect(asked()).toBe(before)
  })

  test('is asked for some seconds after a vote of somebody here, unless its server has told', async () => {
    const { app, peer, bob, ann, ask } = await setUp()
    const question = ask()
    const statusId = await arriveWanted(app, bob, question)
    const { id } = await pollOf(ann, statusId)
    const { pathname } = new URL(question.id)
    const recount = async () => {
      await app.settle()
      await network.advance(20_000)
      await sql`update graphile_worker._private_jobs set run_at = now()`.execute(app.ctx.db)
      await app.settle()
    }
    peer.put(pathname, { ...question, oneOf: options(41, 1), votersCount: 42 })
    ;(await ann.post(`/api/v1/polls/${id}/votes`, { choices: [0] })).ok()
    await recount()
    expect(await pollOf(ann, statusId)).toMatchObject({ votes_count: 42, own_votes: [0], voted: true })
    const asked = () => peer.requests.filter((request) => request.path === pathname).length
    const before = asked()
    const ben = await app.person('ben')
    ;(await ben.post(`/api/v1/polls/${id}/votes`, { choices: [1] })).ok()
    await app.settle()
    await network.advance(1000)
    await change(app, bob, { ...question, oneOf: options(41, 2), votersCount: 43 })
    await recount()
    expect(asked()).toBe(before)
  })

  test('for a few is asked for by somebody who may see it', async () => {
    const { app, peer, bob, ann, ask } = await setUp()
    const question = ask({ ...bob.audience('direct', [app.uriOf(ann)]) })
    const { id } = await pollOf(ann, await arriveWanted(app, bob, question))
    await network.advance(10 * 60_000)
    await ann.get(`/api/v1/polls/${id}`)
    const request = peer.requests.findLast((one) => one.path === new URL(question.id).pathname)
    expect((await request?.verify())?.problem).toBeNull()
    expect(String(request?.headers['signature'] ?? request?.headers['signature-input'])).toContain(
      app.uriOf(ann),
    )
  })

  test('tells those who voted here when it has ended', async () => {
    const { app, bob, ann, ask } = await setUp()
    const statusId = await arriveWanted(app, bob, ask())
    const { id } = await pollOf(ann, statusId)
    ;(await ann.post(`/api/v1/polls/${id}/votes`, { choices: [0] })).ok()
    await network.advance(2 * 3_600_000)
    await app.ctx.jobs.add('close-polls', {})
    await app.settle()
    expect((await ann.get('/api/v1/notifications')).ok()).toMatchObject([
      { type: 'poll', status: { id: statusId } },
    ])
    expect(await pollOf(ann, statusId)).toMatchObject({ expired: true })
  })

  test('whose question is edited begins anew', async () => {
    const { app, bob, ann, ask } = await setUp()
    const question = ask()
    const statusId = await arriveWanted(app, bob, question)
    const { id } = await pollOf(ann, statusId)
    ;(await ann.post(`/api/v1/polls/${id}/votes`, { choices: [0] })).ok()
    await network.advance(60_000)
    await change(app, bob, bob.revise(question, { oneOf: options(0, 0, 0), votersCount: 0 }))
    expect(await pollOf(ann, statusId)).toMatchObject({ votes_count: 0, voted: false })
    expect((await pollOf(ann, statusId)).options).toHaveLength(3)
    expect((await ann.get(`/api/v1/statuses/${statusId}`)).ok().edited_at).not.toBeNull()
  })

  test('with endless options is cut, and its page is quick [FED-43]', async () => {
    const { app, bob, ann, ask } = await setUp()
    const arriveWith = (length: number) =>
      arriveWanted(
        app,
        bob,
        ask({ oneOf: Array.from({ length }, (_, n) => ({ type: 'Note', name: `${n}` })) }),
      )
    const [endless, max] = [await arriveWith(20_000), await arriveWith(500)]
    const show = async (id: string) => expect((await pollOf(ann, id)).options).toHaveLength(500)
    const asUsual = await costsNoMore(
      () => show(endless),
      () => show(max),
      { max: 3 },
    )
    expect(asUsual).toBe(true)
  })
})
