import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { ensureStatus, ingestStatus, updateStatus } from '#federation/ingest/notes/status.ts'
import { useNetwork } from '#test/servers/network.ts'
import type { Person } from '#test/people/people.ts'
import { arrive, arriveWanted, change, stored } from '#test/people/remote-statuses.ts'

const network = useNetwork()

async function setUp(host = '127.0.0.2') {
  const app = await network.server()
  const peer = await network.peer(host)
  const [bob, ann] = [await peer.actor('bob'), await app.person('ann')]
  await stored(app, bob)
  return { app, peer, bob, ann }
}

const see = async (person: Person, id: string) => (await person.get(`/api/v1/statuses/${id}`)).ok()
const history = async (person: Person, id: string) =>
  (await person.get(`/api/v1/statuses/${id}/history`)).ok()

describe('an edit by the author', () => {
  test('changes what people see, keeps what was, and tells those it names now', async () => {
    const { app, peer, bob, ann } = await setUp()
    const note = bob.note('first', {
      attachment: [{ type: 'Image', url: peer.url('/a.png'), name: 'old words' }],
    })
    const id = await arriveWanted(app, bob, note)
    await network.advance(60_000)
    const tag = [
      { type: 'Mention', href: app.uriOf(ann) },
      { type: 'Hashtag', name: '#new' },
    ]
    const attachment = [{ type: 'Image', url: peer.url('/a.png'), name: 'new words' }]
    const edited = bob.revise(note, { content: '<p>second</p>', summary: 'now', tag, attachment })
    await change(app, bob, edited)
    expect(await see(ann, id)).toMatchObject({
      content: '<p>second</p>',
      spoiler_text: 'now',
      edited_at: edited['updated'],
      tags: [{ name: 'new' }],
      media_attachments: [{ description: 'new words' }],
    })
    const versions = await history(ann, id)
    expect(versions).toMatchObject([
      { content: '<p>first</p>', media_attachments: [{ description: 'old words' }] },
      { content: '<p>second</p>', media_attachments: [{ description: 'new words' }] },
    ])
    expect((await ann.get('/api/v1/notifications')).ok()).toMatchObject([{ type: 'mention', status: { id } }])
  })

  test('tells those who boosted it', async () => {
    const { app, bob, ann } = await setUp()
    const note = bob.note('first')
    const id = await arriveWanted(app, bob, note)
    ;(await ann.post(`/api/v1/statuses/${id}/reblog`)).ok()
    await network.advance(60_000)
    await change(app, bob, bob.revise(note, { content: '<p>second</p>' }))
    expect((await ann.get('/api/v1/notifications')).ok()).toMatchObject([{ type: 'update', status: { id } }])
  })

  test('that comes twice, late or without a difference makes no version', async () => {
    const { app, bob, ann } = await setUp()
    const note = bob.note('first')
    const id = await arriveWanted(app, bob, note)
    await network.advance(60_000)
    const second = bob.revise(note, { content: '<p>second</p>' })
    await network.advance(60_000)
    // Who may answer changes without an edit, but not back by what is older.
    const interactionPolicy = { canReply: { automaticApproval: [bob.uri] } }
    const third = bob.revise(note, { content: '<p>third</p>', interactionPolicy })
    await change(app, bob, third)
    await change(app, bob, second)
    expect((await see(ann, id)).interaction_policy?.can_reply.current_user).toBe('denied')
    await change(app, bob, third)
    await network.advance(60_000)
    await change(app, bob, bob.revise(note, { content: '<p>third</p>' }))
    expect(await history(ann, id)).toHaveLength(2)
    expect(await see(ann, id)).toMatchObject({ content: '<p>third</p>' })
  })

  test('by anybody else changes nothing [FED-19] [FED-20]', async () => {
    const { app, peer, bob, ann } = await setUp()
    const [eve, far] = [await peer.actor('eve'), await (await network.peer('127.0.0.3')).actor('far')]
    const note = bob.note('mine')
    const id = await arriveWanted(app, bob, note)
    await network.advance(60_000)
    const spoiled = { ...bob.revise(note, { content: '<p>spoiled</p>' }) }
    for (const actor of [eve, far]) {
      expect(await change(app, actor, spoiled)).toBeNull()
      expect(await change(app, actor, { ...spoiled, attributedTo: actor.uri })).toBeNull()
    }
    expect(await see(ann, id)).toMatchObject({ content: '<p>mine</p>' })
  })

  test('does not open what was for a few', async () => {
    const { app, bob, ann } = await setUp()
    const note = bob.note('direct', bob.audience('direct', [app.uriOf(ann)]))
    const id = (await arrive(app, bob, note)) as string
    await network.advance(60_000)
    await change(
      app,
      bob,
      bob.revise(note, { content: '<p>x</p>', ...bob.audience('public', [app.uriOf(ann)]) }),
    )
    expect(await see(ann, id)).toMatchObject({ visibility: 'direct', content: '<p>x</p>' })
    expect((await app.anonymous.get(`/api/v1/statuses/${id}`)).status).toBe(404)
  })

  test('that comes before the status ends as if it had come after it [FED-52]', async () => {
    const { app, bob, ann } = await setUp()
    const note = bob.note('first')
    await network.advance(60_000)
    const edited = bob.revise(note, { content: '<p>second</p>' })
    const author = await stored(app, bob)
    const id = await updateStatus(app.ctx, edited, author, { via: 'fetch' })
    expect(await arrive(app, bob, note, { via: 'fetch' })).toBe(id)
    expect(await see(ann, id as string)).toMatchObject({
      content: '<p>second</p>',
      edited_at: edited['updated'],
    })
  })

  test('that comes at the same time as the status wins [FED-52]', async () => {
    const { app, bob, ann } = await setUp()
    const author = await stored(app, bob)
    const notes = Array.from({ length: 10 }, (_, n) => bob.note(`first ${n}`))
    await network.advance(60_000)
    const ids = await Promise.all(
      notes.map(async (note) => {
        const edited = bob.revise(note, { content: '<p>second</p>' })
        const [id] = await Promise.all([
          ingestStatus(app.ctx, { document: note, author, via: 'fetch' }),
          updateStatus(app.ctx, edited, author, { via: 'fetch' }),
        ])
        return id as string
      }),
    )
    await app.settle()
    for (const id of ids) expect((await see(ann, id)).content).toBe('<p>second</p>')
  })

  test('that says the same file twice again makes no version', async () => {
    const { app, peer, bob, ann } = await setUp()
    const file = { type: 'Image', url: peer.url('/a.png') }
    const note = bob.note('twice', { attachment: [file, file] })
    const id = await arriveWanted(app, bob, note)
    expect((await see(ann, id)).media_attachments).toHaveLength(1)
    for (let n = 0; n < 2; n += 1) {
      await network.advance(60_000)
      await change(app, bob, bob.revise(note, {}))
    }
    expect(await see(ann, id)).toMatchObject({ edited_at: null })
  })

  test('that is one of many huge ones does not make the history endless', async () => {
    const { app, bob, ann } = await setUp()
    const note = bob.note('first')
    const id = await arriveWanted(app, bob, note)
    for (let n = 0; n < 40; n += 1) {
      await network.advance(1_000)
      await updateStatus(
        app.ctx,
        bob.revise(note, { content: `${n} ${'x'.repeat(250_000)}` }),
        await stored(app, bob),
      )
    }
    const versions = await history(ann, id)
    expect(versions.length).toBeGreaterThan(2)
    expect(JSON.stringify(versions).length).toBeLessThan(6 * 1024 * 1024)
    expect(versions.at(-1).content).toContain('39 xxx')
  })

  test('of what nobody here has to do with stores nothing', async () => {
    const { app, bob } = await setUp()
    expect(await change(app, bob, bob.note('x'))).toBeNull()
  })

  test('that only counts anew makes no version', async () => {
    const { app, bob, ann } = await setUp()
    const note = bob.note('x', { likes: { totalItems: 1 } })
    const id = await arriveWanted(app, bob, note)
    await change(app, bob, { ...note, updated: note['published'], likes: { totalItems: 9 } })
    expect(await see(ann, id)).toMatchObject({ favourites_count: 9, edited_at: null })
    expect(await history(ann, id)).toHaveLength(1)
  })

  test('a status that was fetched as edited says so', async () => {
    const { app, bob, ann } = await setUp()
    const note = bob.note('first')
    await network.advance(60_000)
    bob.revise(note, { content: '<p>second</p>' })
    const id = (await ensureStatus(app.ctx, note.id)) as string
    expect((await see(ann, id)).edited_at).not.toBeNull()
    const { rows } = await sql`select 1 from status_edits where status_id = ${id}`.execute(app.ctx.db)
    expect(rows).toEqual([])
  })
})
