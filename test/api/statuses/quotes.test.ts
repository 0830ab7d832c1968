import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { invalidateRenderCache } from '#domain/content/statuses/invalidate-render-cache.ts'
import { markQuotedDeleted } from '#domain/content/statuses/quotes/detach-quotes.ts'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { asId, type StatusId } from '#lib/id.ts'

const app = useApp()
const idsOf = (list: Json[]): string[] => list.map((item) => item.id)
const lost = { error: 'The post you are trying to quote does not appear to exist.' }

let alice: Person
let bob: Person

beforeEach(async () => {
  ;[alice, bob] = [await app.person('alice'), await app.person('bob')]
})

const quote = (who: Person, quotedId: string, more: Record<string, unknown> = {}) =>
  who.say('look at this', { quoted_status_id: quotedId, ...more })
const read = async (who: Person, id: string) => (await who.get(`/api/v1/statuses/${id}`)).ok()
const quotesOf = async (who: Person, id: string) => (await who.get(`/api/v1/statuses/${id}/quotes`)).ok()
const kinds = async (who: Person) =>
  (await who.get('/api/v1/notifications')).ok().map((one: Json) => [one.type, one.status?.id])
const countOf = async (id: string) => (await read(alice, id)).quotes_count

describe('quoting', () => {
  test('a quote shows what it quotes, says so in its text, and is counted', async () => {
    const original = await alice.say('original')
    const made = await quote(bob, original.id)
    expect(made.quote).toMatchObject({ state: 'accepted', quoted_status: { id: original.id } })
    expect(made.quote.quoted_status.content).toBe('<p>original</p>')
    expect(made.content).toContain(`<p class="quote-inline">RE: <a href="${original.url}"`)
    expect(made.mentions).toEqual([])
    expect(await countOf(original.id)).toBe(1)
    expect((await app.anonymous.get(`/api/v1/statuses/${made.id}`)).ok().quote.quoted_status.id).toBe(
      original.id,
    )
  })

  test('a text that links to the quoted status says so itself, and no text is needed', async () => {
    const original = await alice.say('original')
    const remote = await remoteStatus('example.com')
    await remote.policy({ automatic: ['public'] })
    const named = await bob.say(`see ${remote.url} there`, { quoted_status_id: remote.id })
    expect(named.content).not.toContain('quote-inline')
    expect((await bob.say('see', { quoted_status_id: remote.id })).content).toContain('quote-inline')
    const silent = (await bob.post('/api/v1/statuses', { quoted_status_id: original.id })).ok()
    expect(silent.quote.state).toBe('accepted')
    const warned = await bob.say('', { quoted_status_id: original.id, spoiler_text: 'careful' })
    expect(warned).toMatchObject({ spoiler_text: 'careful', sensitive: true })
  })

  test('a quote of a quote is told of by its id alone, and a boost of a quote has it inside', async () => {
    const original = await alice.say('original')
    const first = await quote(bob, original.id)
    const second = await quote(alice, first.id)
    expect(second.quote.quoted_status.quote).toEqual({ state: 'accepted', quoted_status_id: original.id })
    const boost = (await alice.post(`/api/v1/statuses/${first.id}/reblog`)).ok()
    expect(boost.quote).toBeNull()
    expect(boost.reblog.quote.quoted_status.id).toBe(original.id)
    const ofBoost = await quote(bob, boost.id)
    expect(ofBoost.quote.quoted_status.id).toBe(first.id)
  })

  test('a repeat of a key makes no second quote', async () => {
    const original = await alice.say('original')
    const post = () =>
      bob.post('/api/v1/statuses', { status: 'x', quoted_status_id: original.id }, { 'idempotency-key': 'q' })
    expect((await post()).ok().id).toBe((await post()).ok().id)
    expect(await countOf(original.id)).toBe(1)
  })

  test('an answer that quotes what it answers is counted twice there, and taken back twice', async () => {
    const original = await alice.say('original')
    const made = await quote(bob, original.id, { in_reply_to_id: original.id })
    expect(await read(alice, original.id)).toMatchObject({ replies_count: 1, quotes_count: 1 })
    ;(await bob.delete(`/api/v1/statuses/${made.id}`)).ok()
    expect(await read(alice, original.id)).toMatchObject({ replies_count: 0, quotes_count: 0 })
  })
})

