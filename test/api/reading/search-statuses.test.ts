import { describe, expect, test } from 'vitest'
import { deploySearch } from '#domain/reading/search/index-statuses.ts'
import { useApp } from '#test/app/app.ts'
import { attachment } from '#test/people/attachment.ts'
import type { Json } from '#test/client/client.ts'
import { costsItsLength, passedTime } from '#test/client/growth-of-requests.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { changeStatus, insertCard, insertMedia } from '#test/people/status-parts.ts'
import { timeToId } from '#lib/ids.ts'
import { asId, type FavouriteId, type StatusId } from '#lib/id.ts'

const app = useApp()
const ids = (list: Json[]) => list.map((item) => item.id)

/** The ids of the statuses that somebody finds. */
async function find(person: Person, q: string, query: object = {}): Promise<string[]> {
  return ids((await person.get('/api/v2/search', { q, type: 'statuses', ...query })).ok().statuses)
}

/** Somebody who lets others find their public posts. */
async function open(name: string): Promise<Person> {
  const person = await app.person(name)
  ;(await person.patch('/api/v1/accounts/update_credentials', { indexable: true })).ok()
  return person
}

const settled = async <T>(work: Promise<T>): Promise<T> => {
  const result = await work
  await app.settle()
  return result
}

describe('who finds what [ACC-4]', () => {
  test('public posts of those who want to be found, and no others, are found by everybody', async () => {
    const [alice, shy, eve] = [await open('alice'), await app.person('shy'), await app.person('eve')]
    const told = await alice.say('quokka in public')
    for (const visibility of ['unlisted', 'private', 'direct']) await alice.say('quokka', { visibility })
    await shy.say('quokka of a shy one')
    await app.settle()
    expect(await find(eve, 'quokka')).toEqual([told.id])
    expect(await find(eve, 'quokka in:public')).toEqual([told.id])
    expect(await find(eve, 'quokka in:library')).toEqual([])
  })

  test('one finds all one wrote, was named in, favourited, bookmarked, boosted or voted in', async () => {
    const [author, eve] = [await app.person('author'), await app.person('eve')]
    const own = await eve.say('wombat of my own', { visibility: 'direct' })
    const named = await author.say(`wombat @${eve.username}`, { visibility: 'direct' })
    const marked: string[] = []
    for (const action of ['favourite', 'bookmark', 'reblog']) {
      const { id } = await author.say(`wombat to ${action}`)
      ;(await eve.post(`/api/v1/statuses/${id}/${action}`)).ok()
      marked.push(id)
    }
    const asked = await author.say('wombat asked', { poll: { options: ['a', 'b'], expires_in: 3600 } })
    ;(await eve.post(`/api/v1/polls/${asked.poll.id}/votes`, { choices: [0] })).ok()
    await settled(author.say('wombat for nobody'))
    const expected = [asked.id, ...marked.toReversed(), named.id, own.id]
    expect(await find(eve, 'wombat')).toEqual(expected)
    expect(await find(eve, 'wombat in:library')).toEqual(expected)
    expect(await find(eve, 'wombat in:public')).toEqual([])
    ;(await eve.post(`/api/v1/statuses/${marked[0]}/unfavourite`)).ok()
    expect(await find(eve, 'wombat')).not.toContain(marked[0])
  })

  test('what one may see no more is not found, whatever one did with it', async () => {
    const [author, fan] = [await app.person('author'), await app.person('fan')]
    await fan.follow(author)
    const secret = await author.say('numbat for followers', { visibility: 'private' })
    ;(await fan.post(`/api/v1/statuses/${secret.id}/favourite`)).ok()
    await app.settle()
    expect(await find(fan, 'numbat')).toEqual([secret.id])
    ;(await fan.post(`/api/v1/accounts/${author.accountId}/unfollow`)).ok()
    expect(await find(fan, 'numbat')).toEqual([])
  })

  test('not who is blocked, blocks, is muted, or is of a blocked server', async () => {
    const eve = await app.person('eve')
    const people = [await open('blocked'), await open('blocker'), await open('muted')] as const
    for (const person of people) await person.say('bilby by the way')
    const away = await remoteAccount(app.ctx)
    await app.ctx.db
      .updateTable('accounts')
      .set({ indexable: true })
      .where('id', '=', away.accountId)
      .execute()
    const foreign = await people[0].say('bilby from elsewhere')
    await changeStatus(app.ctx, foreign.id, { account_id: away.accountId })
    await app.settle()
    expect(await find(eve, 'bilby')).toHaveLength(4)
    const [blocked, blocker, muted] = people
    await eve.post(`/api/v1/accounts/${blocked.accountId}/block`)
    expect(await find(eve, 'bilby')).toHaveLength(3)
    await blocker.post(`/api/v1/accounts/${eve.accountId}/block`)
    expect(await find(eve, 'bilby')).toHaveLength(2)
    await eve.post(`/api/v1/accounts/${muted.accountId}/mute`)
    expect(await find(eve, 'bilby')).toEqual([foreign.id])
    await eve.post('/api/v1/domain_blocks', { domain: away.domain })
    expect(await find(eve, 'bilby')).toEqual([])
  })

  test('limited authors only by followers, suspended ones by nobody', async () => {
    const [author, fan, eve] = [await open('author'), await app.person('fan'), await app.person('eve')]
    await fan.follow(author)
    const post = await settled(author.say('potoroo here'))
    const mark = (values: object) =>
      app.ctx.db.updateTable('accounts').set(values).where('id', '=', author.accountId).execute()
    await mark({ silenced_at: new Date(app.clock.now()) })
    expect(await find(eve, 'potoroo')).toEqual([])
    expect(await find(fan, 'potoroo')).toEqual([post.id])
    await mark({ silenced_at: null, suspended_at: new Date(app.clock.now()) })
    expect(await find(fan, 'potoroo')).toEqual([])
  })

  test('a change of mind counts at once, and for older posts too', async () => {
    const [author, eve] = [await app.person('author'), await app.person('eve')]
    const post = await settled(author.say('echidna of old'))
    expect(await find(eve, 'echidna')).toEqual([])
    const choose = (indexable: boolean) => author.patch('/api/v1/accounts/update_credentials', { indexable })
    await settled(choose(true))
    expect(await find(eve, 'echidna in:public')).toEqual([post.id])
    await choose(false)
    expect(await find(eve, 'echidna')).toEqual([])
    await app.settle()
    const [row] = await app.ctx.db
      .selectFrom('status_search')
      .select(['open', 'document'])
      .where('status_id', '=', asId<StatusId>(post.id))
      .execute()
    expect(row?.open).toBe(false)
    expect(row?.document).not.toContain(':open')
  })

  test('strangers search no texts, and read:search is needed', async () => {
    const alice = await open('alice')
    const post = await settled(alice.say('kowari for all'))
    expect((await app.anonymous.get('/api/v2/search', { q: 'kowari' })).ok().statuses).toEqual([])
    expect(ids((await app.anonymous.get('/api/v2/search', { q: post.url })).ok().statuses)).toEqual([post.id])
    const searcher = await app.withScopes(alice, ['read:search'])
    expect((await searcher.get('/api/v2/search', { q: 'kowari' })).ok().statuses).toHaveLength(1)
    const narrow = await app.withScopes(alice, ['read:statuses'])
    expect((await narrow.get('/api/v2/search', { q: 'kowari' })).status).toBe(403)
  })
})

