// What it costs to send posts to the followers' servers, and how much dead servers slow the live ones:
// node bench/delivery.ts. Prints a table, then one line of JSON.
import { generateKeyPairSync, sign } from 'node:crypto'
import { hosts, prepareFollowers } from './kit/delivery-load.ts'
import { withDataDir, withServer, type BenchServer } from './kit/server.ts'

const posts = 100

/** `dead` of the hosts do not answer. */
async function measure(server: BenchServer, dead: number) {
  const followers = await prepareFollowers(server, dead)
  return followers.measure(posts).finally(() => followers.close())
}

function signCost(): number {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const data = Buffer.alloc(300)
  const before = process.cpuUsage()
  for (let i = 0; i < 1000; i += 1) sign('sha256', data, privateKey)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / 1000
}

await withDataDir((dataDir) =>
  withServer(
    dataDir,
    async (server) => {
      const signMs = signCost()
      const rows = [await measure(server, 0), await measure(server, hosts / 5)]
      console.table(rows.map((row) => ({ ...row, signMs, ratio: row.cpuMs / signMs })))
      console.log(JSON.stringify({ delivery: { rows, signMs } }))
    },
    { ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' },
  ),
)