describe('who may quote', () => {
  test('the policy of a status, and the default of its author', async () => {
    const closed = await alice.say('closed', { quote_approval_policy: 'nobody' })
    expect(closed.quote_approval).toEqual({ automatic: [], manual: [], current_user: 'automatic' })
    const near = await alice.say('near', { quote_approval_policy: 'followers' })
    expect((await read(bob, near.id)).quote_approval).toEqual({
      automatic: ['followers'],
      manual: [],
      current_user: 'denied',
    })
    for (const { id } of [closed, near]) {
      const refused = await bob.post('/api/v1/statuses', { status: 'x', quoted_status_id: id })
      expect([refused.status, refused.body]).toEqual([404, lost])
    }
    await bob.follow(alice)
    expect((await read(bob, near.id)).quote_approval.current_user).toBe('automatic')
    expect((await quote(bob, near.id)).quote.state).toBe('accepted')
    expect((await quote(alice, closed.id)).quote.state).toBe('accepted')
    ;(await alice.patch('/api/v1/accounts/update_credentials', { source: { quote_policy: 'nobody' } })).ok()
    expect((await alice.get('/api/v1/preferences')).ok()['posting:default:quote_policy']).toBe('nobody')
    expect((await alice.say('by default')).quote_approval.automatic).toEqual([])
  })

  test('a wrong policy is refused', async () => {
    const answer = await alice.post('/api/v1/statuses', { status: 'x', quote_approval_policy: 'friends' })
    expect([answer.status, answer.body.error]).toEqual([
      422,
      'Validation failed: Quote approval policy is invalid',
    ])
  })

  test('what only followers see is quoted by its author alone, and reaches nobody else', async () => {
    const own = await alice.say('for followers', {
      visibility: 'private',
      quote_approval_policy: 'public',
    })
    expect(own.quote_approval).toMatchObject({ automatic: [], current_user: 'automatic' })
    await bob.follow(alice)
    expect((await read(bob, own.id)).quote_approval.current_user).toBe('denied')
    const refused = await bob.post('/api/v1/statuses', { status: 'x', quoted_status_id: own.id })
    expect([refused.status, refused.body]).toEqual([404, lost])
    expect((await quote(alice, own.id, { visibility: 'public' })).visibility).toBe('private')
    expect((await quote(alice, own.id, { visibility: 'direct' })).visibility).toBe('direct')
    const direct = await alice.say('for one', { visibility: 'direct' })
    expect(direct.quote_approval.current_user).toBe('denied')
    const none = await alice.post('/api/v1/statuses', { status: 'x', quoted_status_id: direct.id })
    expect([none.status, none.body]).toEqual([404, lost])
  })

  test('a direct status quotes only whom it names [ACC-18]', async () => {
    const original = await alice.say('original')
    const params = { quoted_status_id: original.id, visibility: 'direct' }
    const refused = await bob.post('/api/v1/statuses', { status: 'psst', ...params })
    expect([refused.status, refused.body.error]).toEqual([
      422,
      'Validation failed: Cannot quote a non-mentioned user in a Private Mention post.',
    ])
    const made = await bob.say(`psst @${alice.username}`, params)
    expect((await read(alice, made.id)).quote.state).toBe('accepted')
    expect((await quote(alice, original.id, { visibility: 'direct' })).quote.state).toBe('accepted')
  })

  test('quoting what one cannot see is as quoting what does not exist, and has no effect [ACC-2]', async () => {
    const hidden = await alice.say('hidden', { visibility: 'private' })
    const blocked = await alice.say('blocked')
    ;(await alice.post(`/api/v1/accounts/${bob.accountId}/block`)).ok()
    for (const id of [hidden.id, blocked.id, '1']) {
      const answer = await bob.post('/api/v1/statuses', { status: 'x', quoted_status_id: id })
      expect([answer.status, answer.body]).toEqual([404, lost])
    }
    const { rows } = await sql`select 1 from quotes where account_id = ${bob.accountId}`.execute(app.ctx.db)
    expect(rows).toEqual([])
  })

  test('a quote of what stays on this server stays there too [ACC-23]', async () => {
    const original = await alice.say('ours')
    await sql`update statuses set local_only = true, version = version + 1 where id = ${original.id}`.execute(
      app.ctx.db,
    )
    const made = await quote(bob, original.id)
    expect(made.local_only).toBe(true)
    expect((await app.anonymous.get(`/api/v1/statuses/${made.id}`)).status).toBe(404)
  })

  test('a private quote is seen by the quoted author, who is told of it', async () => {
    const original = await alice.say('original')
    const made = await quote(bob, original.id, { visibility: 'private' })
    await app.settle()
    expect((await read(alice, made.id)).quote.state).toBe('accepted')
    expect(await kinds(alice)).toEqual([['quote', made.id]])
    expect((await app.anonymous.get(`/api/v1/statuses/${made.id}`)).status).toBe(404)
  })
})