describe('what is found of a status', () => {
  test('its warning, text, poll, descriptions and hashtags, but no phrase across them', async () => {
    const alice = await app.person('alice')
    const asked = await alice.say('middle #Sonnentag', {
      spoiler_text: 'warning first',
      poll: { options: ['either that', 'or this'], expires_in: 3600 },
    })
    const media = await attachment(app.ctx, alice, 'a drawing of a ship')
    const shown = await settled(alice.say('look', { media_ids: [media] }))
    for (const q of [
      'warning',
      'middle',
      'either',
      '"or this"',
      '#sonnentag',
      'sonnentag',
      '"warning first"',
    ]) {
      expect([q, await find(alice, q)]).toEqual([q, [asked.id]])
    }
    expect(await find(alice, 'drawing ship')).toEqual([shown.id])
    expect(await find(alice, '"first middle"')).toEqual([])
    expect(await find(alice, '#sonnen')).toEqual([])
  })

  test('is what it says after an edit, and nothing once it is deleted [ACC-20]', async () => {
    const alice = await app.person('alice')
    const post = await settled(alice.say('before the edit: numeral'))
    await settled(alice.put(`/api/v1/statuses/${post.id}`, { status: 'afterwards: ordinal' }))
    expect(await find(alice, 'numeral')).toEqual([])
    expect(await find(alice, 'ordinal')).toEqual([post.id])
    ;(await alice.delete(`/api/v1/statuses/${post.id}`)).ok()
    expect(await find(alice, 'ordinal')).toEqual([])
    await app.settle()
    const left = await app.ctx.db
      .selectFrom('status_search')
      .where('status_id', '=', asId<StatusId>(post.id))
      .execute()
    expect(left).toEqual([])
  })

  test('words in any case, with or without accents, and in other forms of their language', async () => {
    const alice = await app.person('alice')
    const english = await alice.say('Two CAFÉS and a running joke', { language: 'en' })
    const german = await settled(alice.say('Die Häuser am Fluß', { language: 'de' }))
    for (const q of ['cafés', 'cafe', 'Cafes', 'run', 'runs', 'jokes']) {
      expect([q, await find(alice, q)]).toEqual([q, [english.id]])
    }
    for (const q of ['häuser', 'HAUSER', 'fluss', 'haus language:de', 'language:de-AT']) {
      expect([q, await find(alice, q)]).toEqual([q, [german.id]])
    }
    expect(await find(alice, '"cafe"')).toEqual([])
    expect(await find(alice, '"a running joke"')).toEqual([english.id])
    expect(await find(alice, '“running joke”')).toEqual([english.id])
    expect(await find(alice, '"joke running"')).toEqual([])
    expect(await find(alice, 'joke running two')).toEqual([english.id])
  })

  test('parts of words of languages that do not part them', async () => {
    const alice = await app.person('alice')
    const posts: Record<string, string> = {}
    for (const [name, text] of Object.entries({
      japanese: '東京タワーで猫を見た',
      chinese: '今天天氣很好，我們去散步',
      thai: 'ฉันรักแมวและสุนัข',
      korean: '고양이가 잠을 잔다',
      khmer: 'ខ្ញុំស្រឡាញ់ឆ្មា',
    })) {
      posts[name] = (await alice.say(text)).id
    }
    await app.settle()
    for (const [q, name] of Object.entries({
      タワー: 'japanese',
      猫: 'japanese',
      た: 'japanese',
      天氣: 'chinese',
      散步: 'chinese',
      แมว: 'thai',
      สุนัข: 'thai',
      고양이: 'korean',
      '"잠을 잔"': 'korean',
      ឆ្មា: 'khmer',
    })) {
      expect([q, await find(alice, q)]).toEqual([q, [posts[name]]])
    }
    expect(await find(alice, '京東')).toEqual([])
    expect(await find(alice, '東タ')).toEqual([])
    expect(await find(alice, '猫 タワー -天氣')).toEqual([posts['japanese']])
  })
})

