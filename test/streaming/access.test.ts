import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { issueToken } from '#domain/identity/oauth/issue-token.ts'
import { createIpBlock } from '#domain/identity/sign-up-restrictions/ip-blocks.ts'
import { revokeUserTokens } from '#domain/identity/oauth/revoke.ts'
import pg from 'pg'
import { WebSocket } from 'ws'
import { usualTimes } from '#streaming/heartbeat.ts'
import { openListener, useStreamingApp } from '#test/app/streaming-app.ts'

/** Milliseconds: this process is both ends, and must not be busy for so long that it does not answer itself. */
const pingEvery = 2_000
const never = 3_600_000
const app = useStreamingApp({ heartbeat: { beat: 100, ping: pingEvery, access: never }, listens: true })

afterEach(() => app.closeStreams())

/** The status and reason with which an upgrade is refused. */
function refusedUpgrade(
  query: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; reason: string }> {
  const socket = new WebSocket(`${app.streamUrl}${query}`, { headers })
  return new Promise((resolve, reject) => {
    socket.on('error', () => {})
    socket.on('open', () => reject(new Error('it was accepted')))
    socket.on('unexpected-response', (_, response) => {
      resolve({ status: response.statusCode ?? 0, reason: String(response.headers['x-error-message'] ?? '') })
      response.destroy()
    })
  })
}

const errorOf = async (path: string, token?: string) => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const answer = await app.fetch(`/api/v1/streaming/${path}`, { headers })
  return [answer.status, ((await answer.json()) as { error?: string }).error]
}

async function tokenWith(scopes: string[]): Promise<string> {
  return (await app.person('scoped', { scopes })).token
}

describe('who may listen', () => {
  test('nobody without a token, or with one that is nobody’s', async () => {
    expect(await errorOf('public')).toEqual([401, 'Missing access token'])
    expect(await errorOf('user', 'wrong')).toEqual([401, 'Invalid access token'])
    expect(await refusedUpgrade('?stream=public')).toEqual({ status: 401, reason: 'Missing access token' })
    expect(await refusedUpgrade('?access_token=wrong')).toEqual({
      status: 401,
      reason: 'Invalid access token',
    })
  })

  test('not those who may not sign in, nor applications without a person', async () => {
    const waiting = await app.person('waiting', { confirmed: false })
    expect(await errorOf('user', waiting.token)).toEqual([401, 'Invalid access token'])
  })

  test('nobody from where staff closed the server', async () => {
    const { token } = await app.person('listener')
    await createIpBlock(app.ctx, 'operator', { ip: '203.0.113.0/24', severity: 'no_access' })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const query = `?access_token=${token}&stream=user`
    expect(await refusedUpgrade(query, from('203.0.113.7'))).toEqual({
      status: 403,
      reason: 'This action is not allowed',
    })
    const headers = { authorization: `Bearer ${token}`, ...from('::ffff:203.0.113.8') }
    expect((await app.fetch('/api/v1/streaming/user', { headers })).status).toBe(403)
    expect((await app.fetch('/api/v1/streaming/user', { headers: from('203.0.112.7') })).status).toBe(401)
  })

  test('nobody any longer from where staff close the server while they listen [ACC-5]', async () => {
    const { token } = await app.person('listener')
    const open = async (address: string) => {
      const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address }
      const socket = new WebSocket(`${app.streamUrl}?stream=user`, { headers })
      socket.on('error', () => {})
      await once(socket, 'open')
      return socket
    }
    const [inside, outside] = [await open('2001:db8:77::1'), await open('2001:db8:78::1')]
    const ended = once(inside, 'close')
    await createIpBlock(app.ctx, 'operator', { ip: '2001:db8:77::1', severity: 'no_access' })
    await ended
    expect(outside.readyState).toBe(WebSocket.OPEN)
    const left = once(outside, 'close')
    outside.close()
    await left
  })

  test('each stream wants its scope', async () => {
    const outside = 'Access token does not have the required scopes'
    const statuses = await tokenWith(['read:statuses'])
    const notifications = await tokenWith(['read:notifications'])
    for (const path of [
      'user',
      'public',
      'public/local',
      'public/remote',
      'hashtag?tag=a',
      'hashtag/local?tag=a',
      'list?list=1',
      'direct',
    ]) {
      expect(await errorOf(path, notifications)).toEqual([401, outside])
    }
    expect(await errorOf('user/notification', statuses)).toEqual([401, outside])
    const listener = await app.listen(statuses)
    listener.subscribe('user:notification')
    expect(await listener.next('error')).toMatchObject({ error: outside, status: 401 })
  })

  test('a stream of one’s own without the scope for notifications tells none', async () => {
    const [alice, bob] = [
      await app.person('alice', { scopes: ['read:statuses', 'write'] }),
      await app.person('bob'),
    ]
    const narrow = await app.listen(alice.token, { stream: 'user' })
    const { secret } = await app.ctx.transaction((tx) =>
      issueToken(tx, { applicationId: null, userId: alice.userId, scopes: ['read'] }),
    )
    const wide = await app.listen(secret, { stream: 'user' })
    await bob.follow(alice)
    await bob.say(`hi @${alice.username}`)
    for (const type of ['follow', 'mention'])
      await wide.next('notification', (heard) => heard.payload.type === type)
    await app.fence(narrow, alice)
    expect(narrow.heard.map((one) => one.event)).toEqual(['update'])
  })

  test('what is asked wrongly is told so', async () => {
    const alice = await app.person('alice')
    expect(await errorOf('nothing', alice.token)).toEqual([400, 'Unknown channel requested'])
    expect(await errorOf('hashtag', alice.token)).toEqual([400, 'Missing tag name parameter'])
    expect(await errorOf('list', alice.token)).toEqual([400, 'Missing list name parameter'])
    for (const list of ['1', 'x', '99999999999999999999', '0']) {
      expect(await errorOf(`list?list=${list}`, alice.token)).toEqual([
        401,
        'Not authorized to stream this list',
      ])
    }
    const listener = await app.listen(alice.token, { stream: 'nothing' })
    expect(await listener.next('error')).toMatchObject({ error: 'Unknown stream type', status: 400 })
    listener.subscribe('hashtag', { tag: '' })
    await listener.next('error', (one) => one.error === 'Missing tag name parameter')
    listener.unsubscribe('nothing')
    await listener.next('error', (one) => one.error === 'Error unsubscribing from channel')
    for (const text of ['', 'x', '[]', 'null', '{"type":"dance"}', '{"type":"subscribe"}'])
      listener.socket.send(text)
    listener.subscribe('user')
    await app.fence(listener, alice)
  })

  test('the token may come by header, query or sub-protocol', async () => {
    const alice = await app.person('alice')
    const byProtocol = await openListener(`${app.streamUrl}?stream=user`, [alice.token])
    const socket = new WebSocket(`${app.streamUrl}/user`, {
      headers: { authorization: `Bearer ${alice.token}` },
    })
    await once(socket, 'open')
    const message = once(socket, 'message')
    const post = await alice.say('hear me')
    expect((await byProtocol.next('update')).payload.id).toBe(post.id)
    expect(String((await message)[0])).toContain(post.id)
    expect(byProtocol.socket.protocol).toBe(alice.token)
    for (const one of [byProtocol.socket, socket]) one.terminate()
  })
})