describe('what a viewer sees of a quote', () => {
  test('a private status is not shown through a quote to those who cannot see it [ACC-1]', async () => {
    const [friend, stranger] = [await app.person('friend'), await app.person('stranger')]
    await friend.follow(alice)
    const secret = await alice.say('the secret', { visibility: 'private' })
    const made = await alice.say(`@${stranger.username} look`, { quoted_status_id: secret.id })
    const beyond = await quote(alice, made.id)
    expect((await read(friend, made.id)).quote).toMatchObject({ state: 'accepted' })
    const seen = await read(stranger, made.id)
    expect(seen.quote).toEqual({ state: 'unauthorized', quoted_status: null })
    // A quote of one's own private status is private: the stranger sees this one because it names them.
    await sql`insert into mentions (status_id, account_id) values (${beyond.id}, ${stranger.accountId})`.execute(
      app.ctx.db,
    )
    const shallow = await read(stranger, beyond.id)
    expect(shallow.quote.quoted_status.quote).toEqual({ state: 'unauthorized', quoted_status_id: null })
    expect(JSON.stringify(shallow)).not.toContain('the secret')
  })

  test('whom the viewer blocks or mutes is told apart, and who blocks them is hidden', async () => {
    const reader = await app.person('reader')
    const original = await alice.say('original')
    const made = await quote(bob, original.id)
    const state = async () => (await read(reader, made.id)).quote.state
    ;(await reader.post(`/api/v1/accounts/${alice.accountId}/mute`)).ok()
    expect(await state()).toBe('muted_account')
    ;(await reader.post(`/api/v1/accounts/${alice.accountId}/block`)).ok()
    const blocked = (await read(reader, made.id)).quote
    expect(blocked).toMatchObject({ state: 'blocked_account', quoted_status: { id: original.id } })
    ;(await reader.post(`/api/v1/accounts/${alice.accountId}/unblock`)).ok()
    ;(await reader.post(`/api/v1/accounts/${alice.accountId}/unmute`)).ok()
    expect(await state()).toBe('accepted')
    ;(await alice.post(`/api/v1/accounts/${reader.accountId}/block`)).ok()
    expect((await read(reader, made.id)).quote).toEqual({ state: 'unauthorized', quoted_status: null })
  })

  test('a quote that waits for consent shows nothing, but to its author who deletes it [FED-40]', async () => {
    const remote = await remoteStatus()
    await remote.policy({ automatic: ['public'] })
    const made = await quote(bob, remote.id)
    expect(made.quote).toEqual({ state: 'pending', quoted_status: null })
    expect(JSON.stringify(await read(alice, made.id))).not.toContain('far away')
    expect(await quotesOf(alice, remote.id)).toEqual([])
    expect((await read(alice, remote.id)).quotes_count).toBe(0)
    const deleted = (await bob.delete(`/api/v1/statuses/${made.id}`)).ok()
    expect(deleted.quote).toMatchObject({ state: 'pending', quoted_status: { id: remote.id } })
    await remote.policy({ manual: ['public'] })
    expect((await read(bob, remote.id)).quote_approval.current_user).toBe('manual')
    expect((await quote(bob, remote.id)).quote.state).toBe('pending')
    await remote.policy({})
    expect((await bob.post('/api/v1/statuses', { status: 'x', quoted_status_id: remote.id })).status).toBe(
      404,
    )
  })

  test('a server that the viewer blocks', async () => {
    const remote = await remoteStatus('blocked.example')
    const made = await quote(bob, (await alice.say('x')).id)
    await sql`update quotes set quoted_status_id = ${remote.id}, quoted_account_id = ${remote.accountId}
      where status_id = ${made.id}`.execute(app.ctx.db)
    await sql`update statuses set version = version + 1 where id = ${made.id}`.execute(app.ctx.db)
    expect((await read(bob, made.id)).quote.state).toBe('accepted')
    ;(await bob.post('/api/v1/domain_blocks', { domain: 'blocked.example' })).ok()
    expect((await read(bob, made.id)).quote.state).toBe('blocked_domain')
  })

  test('deleting gives the sources of what is boosted and quoted, too', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const original = await alice.say('as *written*', { content_type: 'text/markdown' })
    const made = await quote(bob, original.id)
    const boost = (await bob.post(`/api/v1/statuses/${made.id}/reblog`)).ok()
    const unboosted = (await bob.delete(`/api/v1/statuses/${boost.id}`)).ok()
    expect(unboosted.text).toBe('')
    expect(unboosted.reblog).toMatchObject({ id: made.id, text: expect.stringMatching(/./) })
    expect(unboosted.reblog.quote.quoted_status).toMatchObject({ id: original.id, text: 'as *written*' })
    const deleted = (await bob.delete(`/api/v1/statuses/${made.id}`)).ok()
    expect(deleted.quote.quoted_status).toMatchObject({ id: original.id, text: 'as *written*' })
    const remote = await remoteStatus()
    const ofRemote = (await bob.post(`/api/v1/statuses/${remote.id}/reblog`)).ok()
    const shown = (await bob.delete(`/api/v1/statuses/${ofRemote.id}`)).ok()
    expect(shown.reblog.text).toBe(shown.reblog.content)
    expect((await alice.get(`/api/v1/statuses/${original.id}`)).ok()).not.toHaveProperty('text')
  })

  test('a deleted status is not shown at once, and soon said to be deleted', async () => {
    const original = await alice.say('original')
    const made = await quote(bob, original.id)
    await app.settle()
    ;(await alice.delete(`/api/v1/statuses/${original.id}`)).ok()
    expect((await read(bob, made.id)).quote.quoted_status).toBeNull()
    await app.settle()
    expect((await read(bob, made.id)).quote).toEqual({ state: 'deleted', quoted_status: null })
    expect(await kinds(alice)).toEqual([])
    expect((await bob.get(`/api/v1/statuses/${original.id}/quotes`)).status).toBe(404)
  })

  test('nothing is marked while the quoted status is there', async () => {
    const original = await alice.say('original')
    const made = await quote(bob, original.id)
    await markQuotedDeleted(app.ctx, [asId<StatusId>(original.id)])
    expect((await read(bob, made.id)).quote.state).toBe('accepted')
  })
})