describe('operators', () => {
  test('leave out and demand', async () => {
    const alice = await app.person('alice')
    const tea = await alice.say('green tea in the morning')
    const both = await settled(alice.say('green coffee, black tea'))
    expect(await find(alice, 'green tea')).toEqual([both.id, tea.id])
    expect(await find(alice, 'green -coffee')).toEqual([tea.id])
    expect(await find(alice, 'green +coffee')).toEqual([both.id])
    expect(await find(alice, 'green -"green tea"')).toEqual([both.id])
    expect(await find(alice, 'from:me -green -tea')).toEqual([])
    expect(await find(alice, 'green nonsense:coffee')).toEqual([])
    expect(await find(alice, '🎉')).toEqual([])
  })

  test('from: one person, oneself, nobody, and not them [4-62]', async () => {
    const [alice, bob] = [await open('alice'), await open('bob')]
    const hers = await alice.say('toucan hers')
    const his = await settled(bob.say('toucan his'))
    const query = (q: string, options = {}) => find(bob, `toucan ${q}`, options)
    expect(await query(`from:${alice.username}`)).toEqual([hers.id])
    expect(await query(`from:@${alice.username.toUpperCase()}@chat.example`)).toEqual([hers.id])
    expect(await query('from:me')).toEqual([his.id])
    expect(await query('-from:me')).toEqual([hers.id])
    expect(await query(`-from:${alice.username}`)).toEqual([his.id])
    expect(await query('from:nobody_at_all')).toEqual([])
    expect(await query('-from:nobody_at_all')).toEqual([his.id, hers.id])
    expect(await query('', { account_id: alice.accountId })).toEqual([hers.id])
    const unknown = await bob.get('/api/v2/search', { q: 'toucan', account_id: '1' })
    expect(unknown.status).toBe(404)
  })

  test('has: and is: and language:', async () => {
    const alice = await app.person('alice')
    const say = async (options: Record<string, unknown> = {}, text = 'macaw') =>
      (await alice.say(text, options)).id as string
    const media = async (type: 'image' | 'gifv' | 'video' | 'audio') => [
      await insertMedia(app.ctx, alice, { type }),
    ]
    const plain = await say({ language: 'fr' })
    const picture = await say({ media_ids: await media('image'), sensitive: true })
    const gif = await say({ media_ids: await media('gifv') })
    const video = await say({ media_ids: await media('video') })
    const sound = await say({ media_ids: await media('audio') })
    const asked = await say({ poll: { options: ['a', 'b'], expires_in: 3600 } })
    const linked = await say({}, 'macaw https://birds.example.com/macaw')
    const played = await say({}, 'macaw https://films.example.com/macaw')
    await insertCard(app.ctx, played, { url: 'https://films.example.com/m', type: 'video', title: 'M' })
    const quoting = await say({ quoted_status_id: plain })
    const answer = await say({ in_reply_to_id: plain })
    await app.settle()
    const cases: [string, string[]][] = [
      ['has:media', [sound, video, gif, picture]],
      ['has:image', [picture]],
      ['has:video', [video, gif]],
      ['has:audio', [sound]],
      ['has:poll', [asked]],
      ['has:link', [played, linked]],
      ['has:quote', [quoting]],
      ['is:reply', [answer]],
      ['is:sensitive', [picture]],
      ['language:fr', [plain]],
      ['has:media -has:image -has:audio', [video, gif]],
      ['-has:media -has:link -has:poll -has:quote -is:reply', [plain]],
    ]
    for (const [q, expected] of cases) expect([q, await find(alice, `macaw ${q}`)]).toEqual([q, expected])
    expect(await find(alice, 'is:sensitive from:me')).toEqual([picture])
    await app.ctx.db
      .updateTable('preview_cards')
      .set({ type: 'video' })
      .where('url', 'like', '%films%')
      .execute()
    expect(await find(alice, 'macaw has:embed')).toEqual([played])
    expect(await find(alice, 'macaw has:link -has:embed')).toEqual([linked])
  })

  test('before:, after: and during:, in the time zone of the viewer', async () => {
    const alice = await app.person('alice')
    const at = async (time: string) => {
      const { id } = await alice.say('kestrel')
      const moved = timeToId(Date.parse(time))
      await app.ctx.db
        .updateTable('statuses')
        .set({ id: asId<StatusId>(moved) })
        .where('id', '=', asId<StatusId>(id))
        .execute()
      return moved
    }
    // Ids tell the time: rows get those of other days before they are indexed.
    const old = await at('2019-12-31T23:30:00Z')
    const middle = await at('2020-06-15T12:00:00Z')
    const late = await at('2021-01-01T10:00:00Z')
    await deploySearch(app.ctx, { all: false, batchSize: 100, onProgress() {} })
    const cases: [string, string[]][] = [
      ['before:2020', [old]],
      ['before:2020-06-15', [old]],
      ['after:2020-06-14', [late, middle]],
      ['after:2020-06-15', [late]],
      ['after:2020', [late]],
      ['during:2020', [middle]],
      ['during:2020-06', [middle]],
      ['-during:2020', [late, old]],
      ['after:2019 before:2021', [middle]],
      ['during:2018', []],
    ]
    for (const [q, expected] of cases) expect([q, await find(alice, `kestrel ${q}`)]).toEqual([q, expected])
    await app.ctx.db
      .updateTable('users')
      .set({ time_zone: 'Europe/Berlin' })
      .where('id', '=', alice.userId)
      .execute()
    expect(await find(alice, 'kestrel during:2020')).toEqual([middle, old])
    const bad = await alice.get('/api/v2/search', { q: 'kestrel before:2020-02-30' })
    expect([bad.status, bad.body.error]).toEqual([422, 'Invalid date supplied'])
  })
})

