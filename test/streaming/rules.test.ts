import { afterEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { updatePreferences } from '#domain/identity/accounts/profile/update-preferences.ts'
import type { Viewer } from '#domain/identity/accounts/viewer.ts'
import { useStreamingApp, type Listener } from '#test/app/streaming-app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { stripHtml } from '#lib/html/html.ts'
import type { AccountId, StatusId } from '#lib/id.ts'

// Rules that are read again because it is time would be counted among what a post costs.
const app = useStreamingApp({ heartbeat: { refresh: 3_600_000 } })

afterEach(() => app.closeStreams())

async function listenInPublic(name = 'viewer'): Promise<{ viewer: Person; listener: Listener }> {
  const viewer = await app.person(name)
  const listener = await app.listen(viewer.token, { stream: 'public' })
  return { viewer, listener }
}

/** A public post of an account of another server, with all that follows. */
async function sayAway(accountId: AccountId, content: string): Promise<void> {
  await app.ctx.transaction(async (tx) => {
    const id = tx.newId<StatusId>()
    await sql`insert into conversations (id) values (${id})`.execute(tx.db)
    await sql`
      insert into statuses (id, account_id, visibility, conversation_id, content, local)
      values (${id}, ${accountId}, 'public', ${id}, ${content}, false)`.execute(tx.db)
    await tx.emit({ type: 'status.created', statusId: id })
  })
}

/** The texts heard so far, after everything that went before. */
async function textsAfterAll(listener: Listener, person: Person): Promise<string[]> {
  await app.fence(listener, person)
  const texts = listener.heard
    .filter((one) => one.event === 'update')
    .map((one) => one.payload.content as string)
  return texts.filter((text) => !text.includes('fence'))
}

describe('public streams', () => {
  test('leave out whom the viewer blocks or mutes, who blocks them, and posts that name such people [ACC-13]', async () => {
    const { viewer, listener } = await listenInPublic()
    const [blocked, muted, blocking, other] = await Promise.all(
      ['blocked', 'muted', 'blocking', 'other'].map((name) => app.person(name)),
    )
    await app.fence(listener, viewer)
    await viewer.post(`/api/v1/accounts/${blocked!.accountId}/block`)
    await viewer.post(`/api/v1/accounts/${muted!.accountId}/mute`)
    await blocking!.post(`/api/v1/accounts/${viewer.accountId}/block`)
    for (const person of [blocked!, muted!, blocking!]) await person.say('unwelcome')
    await other!.say(`hello @${blocked!.username}`)
    await other!.say('welcome')
    expect(await textsAfterAll(listener, viewer)).toEqual(['<p>welcome</p>'])
    await viewer.post(`/api/v1/accounts/${muted!.accountId}/unmute`)
    await muted!.say('welcome again')
    expect(await textsAfterAll(listener, viewer)).toContain('<p>welcome again</p>')
  })

  test('a mute ends when it should [ACC-13]', async () => {
    const { viewer, listener } = await listenInPublic()
    const muted = await app.person('muted')
    await viewer.post(`/api/v1/accounts/${muted.accountId}/mute`, { duration: 60 })
    await muted.say('too early')
    await app.fence(listener, viewer)
    app.clock.advance(61_000)
    await muted.say('in time')
    expect(await textsAfterAll(listener, viewer)).toEqual(['<p>in time</p>'])
  })

  test('a mute that is told anew ends at its new time, not at the old one', async () => {
    const { viewer, listener } = await listenInPublic()
    const muted = await app.person('muted')
    const mute = (duration: number) => viewer.post(`/api/v1/accounts/${muted.accountId}/mute`, { duration })
    await mute(60)
    await app.fence(listener, viewer)
    await mute(600)
    await app.fence(listener, viewer)
    app.clock.advance(61_000)
    await muted.say('still muted')
    await app.fence(listener, viewer)
    app.clock.advance(600_000)
    await muted.say('in time')
    expect(await textsAfterAll(listener, viewer)).toEqual(['<p>in time</p>'])
  })

  test('say what the viewer’s filters match, and what they match now', async () => {
    const { viewer, listener } = await listenInPublic()
    const author = await app.person('author')
    await viewer.post('/api/v2/filters', {
      title: 'sport',
      context: ['public'],
      keywords_attributes: [{ keyword: 'football' }],
    })
    await app.fence(listener, viewer)
    const post = await author.say('all about football')
    const heard = await listener.next('update', (one) => one.payload.id === post.id)
    expect(heard.payload.filtered).toMatchObject([
      { filter: { title: 'sport' }, keyword_matches: ['football'] },
    ])
    const plain = await author.say('all about chess')
    const second = await listener.next('update', (one) => one.payload.id === plain.id)
    expect(second.payload).not.toHaveProperty('filtered')
  })

  test('say who may answer a post, and not whether the viewer may: it is the same for all', async () => {
    const { viewer, listener } = await listenInPublic()
    const author = await app.person('author')
    const post = await author.say(`for @${viewer.username}`, { reply_approval_policy: 'mentioned' })
    const heard = await listener.next('update', (one) => one.payload.id === post.id)
    expect(heard.payload.interaction_policy.can_reply).toEqual({
      always: ['author', 'mentioned'],
      with_approval: [],
    })
  })

  test('hold only the languages that the viewer chose', async () => {
    const viewer = await app.person('viewer')
    await sql`update users set chosen_languages = '{de}' where account_id = ${viewer.accountId}`.execute(
      app.ctx.db,
    )
    const listener = await app.listen(viewer.token, { stream: 'public' })
    const author = await app.person('author')
    await author.say('hello everybody', { language: 'en' })
    await author.say('hallo zusammen', { language: 'de' })
    await app.fence(listener, author, { language: 'de' })
    expect(listener.heard.map((one) => one.payload.language)).toEqual(['de', 'de'])
  })

  test('hold at once what preferences and domain blocks that were taken back left out', async () => {
    const { viewer, listener } = await listenInPublic()
    const [author, away] = [await app.person('author'), await remoteAccount(app.ctx, 'away.example')]
    const prefer = (chosenLanguages: string[]) =>
      updatePreferences(app.ctx, { userId: viewer.userId } as Viewer, { chosenLanguages })
    await prefer(['de'])
    await viewer.post('/api/v1/domain_blocks', { domain: away.domain })
    await app.fence(listener, author, { language: 'de' })
    await prefer([])
    ;(await viewer.delete('/api/v1/domain_blocks', { domain: away.domain })).ok()
    await app.untilDone()
    await sayAway(away.accountId, 'from away')
    await author.say('hello everybody', { language: 'en' })
    expect((await textsAfterAll(listener, author)).map(stripHtml)).toEqual(['from away', 'hello everybody'])
  })

  test('say that a quoted post is by somebody whom the viewer blocks', async () => {
    const { viewer, listener } = await listenInPublic()
    const [blocked, author] = [await app.person('blocked'), await app.person('author')]
    const quoted = await blocked.say('the quoted words')
    await viewer.post(`/api/v1/accounts/${blocked.accountId}/block`)
    await app.fence(listener, viewer)
    const post = await author.say('look at this', { quoted_status_id: quoted.id })
    const heard = await listener.next('update', (one) => one.payload.id === post.id)
    expect(heard.payload.quote.state).toBe('blocked_account')
  })

  test('render a post once, however many listen, and ask nothing for each of them', async () => {
    const author = await app.person('author')
    const few = [(await listenInPublic()).listener]
    const cost = await costOf(author, few)
    const many = await Promise.all(Array.from({ length: 12 }, async () => (await listenInPublic()).listener))
    expect(await costOf(author, [...few, ...many])).toEqual(cost)
  })
})

/**
 * How many statements read a status or somebody's rules for a post, until all have heard the same of it. The first post
 * is not counted.
 */
async function costOf(author: Person, listeners: readonly Listener[]): Promise<number> {
  await hear(await author.say('one'), listeners)
  await app.untilDone()
  app.queries.length = 0
  const texts = await hear(await author.say('two'), listeners)
  expect(new Set(texts).size).toBe(1)
  return app.queries.filter((query) => /quote_answer|chosen_languages,\s+array/.test(query)).length
}

const hear = (post: { id: string }, listeners: readonly Listener[]) =>
  Promise.all(
    listeners.map(async (one) => (await one.next('update', (heard) => heard.payload.id === post.id)).text),
  )

describe('home streams', () => {
  test('leave out what a filter hides at home and mark what it warns of', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await bob.follow(alice)
    const filter = (title: string, keyword: string, action: string) =>
      bob.post('/api/v2/filters', {
        title,
        context: ['home'],
        filter_action: action,
        keywords_attributes: [{ keyword }],
      })
    await filter('hidden', 'spoiler', 'hide')
    await filter('warned', 'teaser', 'warn')
    const listener = await app.listen(bob.token, { stream: 'user' })
    await alice.say('a spoiler')
    const warned = await alice.say('a teaser')
    const heard = await listener.next('update')
    expect(heard.payload).toMatchObject({ id: warned.id, filtered: [{ filter: { title: 'warned' } }] })
  })

  test('tell only what enters the feed: no boosts, languages or people that the viewer left out', async () => {
    const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => app.person(name)))
    await bob!.post(`/api/v1/accounts/${alice!.accountId}/follow`, { reblogs: false, languages: ['en'] })
    const listener = await app.listen(bob!.token, { stream: 'user' })
    const boosted = await carol!.say('boost this')
    await alice!.post(`/api/v1/statuses/${boosted.id}/reblog`)
    await alice!.say('nicht verstanden', { language: 'de' })
    await alice!.say('understood', { language: 'en' })
    expect(await textsAfterAll(listener, bob!)).toEqual(['<p>understood</p>'])
  })

  test('show a boosted post as the viewer’s timeline does, with what they did to it', async () => {
    const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => app.person(name)))
    for (const person of [bob!, carol!]) await person.follow(alice!)
    const listeners = [
      await app.listen(bob!.token, { stream: 'user' }),
      await app.listen(carol!.token, { stream: 'user' }),
    ]
    const mentioning = await app.person('author')
    const original = await mentioning.say(`about @${bob!.username}`, {
      quote_approval_policy: 'followers',
      reply_approval_policy: 'mentioned',
    })
    // A thread muted before its mention is told of is not told of at all.
    await listeners[0]!.next('notification')
    for (const deed of ['favourite', 'bookmark', 'mute'])
      await bob!.post(`/api/v1/statuses/${original.id}/${deed}`)
    const boost = (await alice!.post(`/api/v1/statuses/${original.id}/reblog`)).ok()
    for (const [index, person] of [bob!, carol!].entries()) {
      const heard = await listeners[index]!.next('update', (one) => one.payload.id === boost.id)
      const shown = (await person.get(`/api/v1/statuses/${boost.id}`)).ok()
      const marks = ({
        favourited,
        reblogged,
        bookmarked,
        muted,
        filtered,
        quote_approval: quotes,
        interaction_policy: policy,
      }: Json) => ({ favourited, reblogged, bookmarked, muted, filtered, quotes, policy })
      expect(marks(heard.payload)).toEqual(marks(shown))
      expect(marks(heard.payload.reblog)).toEqual(marks(shown.reblog))
      expect(heard.payload.favourited).toBe(person === bob)
      expect(heard.payload.bookmarked).toBe(person === bob)
    }
  })

  test('say to each whether they may answer', async () => {
    const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => app.person(name)))
    for (const person of [bob!, carol!]) await person.follow(alice!)
    await alice!.follow(bob!)
    const listeners = [
      await app.listen(bob!.token, { stream: 'user' }),
      await app.listen(carol!.token, { stream: 'user' }),
    ]
    const post = await alice!.say('an opinion', { reply_approval_policy: 'following' })
    const answers = await Promise.all(
      listeners.map((one) => one.next('update', (heard) => heard.payload.id === post.id)),
    )
    expect(answers.map(({ payload }) => payload.interaction_policy.can_reply.current_user)).toEqual([
      'automatic',
      'denied',
    ])
  })

  test('what is for followers, or for those it names, reaches nobody else', async () => {
    const [alice, bob, carol] = await Promise.all(['alice', 'bob', 'carol'].map((name) => app.person(name)))
    await bob!.follow(alice!)
    const [near, far] = [await app.listen(bob!.token), await app.listen(carol!.token)]
    for (const stream of ['user', 'public', 'public:local', 'direct']) {
      near.subscribe(stream)
      far.subscribe(stream)
    }
    const post = await alice!.say('for followers', { visibility: 'private' })
    await near.next('update', (one) => one.payload.id === post.id)
    await alice!.say(`@${bob!.username} between us`, { visibility: 'direct' })
    await near.next('conversation')
    await app.fence(far, carol!)
    expect(far.heard.filter((one) => one.payload.account?.id === alice!.accountId)).toEqual([])
    await alice!.delete(`/api/v1/statuses/${post.id}`)
    await near.next('delete')
    await app.fence(far, carol!)
    expect(far.heard.filter((one) => one.event === 'delete')).toEqual([])
  })

  test('one post to many costs as many queries as to few', async () => {
    const author = await app.person('author')
    const listenHome = async () => {
      const follower = await app.person('follower')
      await follower.follow(author)
      return app.listen(follower.token, { stream: 'user' })
    }
    const few = [await listenHome(), await listenHome()]
    const cost = await costOf(author, few)
    const many = await Promise.all(Array.from({ length: 10 }, listenHome))
    expect(await costOf(author, [...few, ...many])).toEqual(cost)
  })
})
