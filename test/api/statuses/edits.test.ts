import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { notifyOfEdit } from '#domain/reading/notifications/notify-of-edit.ts'
import { castVotes } from '#domain/content/polls/cast-votes.ts'
import { closePolls } from '#domain/content/polls/close-polls.ts'
import { attachment } from '#test/people/attachment.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import { hours, minutes } from '#test/app/clock.ts'
import type { Person } from '#test/people/people.ts'
import { asId, type PollId, type StatusEditId, type StatusId } from '#lib/id.ts'

const app = useApp()

const edit = (person: Person, id: string, params: Record<string, unknown>) =>
  person.put(`/api/v1/statuses/${id}`, params)
const historyOf = async (person: Person, id: string): Promise<Json[]> =>
  (await person.get(`/api/v1/statuses/${id}/history`)).ok()

async function told(person: Person, type: string): Promise<Json[]> {
  await app.settle()
  return (await person.get('/api/v1/notifications', { types: [type] })).ok()
}

/** The events of edits that wait. */
async function waiting(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from outbox where event->>'type' = 'status.updated'`.execute(app.ctx.db)
  return rows[0]?.n ?? 0
}

describe('editing [2.2-18] [4-109]', () => {
  test('makes the status what the request says, for everybody who reads it', async () => {
    const [author, reader] = [await app.person('author'), await app.person('reader')]
    await reader.follow(author)
    const post = await author.say('first #one', { language: 'fr', visibility: 'unlisted' })
    await app.settle()
    app.clock.advance(minutes(5))
    const after = (
      await edit(author, post.id, { status: 'second #two', spoiler_text: 'careful', visibility: 'public' })
    ).ok()
    expect(after).toMatchObject({
      id: post.id,
      created_at: post.created_at,
      spoiler_text: 'careful',
      sensitive: true,
      language: 'fr',
      visibility: 'unlisted',
      tags: [{ name: 'two' }],
    })
    expect(after.content).toContain('second')
    expect(Date.parse(after.edited_at) - Date.parse(post.created_at)).toBeGreaterThanOrEqual(
      minutes(5) - 1000,
    )
    const inHome = (await reader.get('/api/v1/timelines/home')).ok()[0]
    expect([inHome.content, inHome.edited_at]).toEqual([after.content, after.edited_at])
    expect((await app.anonymous.get(`/api/v1/statuses/${post.id}`)).ok().content).toBe(after.content)
  })

  test('takes what is not given for empty, but keeps language and who may quote', async () => {
    const author = await app.person('author')
    const post = await author.say('text', {
      spoiler_text: 'cw',
      sensitive: true,
      language: 'de',
      quote_approval_policy: 'nobody',
      poll: { options: ['a', 'b'], expires_in: 600 },
    })
    const after = (await edit(author, post.id, { status: 'text' })).ok()
    expect(after).toMatchObject({ spoiler_text: '', sensitive: false, language: 'de', poll: null })
    expect(after.quote_approval).toEqual(post.quote_approval)
    expect((await app.anonymous.get(`/api/v1/polls/${post.poll.id}`)).status).toBe(404)
    expect((await edit(author, post.id, { status: 'text', language: 'sv' })).ok().language).toBe('sv')
  })

  test('is refused for what could not have been posted, and changes nothing then', async () => {
    const author = await app.person('author')
    const picture = await attachment(app.ctx, author)
    const post = await author.say('text')
    const poll = { options: ['a', 'b'], expires_in: 600 }
    const tries: [Record<string, unknown>, string][] = [
      [{}, "Validation failed: Text can't be blank"],
      [{ status: ' ', poll }, "Validation failed: Text can't be blank"],
      [{ status: 'x'.repeat(501) }, 'Validation failed: Text character limit of 500 exceeded'],
      [{ status: 'x', media_ids: ['1'] }, 'Media IDS not found or already attached to another post'],
      [{ status: 'x', media_ids: [picture], poll }, 'Cannot attach more than 4 files'],
      [
        { status: 'x', poll: { ...poll, options: ['a'] } },
        'Validation failed: Poll options must have more than one item',
      ],
      [{ status: 'x', poll: { ...poll, expires_in: 60 } }, 'Validation failed: Poll expires at is too soon'],
      [{ status: 'x', quote_approval_policy: 'some' }, 'Validation failed: Quote approval policy is invalid'],
    ]
    for (const [params, error] of tries) {
      const answer = await edit(author, post.id, params)
      expect([params, answer.status, answer.body]).toEqual([params, 422, { error }])
    }
    expect((await author.get(`/api/v1/statuses/${post.id}`)).ok()).toEqual(post)
    expect(await historyOf(author, post.id)).toHaveLength(1)
  })

  test('that changes nothing is no edit', async () => {
    const author = await app.person('author')
    const picture = await attachment(app.ctx, author, 'a cat')
    const post = await author.say('same #same', { media_ids: [picture], language: 'en' })
    await app.settle()
    const after = await edit(author, post.id, {
      status: ' same #same\r\n',
      media_ids: [picture],
      media_attributes: [{ id: picture, description: 'a cat' }],
    })
    expect(after.ok()).toEqual(post)
    expect(await waiting()).toBe(0)
    expect(await historyOf(author, post.id)).toHaveLength(1)
  })

  test('of who may quote alone is no new version', async () => {
    const author = await app.person('author')
    const post = await author.say('quote me')
    const after = (await edit(author, post.id, { status: 'quote me', quote_approval_policy: 'nobody' })).ok()
    expect(after.quote_approval.automatic).toEqual([])
    expect(after.edited_at).toBeNull()
    expect(await historyOf(author, post.id)).toHaveLength(1)
    expect(await waiting()).toBe(0)
  })

  test('several times at once keeps every version that was', async () => {
    const author = await app.person('author')
    const post = await author.say('v0')
    const texts = ['v1', 'v2', 'v3', 'v4', 'v5', 'v5']
    await Promise.all(texts.map(async (status) => (await edit(author, post.id, { status })).ok()))
    const versions = await historyOf(author, post.id)
    const now = (await author.get(`/api/v1/statuses/${post.id}`)).ok()
    expect(versions[0].content).toBe('<p>v0</p>')
    expect(versions.at(-1)?.content).toBe(now.content)
    const kept = new Set(versions.map((version) => version.content))
    expect(kept).toEqual(new Set(['v0', ...texts].map((text) => `<p>${text}</p>`)))
    const times = versions.map((version) => version.created_at)
    expect(times).toEqual(times.toSorted())
  })

  test('wants a user with the scope, and one’s own status that is no boost', async () => {
    const [author, other] = [await app.person('author'), await app.person('other')]
    const post = await author.say('mine')
    const boost = (await author.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
    const path = `/api/v1/statuses/${post.id}`
    expect((await app.anonymous.put(path, { status: 'x' })).status).toBe(401)
    expect(
      (await (await app.withScopes(author, ['read', 'write:media'])).put(path, { status: 'x' })).status,
    ).toBe(403)
    expect((await edit(other, post.id, { status: 'x' })).status).toBe(404)
    expect((await edit(author, boost.id, { status: 'x' })).status).toBe(404)
    expect((await edit(author, '1', { status: 'x' })).status).toBe(404)
    const narrow = await app.withScopes(author, ['write:statuses'])
    expect((await narrow.put(path, { status: 'x' })).status).toBe(200)
  })

  test('of a quote keeps the quote, and needs no text', async () => {
    const [author, other] = [await app.person('author'), await app.person('other')]
    const quoted = await other.say('wise words')
    const post = await author.say('look', { quoted_status_id: quoted.id })
    expect(post.quote.quoted_status.id).toBe(quoted.id)
    const after = (await edit(author, post.id, { status: '' })).ok()
    expect(after.quote.quoted_status.id).toBe(quoted.id)
    expect(after.content).toContain('quote-inline')
    const [first, second] = await historyOf(author, post.id)
    expect(first.quote.quoted_status.id).toBe(quoted.id)
    expect(second.quote.state).toBe('accepted')
  })

  test('keeps how the text is marked up, unless that is told too', async () => {
    const author = await app.person('author')
    const post = await author.say('plain')
    await sql`update statuses set content_type = 'text/markdown' where id = ${post.id}`.execute(app.ctx.db)
    ;(await edit(author, post.id, { status: 'still' })).ok()
    const source = () => author.get(`/api/v1/statuses/${post.id}/source`)
    expect((await source()).ok().content_type).toBe('text/markdown')
    ;(await edit(author, post.id, { status: 'still', content_type: 'text/plain' })).ok()
    expect((await source()).ok().content_type).toBe('text/plain')
  })
})

describe('what a status carries, after an edit', () => {
  test('media come, go and change places, and what describes them changes', async () => {
    const author = await app.person('author')
    const [one, two, three] = [
      await attachment(app.ctx, author, 'one'),
      await attachment(app.ctx, author, 'two'),
      await attachment(app.ctx, author, 'three'),
    ]
    const post = await author.say('pictures', { media_ids: [one, two] })
    const after = (
      await edit(author, post.id, {
        status: 'pictures',
        media_ids: [three, one],
        media_attributes: [
          { id: one, description: 'the first', focus: '0.5,-2' },
          { id: two, description: 'not mine any more' },
        ],
      })
    ).ok()
    const shown = (list: Json[]) => list.map((media) => [media.id, media.description])
    expect(shown(after.media_attachments)).toEqual([
      [three, 'three'],
      [one, 'the first'],
    ])
    expect(after.media_attachments[1].meta.focus).toEqual({ x: 0.5, y: -1 })
    const [before, now] = await historyOf(author, post.id)
    expect(shown(before.media_attachments)).toEqual([
      [one, 'one'],
      [two, 'two'],
    ])
    expect(shown(now.media_attachments)).toEqual(shown(after.media_attachments))
    const back = (await edit(author, post.id, { status: '', media_ids: [two] })).ok()
    expect([shown(back.media_attachments), back.content]).toEqual([[[two, 'two']], ''])
  })

  test('words for a picture alone are an edit; too many are refused', async () => {
    const author = await app.person('author')
    const picture = await attachment(app.ctx, author)
    const post = await author.say('look', { media_ids: [picture] })
    const change = (attributes: Record<string, unknown>) =>
      edit(author, post.id, {
        status: 'look',
        media_ids: [picture],
        media_attributes: [{ id: picture, ...attributes }],
      })
    expect((await change({ description: 'x'.repeat(1501) })).status).toBe(422)
    expect((await change({ focus: 'left' })).ok().edited_at).toBeNull()
    const after = (await change({ description: 'a cat' })).ok()
    expect(after.media_attachments[0].description).toBe('a cat')
    expect(after.edited_at).not.toBeNull()
    expect(await historyOf(author, post.id)).toHaveLength(2)
    expect((await change({ description: '' })).ok().media_attachments[0].description).toBeNull()
  })

  test('a thumbnail takes the place of the one there was', async () => {
    const author = await app.person('author')
    const video = await attachment(app.ctx, author)
    await sql`update media_attachments set type = 'video' where id = ${video}`.execute(app.ctx.db)
    const post = await author.say('look', { media_ids: [video] })
    const png = await sharp({ create: { width: 60, height: 90, channels: 3, background: '#204060' } })
      .png()
      .toBuffer()
    const send = async (bytes: Uint8Array<ArrayBuffer>) => {
      const form = new FormData()
      const fields = { status: 'look', 'media_ids[]': video, 'media_attributes[][id]': video }
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append('media_attributes[][thumbnail]', new Blob([bytes]), 'thumbnail')
      return author.put(`/api/v1/statuses/${post.id}`, form)
    }
    expect((await send(new TextEncoder().encode('no picture'))).status).toBe(422)
    const [media] = (await send(new Uint8Array(png))).ok().media_attachments
    expect(media.meta.small).toMatchObject({ width: 60, height: 90 })
    expect(media.preview_url).not.toBe(post.media_attachments[0].preview_url)
    expect((await app.fetch(new URL(media.preview_url).pathname)).status).toBe(200)
  })

  test('media of others and of other statuses stay where they are [ACC-7]', async () => {
    const [author, other] = [await app.person('author'), await app.person('other')]
    const [theirs, used] = [await attachment(app.ctx, other), await attachment(app.ctx, author, 'used')]
    await author.say('first', { media_ids: [used] })
    const post = await author.say('second')
    for (const id of [theirs, used]) {
      const answer = await edit(author, post.id, {
        status: 'third',
        media_ids: [id],
        media_attributes: [{ id, description: 'changed' }],
      })
      expect(answer.status).toBe(422)
    }
    ;(
      await edit(author, post.id, {
        status: 'third',
        media_attributes: [{ id: theirs, description: 'changed' }],
      })
    ).ok()
    const { rows } = await sql<{ description: string }>`
      select description from media_attachments where id in (${theirs}, ${used}) order by description`.execute(
      app.ctx.db,
    )
    expect(rows.map((row) => row.description)).toEqual(['', 'used'])
  })

  test('a poll keeps its votes as long as the question stays', async () => {
    const [author, voter] = [await app.person('author'), await app.person('voter')]
    const poll = { options: ['a', 'b'], expires_in: 600 }
    const post = await author.say('ask', { poll })
    const path = `/api/v1/polls/${post.poll.id}`
    const cast = async () => (await voter.post(`${path}/votes`, { choices: [1] })).ok()
    await cast()
    const same = (await edit(author, post.id, { status: 'asked', poll })).ok()
    expect(same.poll).toMatchObject({ id: post.poll.id, votes_count: 1, expires_at: post.poll.expires_at })
    app.clock.advance(minutes(5))
    const longer = (await edit(author, post.id, { status: 'asked', poll: { ...poll, expires_in: 900 } })).ok()
    expect(longer.poll.votes_count).toBe(1)
    expect(Date.parse(longer.poll.expires_at) - Date.parse(post.poll.expires_at)).toBeCloseTo(minutes(10), -4)
    const other = (
      await edit(author, post.id, { status: 'asked', poll: { ...poll, options: ['a', 'c'] } })
    ).ok()
    expect(other.poll).toMatchObject({ votes_count: 0, voters_count: 0, multiple: false })
    expect(other.poll.options).toEqual([
      { title: 'a', votes_count: 0 },
      { title: 'c', votes_count: 0 },
    ])
    expect((await voter.get(path)).ok()).toMatchObject({ voted: false, own_votes: [] })
    await cast()
    const several = (
      await edit(author, post.id, { status: 'asked', poll: { ...poll, options: ['a', 'c'], multiple: true } })
    ).ok()
    expect(several.poll).toMatchObject({ votes_count: 0, multiple: true })
    const options = (await historyOf(author, post.id)).map((version) =>
      version.poll.options.map((option: Json) => option.title).join(),
    )
    expect(options).toEqual(['a,b', 'a,b', 'a,b', 'a,c', 'a,c'])
  })

  test('a poll is added, removed, and opened again after its end', async () => {
    const [author, voter] = [await app.person('author'), await app.person('voter')]
    const poll = { options: ['a', 'b'], expires_in: 600 }
    const post = await author.say('no question')
    const asked = (await edit(author, post.id, { status: 'a question', poll })).ok()
    ;(await voter.post(`/api/v1/polls/${asked.poll.id}/votes`, { choices: [0] })).ok()
    app.clock.advance(minutes(11))
    await closePolls(app.ctx)
    expect(await told(voter, 'poll')).toHaveLength(1)
    const still = (await edit(author, post.id, { status: 'the question', poll })).ok()
    expect(still.poll.expired).toBe(true)
    expect(await told(voter, 'poll')).toHaveLength(1)
    const open = (
      await edit(author, post.id, { status: 'the question', poll: { ...poll, expires_in: 300 } })
    ).ok()
    expect(open.poll).toMatchObject({ expired: false, votes_count: 1 })
    expect(await told(voter, 'poll')).toEqual([])
    app.clock.advance(minutes(6))
    await closePolls(app.ctx)
    expect(await told(voter, 'poll')).toHaveLength(1)
    const none = (await edit(author, post.id, { status: 'the question' })).ok()
    expect(none.poll).toBeNull()
    expect(await told(voter, 'poll')).toEqual([])
    const last = (await historyOf(author, post.id)).map((version) => 'poll' in version)
    expect(last).toEqual([false, true, true, true, false])
  })

  test('counts are right however votes and other questions come at the same time [ROB-14]', async () => {
    const author = await app.person('author')
    const voters = await Promise.all(Array.from({ length: 6 }, () => app.person('voter')))
    const ask = (last: string) => ({ options: ['a', last], expires_in: 600 })
    const post = await author.say('ask', { poll: ask('0') })
    const cast = (voter: Person) => voter.post(`/api/v1/polls/${post.poll.id}/votes`, { choices: [1] })
    const edits = ['1', '2', '3'].map((last) => edit(author, post.id, { status: 'ask', poll: ask(last) }))
    await Promise.all([...voters.map(cast), ...edits, ...voters.map(cast)])
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from poll_votes where poll_id = ${post.poll.id}`.execute(app.ctx.db)
    const after = (await author.get(`/api/v1/polls/${post.poll.id}`)).ok()
    const n = rows[0]?.n
    expect([after.votes_count, after.voters_count, after.options[1].votes_count]).toEqual([n, n, n])
  })

  test('another question waits for a vote that is under way, and takes it along [ROB-14]', async () => {
    const [author, voter] = [await app.person('author'), await app.person('voter')]
    const post = await author.say('ask', { poll: { options: ['a', 'b'], expires_in: 600 } })
    const [cast, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const voting = app.ctx.transaction(async (tx) => {
      await castVotes(tx, { pollId: asId<PollId>(post.poll.id), accountId: voter.accountId, choices: [0] })
      cast.resolve()
      await end.promise
    })
    await cast.promise
    const editing = edit(author, post.id, { status: 'ask', poll: { options: ['a', 'c'], expires_in: 600 } })
    const waits = sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await waits.execute(app.ctx.db)).rows[0]?.n).toBe(1)
    end.resolve()
    await voting
    expect((await editing).ok().poll).toMatchObject({ votes_count: 0, voters_count: 0 })
    expect((await voter.get(`/api/v1/polls/${post.poll.id}`)).ok()).toMatchObject({
      voted: false,
      own_votes: [],
    })
  })

  test('tags on the profile are counted with what the status says now', async () => {
    const author = await app.person('author')
    for (const name of ['before', 'after', 'always'])
      (await author.post('/api/v1/featured_tags', { name })).ok()
    const post = await author.say('#before #always')
    ;(await edit(author, post.id, { status: '#after #always' })).ok()
    ;(await edit(author, post.id, { status: '#after #always again' })).ok()
    const counts = (await author.get('/api/v1/featured_tags'))
      .ok()
      .map((tag: Json) => [tag.name, tag.statuses_count])
    expect(Object.fromEntries(counts)).toEqual({ before: '0', after: '1', always: '1' })
  })

  test('hashtags are those of the text, and bring it to those who follow them', async () => {
    const [author, fan] = [await app.person('author'), await app.person('fan')]
    ;(await fan.post('/api/v1/tags/editednew/follow')).ok()
    ;(await fan.get('/api/v1/timelines/home')).ok()
    const post = await author.say('about #editedold #editedkept')
    const listed = async (tag: string) => (await fan.get(`/api/v1/timelines/tag/${tag}`)).ok().length
    ;(await edit(author, post.id, { status: 'about #editednew #editedkept' })).ok()
    await app.settle()
    expect([await listed('editedold'), await listed('editedkept'), await listed('editednew')]).toEqual([
      0, 1, 1,
    ])
    expect((await fan.get('/api/v1/timelines/home')).ok().map((one: Json) => one.id)).toEqual([post.id])
  })
})

