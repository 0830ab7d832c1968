import { expect, test } from 'vitest'
import { useNetwork } from '#test/servers/network.ts'

const network = useNetwork()

test('an address at which nothing is found is not searched for by its words', async () => {
  const app = await network.server()
  const [peer, alice] = [await network.peer(), await app.person('alice')]
  const bob = await peer.actor('bob')
  const ask = async (q: string) =>
    (await alice.get(`/api/v2/search?resolve=true&q=${encodeURIComponent(q)}`)).ok()
  expect((await ask(bob.uri)).accounts).toHaveLength(1)
  expect(await ask(peer.url('/nothing/bob'))).toEqual({
    accounts: [],
    statuses: [],
    hashtags: [],
    collections: [],
  })
})
