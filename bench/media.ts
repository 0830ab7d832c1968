// What taking in a photograph of 12 megapixels costs, from the upload until it can be shown: node bench/media.ts.
// Prints a table, then one line of JSON.
import pg from 'pg'
import { timeToId } from '#lib/ids.ts'
import { cpuOf, processTree, pssOf } from './kit/processes.ts'
import { insertPeople } from './kit/seed.ts'
import { withDataDir, withServer, type BenchServer } from './kit/server.ts'
import { height, makePhotograph, upload, width } from './kit/uploads.ts'

/** Megabytes at most. */
interface Peaks {
  /** The process that answers. */
  server: number
  /** Those that read pictures. */
  pictures: number
  /** All but PostgreSQL. */
  together: number
}

/** Looks at the memory of the processes until it is told to stop. */
function watchMemory(server: BenchServer): () => Peaks {
  const [root, postmaster] = server.pids as [number, number]
  const peaks: Peaks = { server: 0, pictures: 0, together: 0 }
  const timer = setInterval(() => {
    const database = new Set(processTree(postmaster))
    const readers = processTree(root).filter((pid) => pid !== root && !database.has(pid))
    const [own, pictures] = [pssOf([root]), pssOf(readers)]
    peaks.server = Math.max(peaks.server, own)
    peaks.pictures = Math.max(peaks.pictures, pictures)
    peaks.together = Math.max(peaks.together, own + pictures)
  }, 20)
  return () => {
    clearInterval(timer)
    return peaks
  }
}

async function measure(server: BenchServer, atOnce: number, photograph: Buffer) {
  const total = atOnce * 6
  let left = total
  const times: number[] = []
  const before = cpuOf(server.pids)
  const stop = watchMemory(server)
  const one = async () => {
    while (left-- > 0) times.push(await upload(server, { bytes: photograph, type: 'image/jpeg' }))
  }
  await Promise.all(Array.from({ length: atOnce }, one)).finally(stop)
  const sorted = times.toSorted((a, b) => a - b)
  const cpuSeconds = (cpuOf(server.pids) - before) / total / 1000
  return { atOnce, p50: sorted[total >> 1] as number, max: sorted.at(-1) as number, cpuSeconds, ...stop() }
}

async function run(server: BenchServer): Promise<void> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  await insertPeople(client, [timeToId(Date.now())])
  await client.end()
  const photograph = await makePhotograph()
  const megabytes = photograph.length / 1e6
  console.log(`${width} x ${height}, ${megabytes.toFixed(1)} MB; memory in MB at most`)
  console.log('at once   p50 ms   max ms   CPU s each   server   pictures   together')
  await upload(server, { bytes: photograph, type: 'image/jpeg' })
  const report = []
  for (const atOnce of [1, 2, 8]) {
    const found = await measure(server, atOnce, photograph)
    const { p50, max, cpuSeconds, server: own, pictures, together } = found
    const cells = [atOnce, p50, max].map((cell, at) => cell.toFixed(0).padStart(at === 0 ? 7 : 9))
    const memory = [own, pictures, together].map((cell, at) => cell.toFixed(0).padStart(at === 0 ? 9 : 11))
    console.log([...cells, cpuSeconds.toFixed(2).padStart(13), ...memory].join(''))
    report.push(found)
  }
  console.log(JSON.stringify({ width, height, megabytes, uploads: report }))
}

await withDataDir((dataDir) => withServer(dataDir, run))