describe('GET /api/v1/statuses/:id/quotes', () => {
  test('lists quotes, newest first and page by page', async () => {
    const original = await alice.say('original')
    const made: string[] = []
    for (let i = 0; i < 5; i++) made.unshift((await quote(bob, original.id)).id)
    expect(idsOf(await quotesOf(alice, original.id))).toEqual(made)
    const first = await alice.get(`/api/v1/statuses/${original.id}/quotes?limit=2`)
    expect(idsOf(first.ok())).toEqual(made.slice(0, 2))
    const second = await alice.get(first.links['next']!)
    expect(idsOf(second.ok())).toEqual(made.slice(2, 4))
    expect(second.links['prev']).toContain('since_id=')
    expect(idsOf((await alice.get(second.links['prev']!)).ok())).toEqual(made.slice(0, 2))
    const boost = (await bob.post(`/api/v1/statuses/${original.id}/reblog`)).ok()
    expect(await quotesOf(alice, boost.id)).toHaveLength(5)
  })

  test('leaves out what the viewer may not or does not want to see', async () => {
    const [reader, third] = [await app.person('reader'), await app.person('third')]
    const original = await alice.say('original')
    const open = await quote(bob, original.id)
    const near = await quote(third, original.id, { visibility: 'private' })
    expect(idsOf(await quotesOf(reader, original.id))).toEqual([open.id])
    expect(idsOf(await quotesOf(alice, original.id))).toEqual([near.id, open.id])
    for (const [verb, undo] of [
      ['mute', 'unmute'],
      ['block', 'unblock'],
    ]) {
      ;(await reader.post(`/api/v1/accounts/${bob.accountId}/${verb}`)).ok()
      expect(await quotesOf(reader, original.id)).toEqual([])
      ;(await reader.post(`/api/v1/accounts/${bob.accountId}/${undo}`)).ok()
    }
    ;(await bob.post(`/api/v1/accounts/${reader.accountId}/block`)).ok()
    expect(await quotesOf(reader, original.id)).toEqual([])
  })

  test('needs a token, its scope, and a status one can see [AUTH-6] [ACC-1]', async () => {
    const hidden = await alice.say('hidden', { visibility: 'private' })
    const path = `/api/v1/statuses/${hidden.id}/quotes`
    expect((await app.anonymous.get(path)).status).toBe(401)
    expect((await (await app.withScopes(alice, ['read:accounts'])).get(path)).status).toBe(403)
    expect((await bob.get(path)).status).toBe(404)
    expect((await (await app.application(['read'])).get(path)).status).toBe(404)
    expect(await quotesOf(alice, hidden.id)).toEqual([])
    const open = await alice.say('open')
    expect((await (await app.application(['read'])).get(`/api/v1/statuses/${open.id}/quotes`)).ok()).toEqual(
      [],
    )
  })

  test('a page that mixes quotes takes as many queries for 20 as for 40', async () => {
    const original = await alice.say('original')
    const nested = await quote(bob, original.id)
    for (let i = 0; i < 40; i++) {
      if (i % 4 === 0) await bob.say(`plain ${i}`)
      else if (i % 4 === 1) await quote(bob, nested.id)
      else await quote(bob, (await alice.say(`one of ${i}`)).id)
    }
    const list = (limit: number) =>
      app.countQueries(() => alice.get(`/api/v1/accounts/${bob.accountId}/statuses?limit=${limit}`))
    // From the third time on, what she did is kept.
    for (let i = 0; i < 3; i++) await list(1)
    await invalidateRenderCache(app.ctx)
    const twenty = await list(20)
    await invalidateRenderCache(app.ctx)
    const forty = await list(40)
    expect(forty).toHaveLength(twenty.length)
    expect(forty.length).toBeLessThan(30)
  })
})

