import { describe, expect, test } from 'vitest'
import { acceptQuote } from '#domain/content/statuses/quotes/remote-quote.ts'
import { useNetwork } from '#test/servers/network.ts'
import type { Json } from '#test/client/client.ts'
import { followActor } from '#test/people/meeting.ts'
import type { Person } from '#test/people/people.ts'
import { nextNumber } from '#test/peer/activities.ts'
import type { JsonObject } from '#test/peer/documents.ts'
import { arriveWanted, change, stored } from '#test/people/remote-statuses.ts'
import type { StatusId } from '#lib/id.ts'

const network = useNetwork()

async function setUp() {
  const app = await network.server()
  const [near, away] = [await network.peer('127.0.0.2'), await network.peer('127.0.0.3')]
  const [bob, carl, ann] = [await near.actor('bob'), await away.actor('carl'), await app.person('ann')]
  await stored(app, bob)
  const quoted = carl.note('quoted words')
  /** A note of bob's that quotes carl's, with the stamp it names, which carl's server serves. */
  const quoteWithStamp = (changes: JsonObject = {}, host = away) => {
    const stampUri = host.url(`/stamps/${nextNumber()}`)
    const note = bob.note('quoting', { quote: quoted.id, quoteAuthorization: stampUri })
    host.put(new URL(stampUri).pathname, {
      id: stampUri,
      type: 'QuoteAuthorization',
      attributedTo: carl.uri,
      interactingObject: note.id,
      interactionTarget: quoted.id,
      ...changes,
    })
    return note
  }
  return { app, near, away, bob, carl, ann, quoted, quoteWithStamp }
}

const quoteOf = async (person: Person, id: string): Promise<Json> =>
  (await person.get(`/api/v1/statuses/${id}`)).ok().quote