describe('pages', () => {
  test('newest first, by offset, min_id and max_id [4-61]', async () => {
    const alice = await app.person('alice')
    const posts: string[] = []
    for (let index = 0; index < 7; index++) posts.unshift((await alice.say(`heron ${index}`)).id)
    await app.settle()
    expect(await find(alice, 'heron')).toEqual(posts)
    expect(await find(alice, 'heron', { limit: 3 })).toEqual(posts.slice(0, 3))
    expect(await find(alice, 'heron', { limit: 3, offset: 3 })).toEqual(posts.slice(3, 6))
    expect(await find(alice, 'heron', { offset: 7 })).toEqual([])
    expect(await find(alice, 'heron', { offset: 1_000_000 })).toEqual([])
    expect(await find(alice, 'heron', { max_id: posts[4] })).toEqual(posts.slice(5))
    expect(await find(alice, 'heron', { min_id: posts[2] })).toEqual(posts.slice(0, 2))
    expect(await find(alice, 'heron', { min_id: posts[5], max_id: posts[2] })).toEqual(posts.slice(3, 5))
    // Without a type there is only the first page.
    const all = (await alice.get('/api/v2/search', { q: 'heron', limit: 3, offset: 3 })).ok()
    expect(ids(all.statuses)).toEqual(posts.slice(0, 3))
  })

  test('go on where few of many may be found', async () => {
    const [bot, alice] = [await app.person('bot'), await open('alice')]
    const first = await settled(alice.say('spam? no'))
    const time = app.clock.now()
    const values = Array.from({ length: 3200 }, (_, index) => ({
      id: asId<StatusId>(timeToId(time + 1000 + index)),
      account_id: bot.accountId,
      text: 'spam',
      content: '<p>spam</p>',
      visibility: 'public',
    }))
    await app.ctx.db.insertInto('statuses').values(values).execute()
    await deploySearch(app.ctx, { all: false, batchSize: 1000, onProgress() {} })
    app.clock.advance(10_000)
    const eve = await app.person('eve')
    expect(await find(eve, 'spam')).toEqual([first.id])
    await eve.post(`/api/v1/statuses/${values[3]?.id}/bookmark`)
    expect(await find(eve, 'spam')).toEqual([values[3]?.id, first.id])
    expect(await find(eve, 'spam in:library')).toEqual([values[3]?.id])
    expect(await find(bot, 'spam', { limit: 40, offset: 3180 })).toHaveLength(21)
    const touched = values.map((row, index) => ({
      id: asId<FavouriteId>(String(index + 1)),
      account_id: eve.accountId,
      status_id: row.id,
    }))
    await app.ctx.db.insertInto('favourites').values(touched).execute()
    const newest = values.map((row) => row.id).toReversed()
    expect(await find(eve, 'spam')).toEqual(newest.slice(0, 20))
    expect(await find(eve, 'spam in:library', { offset: 3195 })).toEqual(newest.slice(3195))
    expect(await find(eve, 'in:library -spam')).toEqual([])
    expect(await find(eve, 'spam -spam')).toEqual([])
  })

  test('need as many queries for many as for few', async () => {
    const alice = await app.person('alice')
    for (let index = 0; index < 12; index++) await alice.say(`ibis ${index}`)
    await app.settle()
    await find(alice, 'ibis')
    const few = await app.countQueries(() => find(alice, 'ibis', { limit: 2 }))
    const many = await app.countQueries(() => find(alice, 'ibis', { limit: 12 }))
    expect(many.length).toBeLessThanOrEqual(few.length)
  })
})

