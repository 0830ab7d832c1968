// What it costs that another server's post arrives, from the request to the last of its effects:
// node bench/inbound.ts. Prints a table, then one line of JSON.
import { createPublicKey, sign, verify } from 'node:crypto'
import { settled, withClient } from './kit/database.ts'
import { createNote, sendAll, signPost, startPeer, type Peer } from './kit/peer.ts'
import { cpuOf } from './kit/processes.ts'
import { seed, type Seeded } from './kit/seed.ts'
import { withDataDir, withServer, type BenchServer } from './kit/server.ts'

const actors = 50
const activities = 3000
const followersEach = 10
const atOnce = 20

/** Each actor is followed by some people here: their posts are kept, and reach feeds. */
async function followPeers(server: BenchServer, seeded: Seeded): Promise<void> {
  await withClient(server.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>('select id from accounts where domain is not null')
    for (const [index, { id }] of rows.entries()) {
      const people = Array.from({ length: followersEach }, (_, i) => seeded.accounts[(index * 7 + i) % 900])
      const ids = people.map((_, i) => String(2 ** 50 + index * followersEach + i))
      await client.query(
        `insert into follows (id, account_id, target_account_id)
         select f, a, $3 from unnest($1::bigint[], $2::bigint[]) t (f, a)`,
        [ids, people, id],
      )
    }
  })
}

async function measure(server: BenchServer, peer: Peer, from: number, count: number) {
  const posts = Array.from({ length: count }, (_, i) => {
    const actor = peer.actors[i % actors]
    if (!actor) throw new Error('there is no such actor')
    return signPost(
      actor,
      `${server.base.replace('127.0.0.1', 'localhost')}/inbox`,
      createNote(actor, from + i),
    )
  })
  const [begun, before] = [performance.now(), cpuOf(server.pids)]
  const taken = await sendAll(server.base, posts, atOnce)
  const acceptedIn = performance.now() - begun
  await settled(server.databaseUrl)
  return {
    taken,
    acceptedPerSecond: Math.round((count / acceptedIn) * 1000),
    processedPerSecond: Math.round((count / (performance.now() - begun)) * 1000),
    cpuMs: (cpuOf(server.pids) - before) / count,
  }
}

function verifyCost(peer: Peer): number {
  const actor = peer.actors[0]
  if (!actor) return Number.NaN
  const key = createPublicKey(actor.key)
  const data = Buffer.alloc(400)
  const signature = sign('sha256', data, actor.key)
  const before = process.cpuUsage()
  for (let i = 0; i < 5000; i += 1) verify('sha256', data, key, signature)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / 5000
}

await withDataDir((dataDir) =>
  withServer(
    dataDir,
    async (server) => {
      const seeded = await seed(server.databaseUrl)
      const peer = await startPeer('127.0.0.2', actors)
      await measure(server, peer, 0, actors)
      await followPeers(server, seeded)
      await measure(server, peer, 1_000, 200)
      const found = await measure(server, peer, 10_000, activities)
      const stored = await withClient(server.databaseUrl, async (client) => {
        const { rows } = await client.query<{ n: string }>(
          'select count(*) as n from statuses where not local',
        )
        return Number(rows[0]?.n)
      })
      const floor = verifyCost(peer)
      console.table([{ ...found, stored, verifyMs: floor, ratio: found.cpuMs / floor }])
      console.log(JSON.stringify({ inbound: { ...found, stored, floor } }))
      await peer.close()
    },
    { ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' },
  ),
)
