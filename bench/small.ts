// Whether a small board holds the server: bin/node bench/small.ts [MEGABYTES], 512 unless told. All of it, the database
// and the processes for media included, in a control group of so much memory on one core, while people post, read, and
// upload photographs and a video for a minute. Wants Linux, root, taskset and ffmpeg. Prints a table, then one line of
// JSON. Exit code 1 where a process was killed for want of memory or a request failed.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { timeToId } from '#lib/ids.ts'
import { createControlGroup, type ControlGroup } from './kit/control-group.ts'
import { settled, withClient } from './kit/database.ts'
import { load, pace, quantile, type Sample, type Shot } from './kit/load.ts'
import { insertPeople, token } from './kit/seed.ts'
import { withDataDir, withServer, type BenchServer } from './kit/server.ts'
import { makePhotograph, upload } from './kit/uploads.ts'

const megabytes = Number(process.argv[2] ?? 512)
const people = 20
const seconds = 60
/** Of which one of five is a post, and the others a page of home. */
const perSecond = 5
const photographEvery = 5_000
const words = 'some words that people write to each other, '.repeat(6)

/** All of them follow each other. */
async function settle(server: BenchServer): Promise<void> {
  await withClient(server.databaseUrl, async (client) => {
    const now = Date.now()
    await insertPeople(
      client,
      Array.from({ length: people }, (_, i) => timeToId(now - 86_400_000 + i)),
    )
    await client.query(
      `insert into follows (id, account_id, target_account_id)
       select row_number() over (), a.id, b.id from accounts a, accounts b
       where a.id <> b.id and a.username like 'person%' and b.username like 'person%'`,
    )
  })
  await load(server.base, { total: 400, concurrency: 4 }, post)
  await settled(server.databaseUrl)
}

const post = (index: number): Shot => ({
  method: 'POST',
  path: '/api/v1/statuses',
  token: token(index % people),
  body: { status: `Number ${index}: ${words}` },
})

const home = (index: number): Shot => ({
  path: '/api/v1/timelines/home?limit=20',
  token: token(index % people),
})

/** Five seconds of a large video with sound, in a format that has to be converted. */
function makeVideo(folder: string): Buffer {
  const file = path.join(folder, 'video.webm')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=30:duration=5']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=5']
  const codecs = [
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-b:v',
    '4M',
    '-c:a',
    'libvorbis',
  ]
  execFileSync('ffmpeg', ['-v', 'error', ...picture, ...sound, ...codecs, file])
  return readFileSync(file)
}

interface Minute {
  samples: Sample[]
  photographs: number[]
  video: number
}

async function live(server: BenchServer, photograph: Buffer, video: Buffer): Promise<Minute> {
  const end = performance.now() + seconds * 1000
  const stopped = () => performance.now() > end
  const photographs: number[] = []
  const takePhotographs = async () => {
    while (!stopped()) {
      photographs.push(await upload(server, { bytes: photograph, type: 'image/jpeg' }))
      await new Promise((resolve) => setTimeout(resolve, photographEvery))
    }
  }
  const [samples, converted] = await Promise.all([
    pace(server.base, { perSecond, stopped }, (index) => (index % 5 === 0 ? post(index) : home(index))),
    upload(server, { bytes: video, type: 'video/webm' }),
    takePhotographs(),
  ])
  return { samples, photographs, video: converted }
}

/** Megabytes that could not be given back, at most, until it is told to stop. */
function watch(group: ControlGroup): () => number {
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, group.held())), 50)
  return () => {
    clearInterval(timer)
    return most
  }
}

async function run(server: BenchServer, group: ControlGroup): Promise<object> {
  await settle(server)
  const atRest = group.held()
  const [photograph, video] = [await makePhotograph(), makeVideo(server.dataDir)]
  const stop = watch(group)
  const minute = await live(server, photograph, video).finally(stop)
  await settled(server.databaseUrl)
  const took = minute.samples.map((sample) => sample.took)
  const failed = minute.samples.filter((sample) => sample.failed).length
  const kills = group.kills()
  if (failed > 0 || kills > 0) process.exitCode = 1
  return {
    startedIn: Math.round(server.startedIn),
    requests: took.length,
    failed,
    p50: Math.round(quantile(took, 0.5)),
    p99: Math.round(quantile(took, 0.99)),
    photographs: minute.photographs.length,
    photographP50: Math.round(quantile(minute.photographs, 0.5)),
    video: Math.round(minute.video),
    atRest: Math.round(atRest),
    held: Math.round(stop()),
    withFiles: Math.round(group.peak()),
    kills,
  }
}

const group = createControlGroup(megabytes, 0)
try {
  await withDataDir((dataDir) =>
    withServer(
      dataDir,
      async (server) => {
        const found = await run(server, group)
        console.table([found])
        console.log(JSON.stringify({ small: { megabytes, version: group.version, ...found } }))
      },
      {},
      { through: group.through },
    ),
  )
} finally {
  group.remove()
}