describe('a quote by another server', () => {
  test('with the stamp of the quoted author is shown', async () => {
    const { app, bob, ann, quoteWithStamp } = await setUp()
    const quote = await quoteOf(ann, await arriveWanted(app, bob, quoteWithStamp()))
    expect(quote).toMatchObject({
      state: 'accepted',
      quoted_status: { content: '<p>quoted words</p>', quotes_count: 1 },
    })
  })

  test('without one waits for consent, and does not show what it quotes [FED-40]', async () => {
    const { app, bob, ann, quoted } = await setUp()
    for (const name of ['quote', 'quoteUri', 'quoteUrl', '_misskey_quote']) {
      const quote = await quoteOf(
        ann,
        await arriveWanted(app, bob, bob.note('quoting', { [name]: quoted.id })),
      )
      expect(quote).toMatchObject({ state: 'pending', quoted_status: null })
    }
  })

  test('with a stamp for something else, by somebody else, or from elsewhere, is not believed [FED-40]', async () => {
    const { app, near, bob, ann, quoteWithStamp } = await setUp()
    const wrong = [
      quoteWithStamp({ interactingObject: `${bob.uri}/statuses/other` }),
      quoteWithStamp({ interactionTarget: `${bob.uri}/statuses/other` }),
      quoteWithStamp({ attributedTo: bob.uri }),
      quoteWithStamp({ type: 'Note' }),
      quoteWithStamp({}, near),
    ]
    for (const note of wrong) {
      const quote = await quoteOf(ann, await arriveWanted(app, bob, note))
      expect(quote).toMatchObject({ state: 'pending', quoted_status: null })
    }
  })

  test('is shown once the stamp comes with an update, and hidden when it never was for this one', async () => {
    const { app, bob, carl, ann, quoteWithStamp } = await setUp()
    const stamped = quoteWithStamp()
    const id = await arriveWanted(app, bob, { ...stamped, quoteAuthorization: undefined })
    expect(await quoteOf(ann, id)).toMatchObject({ state: 'pending' })
    const other = quoteWithStamp()
    await change(app, bob, { ...stamped, quoteAuthorization: other['quoteAuthorization'] })
    expect(await quoteOf(ann, id)).toMatchObject({ state: 'pending' })
    await change(app, bob, stamped)
    expect(await quoteOf(ann, id)).toMatchObject({ state: 'accepted' })
    expect((await ann.get(`/api/v1/statuses/${id}`)).ok().edited_at).toBeNull()
    const quoted = (await quoteOf(ann, id)).quoted_status
    expect(quoted).toMatchObject({ account: { acct: carl.handle }, quotes_count: 1 })
  })

  test('whose stamp an update does not show any more is hidden, unless the stamp is still there [FED-40]', async () => {
    const { app, away, bob, ann, quoteWithStamp } = await setUp()
    const note = quoteWithStamp()
    const id = await arriveWanted(app, bob, note)
    const shown = await quoteOf(ann, id)
    const { quotes_count: counted } = shown.quoted_status
    const bare = { ...note, quoteAuthorization: undefined }
    await change(app, bob, bare)
    expect(await quoteOf(ann, id)).toEqual(shown)
    away.remove(new URL(note['quoteAuthorization'] as string).pathname)
    await change(app, bob, bare)
    expect(await quoteOf(ann, id)).toMatchObject({ state: 'pending', quoted_status: null })
    const quoted = (await ann.get(`/api/v1/statuses/${shown.quoted_status.id}`)).ok()
    expect(quoted.quotes_count).toBe(counted - 1)
  })

  test.each(['the quoted author', 'who follows a thread'])(
    'whose update without the stamp overtakes word from %s that it is gone is taken back [FED-52]',
    async (who) => {
      const { app, away, bob, carl, ann, quoteWithStamp } = await setUp()
      await followActor(app, ann, bob)
      const note = quoteWithStamp()
      const id = await arriveWanted(app, bob, note)
      const stamp = note['quoteAuthorization'] as string
      away.gone(new URL(stamp).pathname)
      await change(app, bob, { ...note, quoteAuthorization: undefined })
      expect(await quoteOf(ann, id)).toMatchObject({ state: 'pending' })
      const speaker = who === 'the quoted author' ? carl : bob
      await speaker.send(carl.build.delete(stamp))
      await app.settle()
      expect(await quoteOf(ann, id)).toMatchObject({ state: 'revoked', quoted_status: null })
    },
  )

  test('that an edit brings is read', async () => {
    const { app, bob, ann } = await setUp()
    const mine = bob.note('mine')
    const note = bob.note('plain')
    const id = await arriveWanted(app, bob, note)
    await network.advance(60_000)
    await change(app, bob, bob.revise(note, { content: '<p>quoting</p>', quote: mine.id }))
    expect(await quoteOf(ann, id)).toMatchObject({ state: 'accepted' })
  })

  test('that an edit takes back, or replaces by another, is shown no more', async () => {
    const { app, bob, carl, ann, quoteWithStamp } = await setUp()
    const other = carl.note('others')
    const waiting = { state: 'pending', quoted_status: null }
    for (const { changes, left } of [
      { changes: { quote: undefined }, left: null },
      { changes: { quote: other.id }, left: waiting },
    ]) {
      const note = quoteWithStamp()
      const id = await arriveWanted(app, bob, note)
      const quotedId = (await quoteOf(ann, id)).quoted_status.id
      const counted = (await ann.get(`/api/v1/statuses/${quotedId}`)).ok().quotes_count
      await network.advance(60_000)
      const late = bob.revise(note, { content: '<p>and more</p>' })
      await network.advance(60_000)
      await change(app, bob, bob.revise(note, { content: '<p>sorry</p>', ...changes }))
      expect(await quoteOf(ann, id)).toEqual(left)
      expect((await ann.get(`/api/v1/statuses/${quotedId}`)).ok().quotes_count).toBe(counted - 1)
      await change(app, bob, late)
      expect(await quoteOf(ann, id)).toEqual(left)
    }
  })

  test('of a local status that an edit takes back is not told of any more', async () => {
    const { app, bob, ann } = await setUp()
    const mine = await ann.say('mine', { quote_approval_policy: 'public' })
    const note = bob.note('quoting', { quote: mine.uri })
    const id = await arriveWanted(app, bob, note)
    await acceptQuote(app.ctx, { statusId: id as StatusId, approvalUri: null })
    await app.settle()
    expect((await ann.get('/api/v1/notifications')).ok()).toMatchObject([{ type: 'quote' }])
    await network.advance(60_000)
    await change(app, bob, bob.revise(note, { content: '<p>sorry</p>', quote: undefined }))
    expect((await ann.get('/api/v1/notifications')).ok()).toEqual([])
    expect((await ann.get(`/api/v1/statuses/${mine.id}`)).ok()).toMatchObject({ quotes_count: 0 })
  })

  test('of oneself needs none', async () => {
    const { app, bob, ann } = await setUp()
    const mine = bob.note('mine')
    const quote = await quoteOf(ann, await arriveWanted(app, bob, bob.note('again', { quote: mine.id })))
    expect(quote).toMatchObject({ state: 'accepted', quoted_status: { content: '<p>mine</p>' } })
  })

  test('of a local status waits too, and nobody is told of it [FED-40]', async () => {
    const { app, bob, ann } = await setUp()
    const mine = await ann.say('mine')
    const note = bob.note('quoting', { quote: mine.uri, quoteAuthorization: `${app.baseUrl}/stamps/1` })
    const id = await arriveWanted(app, bob, note)
    expect(await quoteOf(ann, id)).toMatchObject({ state: 'pending' })
    expect((await ann.get('/api/v1/notifications')).ok()).toEqual([])
    expect((await ann.get(`/api/v1/statuses/${mine.id}`)).ok()).toMatchObject({ quotes_count: 0 })
  })

  test('does not let the quoted author see what was not for them', async () => {
    const { app, bob, ann } = await setUp()
    const mine = await ann.say('mine')
    const carla = await app.person('carla')
    const note = bob.note('behind your back', {
      quote: mine.uri,
      ...bob.audience('direct', [app.uriOf(carla)]),
    })
    const id = await arriveWanted(app, bob, note)
    expect((await ann.get(`/api/v1/statuses/${id}`)).status).toBe(404)
  })

  test('that quotes one that quotes one is followed a few steps [FED-47]', async () => {
    const { app, near, bob } = await setUp()
    for (let n = 0; n < 40; n += 1) {
      bob.note(`${n}`, { id: near.url(`/quotes/${n}`), quote: near.url(`/quotes/${n + 1}`) })
    }
    await arriveWanted(app, bob, bob.note('start', { quote: near.url('/quotes/0') }))
    expect(near.requests.filter((request) => request.path.startsWith('/quotes/')).length).toBeLessThan(10)
  })
})