describe('POST /api/v1/statuses/:id/quotes/:quoting_status_id/revoke', () => {
  const revoke = (who: Person, quoted: string, quoting: string) =>
    who.post(`/api/v1/statuses/${quoted}/quotes/${quoting}/revoke`)

  test('takes the quoted status out of the quote, the list, the counter and the notifications', async () => {
    const original = await alice.say('original')
    const made = await quote(bob, original.id)
    await app.settle()
    expect(await kinds(alice)).toEqual([['quote', made.id]])
    const answer = (await revoke(alice, original.id, made.id)).ok()
    expect(answer).toMatchObject({ id: made.id, quote: { state: 'revoked', quoted_status: null } })
    expect((await read(bob, made.id)).quote).toEqual({ state: 'revoked', quoted_status: null })
    expect(await countOf(original.id)).toBe(0)
    expect(await quotesOf(alice, original.id)).toEqual([])
    await app.settle()
    expect(await kinds(alice)).toEqual([])
    expect((await revoke(alice, original.id, made.id)).ok().quote.state).toBe('revoked')
    expect(await countOf(original.id)).toBe(0)
    const deleted = (await bob.delete(`/api/v1/statuses/${made.id}`)).ok()
    expect(deleted.quote).toMatchObject({ state: 'revoked', quoted_status: { id: original.id } })
    expect(await countOf(original.id)).toBe(0)
  })

  test('a quote revoked before anybody was told of it is not told of', async () => {
    const original = await alice.say('original')
    const made = await quote(bob, original.id)
    ;(await revoke(alice, original.id, made.id)).ok()
    await app.settle()
    expect(await kinds(alice)).toEqual([])
  })

  test('works on one whose author blocks the quoted one, and tells nothing of it', async () => {
    const original = await alice.say('original')
    const made = await bob.say('hidden words', { quoted_status_id: original.id })
    ;(await bob.post(`/api/v1/accounts/${alice.accountId}/block`)).ok()
    const answer = (await revoke(alice, original.id, made.id)).ok()
    expect(answer).toMatchObject({ id: made.id, content: '', quote: null })
    expect((await read(bob, made.id)).quote.state).toBe('revoked')
  })

  test('only the quoted author may, and only for what quotes them', async () => {
    const original = await alice.say('original')
    const made = await quote(bob, original.id)
    const other = await alice.say('another')
    const refused = await revoke(bob, original.id, made.id)
    expect([refused.status, refused.body]).toEqual([403, { error: 'This action is not allowed' }])
    for (const [quoted, quoting] of [
      [other.id, made.id],
      [original.id, other.id],
      [original.id, '1'],
      ['1', made.id],
      [original.id, 'x'],
    ])
      expect((await revoke(alice, quoted!, quoting!)).status).toBe(404)
    expect((await read(bob, made.id)).quote.state).toBe('accepted')
    expect(await countOf(original.id)).toBe(1)
  })

  test('needs a token, its scope, and a status one can see [AUTH-6] [ACC-2]', async () => {
    const original = await alice.say('original', { visibility: 'private' })
    const made = await quote(alice, original.id)
    const path = `/api/v1/statuses/${original.id}/quotes/${made.id}/revoke`
    expect((await app.anonymous.post(path)).status).toBe(401)
    expect((await (await app.withScopes(alice, ['read', 'write:lists'])).post(path)).status).toBe(403)
    expect((await bob.post(path)).status).toBe(404)
  })

  test('revoking and deleting at the same time count down once [ROB-14]', async () => {
    const original = await alice.say('original')
    const kept = await quote(bob, original.id)
    for (let i = 0; i < 6; i++) {
      const made = await quote(bob, original.id)
      await Promise.all([
        revoke(alice, original.id, made.id),
        bob.delete(`/api/v1/statuses/${made.id}`),
        revoke(alice, original.id, made.id),
      ])
    }
    expect(await countOf(original.id)).toBe(1)
    expect(idsOf(await quotesOf(alice, original.id))).toEqual([kept.id])
  })
})