test('search deploy writes what is missing or old, and no more', async () => {
  const alice = await app.person('alice')
  const kept = await alice.say('cassowary one')
  const missing = await settled(alice.say('cassowary two'))
  await app.ctx.db.deleteFrom('status_search').where('status_id', '=', asId<StatusId>(missing.id)).execute()
  await deploySearch(app.ctx, { all: false, batchSize: 1000, onProgress() {} })
  await app.ctx.db.deleteFrom('status_search').where('status_id', '=', asId<StatusId>(missing.id)).execute()
  await changeStatus(app.ctx, kept.id, { content: '<p>emu</p>' })
  const steps: number[] = []
  const options = { batchSize: 500, onProgress: ({ seen }: { seen: number }) => void steps.push(seen) }
  const done = await deploySearch(app.ctx, { ...options, all: false })
  expect(done.written).toBe(2)
  expect(steps.length).toBeGreaterThan(2)
  expect(await find(alice, 'cassowary')).toEqual([missing.id])
  expect(await find(alice, 'emu')).toEqual([kept.id])
  expect((await deploySearch(app.ctx, { ...options, all: false })).written).toBe(0)
  const again = await deploySearch(app.ctx, { ...options, all: true })
  expect(again.written).toBe(again.seen)
})

test('hostile queries are answered fast [CNT-21]', async () => {
  const alice = await app.person('alice')
  const pieces = [
    '"',
    '-',
    'from:',
    '漢',
    "'",
    '\\',
    ':*',
    '!',
    '&',
    '|',
    '(',
    '<->',
    '%',
    '_',
    '@a',
    '#',
    'a b ',
  ]
  for (const piece of pieces) {
    const ask = async (q: string) => {
      const answer = await alice.get('/api/v2/search', { q })
      expect([piece, answer.status]).toEqual([piece, 200])
    }
    const isQuick = await costsItsLength(piece.repeat(Math.floor(4000 / piece.length)), ask, passedTime)
    expect([piece, isQuick]).toEqual([piece, true])
  }
})
