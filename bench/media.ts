// What taking in a photograph of 12 megapixels costs, from the upload until it can be shown: node bench/media.ts.
// Prints a table, then one line of JSON.
import pg from 'pg'
import sharp from 'sharp'
import { timeToId } from '#lib/ids.ts'
import { cpuOf, processTree, pssOf } from './kit/processes.ts'
import { generator } from './kit/random.ts'
import { insertPeople, token } from './kit/seed.ts'
import { withDataDir, withServer, type BenchServer } from './kit/server.ts'

const [width, height] = [4000, 3000]

/** As large as a photograph: soft shapes under fine noise. */
async function makePhotograph(): Promise<Buffer> {
  const random = generator(17)
  const pixels = Buffer.alloc(width * height * 3)
  for (let at = 0; at < pixels.length; at += 3) {
    const [x, y] = [(at / 3) % width, Math.floor(at / 3 / width)]
    const light = 128 + 90 * Math.sin(x / 310) * Math.cos(y / 230) + random() * 18
    pixels[at] = light
    pixels[at + 1] = light * 0.9
    pixels[at + 2] = light * 0.7 + 20
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** Milliseconds until it is ready. */
async function upload(server: BenchServer, photograph: Buffer): Promise<number> {
  const begun = performance.now()
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(photograph)], { type: 'image/jpeg' }), 'photograph.jpg')
  const headers = { authorization: `Bearer ${token(0)}` }
  const answer = await fetch(`${server.base}/api/v2/media`, { method: 'POST', headers, body: form })
  const { id } = (await answer.json()) as { id: string }
  for (let { status } = answer; status !== 200;) {
    if (status !== 202 && status !== 206) throw new Error(`the upload was answered with ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
    status = (await fetch(`${server.base}/api/v1/media/${id}`, { headers })).status
  }
  return performance.now() - begun
}

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
    while (left-- > 0) times.push(await upload(server, photograph))
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
  await upload(server, photograph)
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
