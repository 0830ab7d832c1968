// Several servers in one process, as tests of federation use them.
import { expect, test } from 'vitest'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork()

test('has servers that are reached at their domains, each with people of its own', async () => {
  const first = await network.server()
  const second = await network.server('second')
  expect(first.domain).not.toBe(second.domain)
  const alice = await first.person('alice')
  for (const [server, status] of [
    [first, 200],
    [second, 404],
  ] as const) {
    const resource = `acct:${alice.username}@${server.domain}`
    const answer = await fetch(`${server.baseUrl}/.well-known/webfinger?resource=${resource}`)
    expect(answer.status).toBe(status)
  }
  expect(await first.find(alice, first.uriOf(alice))).toMatchObject({ id: alice.accountId })
  expect(await first.find(alice, first.handleOf(alice))).toMatchObject({ id: alice.accountId })
})

test('settles all its servers', async () => {
  const servers = [await network.server(), await network.server('second')]
  for (const server of servers) {
    const [writer, reader] = [await server.person(), await server.person()]
    await reader.follow(writer)
    await writer.say('hello')
  }
  await network.settleAll()
  for (const { ctx } of servers) expect(await ctx.db.selectFrom('outbox').select('id').execute()).toEqual([])
})

test('has peers whose actors send to its first server', async () => {
  const peer = await network.peer()
  const bob = await peer.actor('bob')
  const { baseUrl } = await network.server()
  expect(bob.prepare(bob.build.like(baseUrl)).url.href).toBe(`${baseUrl}/inbox`)
})