describe('PUT /api/v1/statuses/:id/interaction_policy', () => {
  const change = (who: Person, id: string, policy?: string) =>
    who.put(`/api/v1/statuses/${id}/interaction_policy`, { quote_approval_policy: policy })

  test('changes who may quote from now on, and nothing of earlier quotes', async () => {
    const original = await alice.say('original')
    const made = await quote(bob, original.id)
    const changed = (await change(alice, original.id, 'nobody')).ok()
    expect(changed.quote_approval).toEqual({ automatic: [], manual: [], current_user: 'automatic' })
    expect(changed.edited_at).toBeNull()
    expect((await read(bob, original.id)).quote_approval.current_user).toBe('denied')
    expect((await bob.post('/api/v1/statuses', { status: 'x', quoted_status_id: original.id })).status).toBe(
      404,
    )
    expect((await read(bob, made.id)).quote.state).toBe('accepted')
    expect((await change(alice, original.id, 'followers')).ok().quote_approval.automatic).toEqual([
      'followers',
    ])
    expect((await change(alice, original.id)).ok().quote_approval.automatic).toEqual(['public'])
  })

  test('what is not open to all stays closed', async () => {
    for (const visibility of ['private', 'direct']) {
      const own = await alice.say('own', { visibility })
      expect((await change(alice, own.id, 'public')).ok().quote_approval.automatic).toEqual([])
    }
  })

  test('is its author’s alone [ACC-2] [AUTH-6]', async () => {
    const [open, hidden] = [await alice.say('open'), await alice.say('hidden', { visibility: 'private' })]
    expect((await change(bob, open.id, 'nobody')).status).toBe(403)
    expect((await change(bob, hidden.id, 'nobody')).status).toBe(404)
    expect((await change(bob, '1', 'nobody')).status).toBe(404)
    expect((await change(alice, open.id, 'friends')).status).toBe(422)
    const path = `/api/v1/statuses/${open.id}/interaction_policy`
    expect((await app.anonymous.put(path)).status).toBe(401)
    expect((await (await app.withScopes(alice, ['read'])).put(path)).status).toBe(403)
    expect((await read(bob, open.id)).quote_approval.automatic).toEqual(['public'])
  })
})