describe('who is told of an edit [1-12]', () => {
  test('those who boosted it, each time anew; not the author', async () => {
    const [author, fan, reader] = [
      await app.person('author'),
      await app.person('fan'),
      await app.person('reader'),
    ]
    const post = await author.say('v1')
    for (const person of [author, fan]) (await person.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
    ;(await edit(author, post.id, { status: 'v2' })).ok()
    const [first, ...more] = await told(fan, 'update')
    expect(more).toEqual([])
    expect(first).toMatchObject({
      account: { id: author.accountId },
      status: { id: post.id, content: '<p>v2</p>' },
    })
    app.clock.advance(minutes(1))
    ;(await edit(author, post.id, { status: 'v3' })).ok()
    const again = await told(fan, 'update')
    expect(again).toHaveLength(1)
    expect(BigInt(again[0].id)).toBeGreaterThan(BigInt(first.id))
    expect([await told(author, 'update'), await told(reader, 'update')]).toEqual([[], []])
    ;(await fan.post(`/api/v1/statuses/${post.id}/unreblog`)).ok()
    ;(await fan.post('/api/v1/notifications/clear')).ok()
    ;(await edit(author, post.id, { status: 'v4' })).ok()
    expect(await told(fan, 'update')).toEqual([])
  })

  test('once, also when the effect runs again', async () => {
    const [author, fan] = [await app.person('author'), await app.person('fan')]
    const post = await author.say('v1')
    ;(await fan.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
    ;(await edit(author, post.id, { status: 'v2' })).ok()
    const before = await told(fan, 'update')
    const { rows } = await sql<{ id: string }>`
      select id from status_edits where status_id = ${post.id} order by id desc limit 1`.execute(app.ctx.db)
    await notifyOfEdit(app.ctx, {
      statusId: asId<StatusId>(post.id),
      editId: asId<StatusEditId>(rows[0]?.id ?? ''),
    })
    expect(await told(fan, 'update')).toEqual(before)
  })

  test('those whose quotes show it', async () => {
    const [author, quoter] = [await app.person('author'), await app.person('quoter')]
    const post = await author.say('v1')
    const quote = await quoter.say('indeed', { quoted_status_id: post.id })
    await author.say('indeed', { quoted_status_id: post.id })
    ;(await edit(author, post.id, { status: 'v2' })).ok()
    const [one, ...more] = await told(quoter, 'quoted_update')
    expect(more).toEqual([])
    expect(one).toMatchObject({ account: { id: author.accountId }, status: { id: quote.id } })
    expect(await told(author, 'quoted_update')).toEqual([])
    app.clock.advance(minutes(1))
    ;(await edit(author, post.id, { status: 'v3' })).ok()
    expect(await told(quoter, 'quoted_update')).toHaveLength(1)
  })

  test('those it names for the first time; those named before are not told again', async () => {
    const [author, one, two] = [await app.person('author'), await app.person('one'), await app.person('two')]
    const post = await author.say(`hello @${one.username}`)
    await told(one, 'mention')
    ;(await one.post('/api/v1/notifications/clear')).ok()
    const after = (await edit(author, post.id, { status: `hello @${one.username} @${two.username}` })).ok()
    expect(after.mentions.map((mention: Json) => mention.id).toSorted()).toEqual(
      [one.accountId, two.accountId].toSorted(),
    )
    expect(await told(one, 'mention')).toEqual([])
    expect(await told(two, 'mention')).toHaveLength(1)
    const gone = (await edit(author, post.id, { status: 'hello' })).ok()
    expect(gone.mentions).toEqual([])
  })
})

describe('history and source [2.2-19] [4-109]', () => {
  test('tell every version, oldest first', async () => {
    const author = await app.person('author')
    const post = await author.say('v1', { spoiler_text: 'cw' })
    const [only, ...none] = await historyOf(author, post.id)
    expect(none).toEqual([])
    expect(only).toMatchObject({
      content: '<p>v1</p>',
      spoiler_text: 'cw',
      sensitive: true,
      created_at: post.created_at,
      account: { id: author.accountId },
      media_attachments: [],
      emojis: [],
      quote: null,
    })
    app.clock.advance(minutes(1))
    ;(await edit(author, post.id, { status: 'v2' })).ok()
    app.clock.advance(minutes(1))
    const last = (await edit(author, post.id, { status: 'v3' })).ok()
    const versions = (await app.anonymous.get(`/api/v1/statuses/${post.id}/history`)).ok()
    expect(versions.map((one: Json) => [one.content, one.spoiler_text, one.sensitive])).toEqual([
      ['<p>v1</p>', 'cw', true],
      ['<p>v2</p>', '', false],
      ['<p>v3</p>', '', false],
    ])
    expect([versions[0].created_at, versions[2].created_at]).toEqual([post.created_at, last.edited_at])
    const boost = (await author.post(`/api/v1/statuses/${post.id}/reblog`)).ok()
    expect(await historyOf(author, boost.id)).toHaveLength(3)
  })

  test('cost the same number of queries for few versions and for many', async () => {
    const author = await app.person('author')
    const [few, many] = [await author.say('a0'), await author.say('b0')]
    ;(await edit(author, few.id, { status: 'a1' })).ok()
    for (let i = 1; i < 6; i++) (await edit(author, many.id, { status: `b${i}` })).ok()
    const read = (id: string) => app.countQueries(() => historyOf(author, id))
    await read(many.id)
    await read(few.id)
    expect((await read(many.id)).length).toBe((await read(few.id)).length)
  })

  test('the source is what was written, for those with a token', async () => {
    const [author, reader] = [await app.person('author'), await app.person('reader')]
    const post = await author.say('a <b> & "c"', { spoiler_text: 'cw' })
    const path = `/api/v1/statuses/${post.id}/source`
    const source = { id: post.id, text: 'a <b> & "c"', spoiler_text: 'cw', content_type: 'text/plain' }
    expect((await author.get(path)).ok()).toEqual(source)
    expect((await reader.get(path)).ok()).toEqual(source)
    expect((await (await app.application(['read'])).get(path)).ok()).toEqual(source)
    expect((await app.anonymous.get(path)).status).toBe(401)
    for (const part of ['source', 'history']) {
      const narrow = await app.withScopes(reader, ['read:accounts', 'write'])
      expect((await narrow.get(`/api/v1/statuses/${post.id}/${part}`)).status).toBe(403)
      expect((await reader.get(`/api/v1/statuses/1/${part}`)).status).toBe(404)
    }
  })

  test('deleting answers all that is needed to write it again', async () => {
    const author = await app.person('author')
    const [one, two] = [await attachment(app.ctx, author, 'one'), await attachment(app.ctx, author, 'two')]
    const pictures = await author.say('pictures', { media_ids: [two, one], spoiler_text: 'cw' })
    const asked = await author.say('ask', { poll: { options: ['a', 'b'], expires_in: 600, multiple: true } })
    const gone = (await author.delete(`/api/v1/statuses/${pictures.id}`)).ok()
    expect(gone).toMatchObject({ text: 'pictures', spoiler_text: 'cw' })
    expect(gone.media_attachments.map((media: Json) => media.id)).toEqual([two, one])
    const goneToo = (await author.delete(`/api/v1/statuses/${asked.id}`)).ok()
    expect(goneToo).toMatchObject({
      text: 'ask',
      poll: { multiple: true, options: [{ title: 'a' }, { title: 'b' }] },
    })
  })
})

describe('the limit of edits [8-10]', () => {
  const limited = useApp({ env: { RATE_LIMITS: 'on' } })

  test('is that of posts, and counts edits that change something', async () => {
    const author = await limited.person('author')
    const post = await author.say('v1')
    const left = async (status: string) => {
      const { headers } = await edit(author, post.id, { status })
      return [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]
    }
    expect(await left('v2')).toEqual(['300', '298'])
    await left('v2')
    expect((await edit(author, post.id, { status: '' })).status).toBe(422)
    expect(await left('v3')).toEqual(['300', '297'])
  })

  test('refuses what is over it, and changes nothing then', async () => {
    const author = await limited.person('author')
    limited.clock.set((Math.floor(limited.clock.now() / hours(3)) + 1) * hours(3))
    const post = await author.say('v0')
    const statuses: number[] = []
    for (let i = 1; i <= 300; i++) {
      // Half of them in the next five minutes, for which another limit counts anew.
      if (i === 200) limited.clock.advance(minutes(5))
      statuses.push((await edit(author, post.id, { status: `v${i}` })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 299 }, () => 200), 429])
    expect((await author.get(`/api/v1/statuses/${post.id}`)).ok().content).toBe('<p>v299</p>')
    expect(await historyOf(author, post.id)).toHaveLength(300)
  })
})
