// What it costs that another server's post arrives, from the request to the last of its effects:
// node bench/inbound.ts. Prints a table, then one line of JSON.
import { createPublicKey, sign, verify } from 'node:crypto'
import { withClient } from './kit/database.ts'
import { measureInbound, preparePeer } from './kit/inbound-load.ts'
import type { Peer } from './kit/peer.ts'
import { seed } from './kit/seed.ts'
import { withDataDir, withServer } from './kit/server.ts'

const activities = 3000

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
      const peer = await preparePeer(server, seeded)
      const found = await measureInbound(server, peer, 10_000, activities)
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