describe('streams end with their access [ACC-5]', () => {
  /** Resolves when the streams that a token has opened are over, after `end`: how a further one is refused. */
  const untilOver = async (token: string, end: () => Promise<unknown>) => {
    const listener = await app.listen(token, { stream: 'user' })
    const reader = await app.read(token, 'user')
    await end()
    await Promise.all([listener.closed, reader.closed])
    return (await refusedUpgrade(`?access_token=${token}`)).status
  }

  test('what no event tells is looked at often enough for five seconds', () => {
    expect(usualTimes.access).toBeLessThanOrEqual(3_000)
  })

  test('whoever changes that, as another program beside the server', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const client = new pg.Client({ connectionString: app.databaseUrl })
    await client.connect()
    const revoke = () =>
      client.query('update oauth_tokens set revoked_at = now() where user_id = $1', [alice.userId])
    expect(await untilOver(alice.token, revoke)).toBe(401)
    const move = () =>
      client.query('update accounts set moved_to_account_id = id where id = $1', [bob.accountId])
    expect(await untilOver(bob.token, move)).toBe(401)
    await client.end()
  })

  test('a token that is revoked', async () => {
    const alice = await app.person('alice')
    const revoke = () => app.ctx.transaction((tx) => revokeUserTokens(tx, alice.userId))
    expect(await untilOver(alice.token, revoke)).toBe(401)
  })

  test('a login that is disabled', async () => {
    const alice = await app.person('alice')
    const disable = () => sql`update users set disabled = true where id = ${alice.userId}`.execute(app.ctx.db)
    expect(await untilOver(alice.token, disable)).toBe(401)
  })

  test('an account that is suspended, while others go on', async () => {
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    const other = await app.listen(bob.token, { stream: 'user' })
    const suspend = () =>
      sql`update accounts set suspended_at = now() where id = ${alice.accountId}`.execute(app.ctx.db)
    expect(await untilOver(alice.token, suspend)).toBe(401)
    await app.fence(other, bob)
  })
})

describe('one client cannot take what is everybody’s [ROB-10]', () => {
  test('a large or binary message, or too many, close the socket', async () => {
    const alice = await app.person('alice')
    const large = await app.listen(alice.token)
    large.socket.send('x'.repeat(9_000))
    expect(await large.closed).toBe(1009)
    const binary = await app.listen(alice.token)
    binary.socket.send(Buffer.from('{}'))
    expect(await binary.closed).toBe(1003)
    const flood = await app.listen(alice.token)
    for (let i = 0; i < 500; i++) flood.subscribe('list', { list: String(i + 1) })
    expect(await flood.closed).toBe(1008)
  })

  test('a socket follows so many streams and no more', async () => {
    const alice = await app.person('alice')
    const listener = await app.listen(alice.token)
    for (let i = 0; i < 201; i++) listener.subscribe('hashtag', { tag: `tag${i}` })
    expect(await listener.next('error')).toMatchObject({ error: 'Too many subscriptions', status: 429 })
  })

  test('a WebSocket that gives no sign of life is cut, one that answers stays', async () => {
    const alice = await app.person('alice')
    await expect.poll(() => app.countStreams()).toBe(0)
    const [dead, alive] = [
      await openListener(`${app.streamUrl}?access_token=${alice.token}`),
      await app.listen(alice.token),
    ]
    dead.socket.pause()
    await expect.poll(() => app.countStreams()).toBe(1)
    expect(alive.socket.readyState).toBe(WebSocket.OPEN)
    dead.socket.resume()
    await dead.closed
  })

  test('readers of events are told that the connection lives', async () => {
    const alice = await app.person('alice')
    const reader = await app.read(alice.token, 'user')
    await expect.poll(() => reader.comments).toContain(':thump')
  })
})
