// Posts of another server's people that some people here follow, and what they cost until all of it is done.
import { settled, withClient } from './database.ts'
import { createNote, sendAll, signPost, startPeer, type Peer } from './peer.ts'
import { cpuOf } from './processes.ts'
import type { Seeded } from './seed.ts'
import type { BenchServer } from './server.ts'

const actors = 50
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

/** Somebody here, for every other note. */
function namedIn(base: string, index: number) {
  if (index % 2 === 0) return null
  const name = `person${index % 900}`
  return { href: `${base}/users/${name}`, name: `@${name}@${new URL(base).host}` }
}

/** Sends `count` notes, the first of which has the index `from`. */
export async function measureInbound(server: BenchServer, peer: Peer, from: number, count: number) {
  const base = server.base.replace('127.0.0.1', 'localhost')
  const posts = Array.from({ length: count }, (_, i) => {
    const actor = peer.actors[i % actors]
    if (!actor) throw new Error('there is no such actor')
    return signPost(actor, `${base}/inbox`, createNote(actor, from + i, namedIn(base, from + i)))
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

/** Another server, whose people are known and followed here. */
export async function preparePeer(server: BenchServer, seeded: Seeded): Promise<Peer> {
  const peer = await startPeer('127.0.0.2', actors)
  await measureInbound(server, peer, 0, actors)
  await followPeers(server, seeded)
  await measureInbound(server, peer, 1_000, 200)
  return peer
}