describe('notifications of quotes', () => {
  test('go to the quoted author alone, and not to oneself, the blocking or the muting', async () => {
    const original = await alice.say('original')
    await quote(alice, original.id)
    const made = await quote(bob, original.id)
    await app.settle()
    expect(await kinds(alice)).toEqual([['quote', made.id]])
    expect(await kinds(bob)).toEqual([])
    ;(await alice.post(`/api/v1/accounts/${bob.accountId}/mute`)).ok()
    await quote(bob, original.id)
    await app.settle()
    ;(await alice.post(`/api/v1/accounts/${bob.accountId}/unmute`)).ok()
    expect(await kinds(alice)).toEqual([['quote', made.id]])
    ;(await bob.delete(`/api/v1/statuses/${made.id}`)).ok()
    await app.settle()
    expect(await kinds(alice)).toEqual([])
  })

  test('whoever is named as well hears of both', async () => {
    const original = await alice.say('original')
    const made = await bob.say(`@${alice.username} look`, { quoted_status_id: original.id })
    await app.settle()
    expect((await kinds(alice)).toSorted()).toEqual([
      ['mention', made.id],
      ['quote', made.id],
    ])
  })
})

/** A status of another server as ingestion leaves it. */
async function remoteStatus(domain = 'away.example') {
  const { accountId } = await remoteAccount(app.ctx, domain)
  const id = app.ctx.newId()
  const uri = `https://${domain}/notes/${id}`
  await sql`
    insert into statuses (id, account_id, content, visibility, local, uri, url)
    values (${id}, ${accountId}, '<p>far away</p>', 'public', false, ${uri}, ${uri})`.execute(app.ctx.db)
  const policy = ({ automatic = [], manual = [] }: { automatic?: string[]; manual?: string[] }) =>
    sql`
      update statuses set quote_automatic = ${automatic}::text[], quote_manual = ${manual}::text[],
        version = version + 1 where id = ${id}`.execute(app.ctx.db)
  return { id, accountId, url: uri, policy }
}
