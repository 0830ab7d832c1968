// What it costs to import an archive of 2,000 posts with media, to make one of them, and to bring that to another
// server: node bench/archive.ts [POSTS]. Checks that the same came out, and prints a table, then one line of JSON.
import { createWriteStream } from 'node:fs'
import { copyFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { ZipFile } from 'yazl'
import { withContext } from '#app/command-context.ts'
import type { Ctx } from '#ports/ctx.ts'
import { createUserByOperator } from '#domain/identity/accounts/registration/create-by-operator.ts'
import { getLocalUser } from '#domain/identity/accounts/local-user.ts'
import { makeArchive } from '#domain/transfer/portability/archive/archive-build.ts'
import { requestArchive } from '#domain/transfer/portability/archive/archive-export.ts'
import { beginLocalArchive } from '#domain/transfer/portability/archive/archive-import.ts'
import { runLocalArchive } from '#domain/transfer/portability/archive/archive-run.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { jsonLdContext } from '#federation/objects/context.ts'
import { toActivity } from '#federation/objects/to-activity.ts'
import { toActor } from '#federation/objects/to-actor.ts'
import { processTree, pssOf } from './kit/processes.ts'
import { withDataDir } from './kit/server.ts'

const posts = Number(process.argv[2] ?? 2000)
/** One post in so many has a picture. */
const every = 4
const [width, height] = [1200, 900]
const actor = 'https://old.example/users/alice'

interface Cost {
  seconds: number
  /** Megabytes at most: of this process, and of it and those that read pictures. */
  memory: number
  together: number
  /** Milliseconds for which the event loop stood still at most. */
  stall: number
}

async function cost(work: () => Promise<void>): Promise<Cost> {
  const found = { memory: 0, together: 0 }
  const timer = setInterval(() => {
    found.memory = Math.max(found.memory, pssOf([process.pid]))
    const readers = processTree(process.pid).filter((pid) => !isPostgres(pid))
    found.together = Math.max(found.together, pssOf(readers))
  }, 250)
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const begun = performance.now()
  await work().finally(() => clearInterval(timer))
  return { seconds: (performance.now() - begun) / 1000, ...found, stall: delay.max / 1e6 }
}

const postgres = new Set<number>()
const isPostgres = (pid: number) => postgres.has(pid)

/** An archive as Mastodon writes it: threads, tags, pictures of 1200 x 900. */
async function writeMastodonArchive(target: string): Promise<void> {
  const zip = new ZipFile()
  const written = pipeline(zip.outputStream, createWriteStream(target))
  const items: object[] = []
  for (let n = 0; n < posts; n++) {
    const published = new Date(Date.UTC(2020, 0, 1) + n * 3_600_000).toISOString()
    const id = `${actor}/statuses/${n + 1}`
    const file = `media_attachments/files/${n}/original/${n}.jpg`
    const attachment =
      n % every === 0 ? [{ type: 'Document', mediaType: 'image/jpeg', url: `/${file}`, name: `${n}` }] : []
    if (attachment.length > 0) addImage(zip, file, n)
    const to = ['https://www.w3.org/ns/activitystreams#Public']
    const content = `<p>Post ${n} says a few words about nothing in particular, as most do. <a href="https://old.example/tags/t${n % 9}" class="mention hashtag" rel="tag">#<span>t${n % 9}</span></a></p>`
    const inReplyTo = n % 5 === 4 ? `${actor}/statuses/${n - 1}` : null
    const object = {
      id,
      type: 'Note',
      published,
      attributedTo: actor,
      to,
      cc: [],
      content,
      inReplyTo,
      attachment,
    }
    items.push({ id: `${id}/activity`, type: 'Create', actor, published, to, cc: [], object })
  }
  zip.addBuffer(
    Buffer.from(JSON.stringify({ type: 'OrderedCollection', orderedItems: items })),
    'outbox.json',
  )
  zip.end()
  await written
}

/** Drawn when its turn comes: all of them together would be what is measured. */
function addImage(zip: ZipFile, name: string, n: number): void {
  zip.addReadStreamLazy(name, { compress: false }, (use) => {
    picture(n)
      .then((body) => use(null, Readable.from([body])))
      .catch((error: unknown) => zip.emit('error', error))
  })
}

let base: Promise<Buffer> | undefined

async function picture(n: number): Promise<Buffer> {
  base ??= sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .png()
    .toBuffer()
  return sharp(await base)
    .modulate({ hue: n % 360 })
    .jpeg({ quality: 80 })
    .toBuffer()
}

async function importInto(ctx: Ctx, file: string): Promise<void> {
  await createUserByOperator(ctx, {
    username: 'alice',
    email: 'alice@mail.example',
    confirmed: true,
    role: null,
    approve: true,
  })
  const { accountId } = await getLocalUser(ctx, 'alice')
  await runLocalArchive(ctx, await beginLocalArchive(ctx, accountId, 'archive.zip'), file, () => {})
}

async function exportFrom(ctx: Ctx, target: string): Promise<void> {
  const { accountId } = await getLocalUser(ctx, 'alice')
  const viewer = await findViewer(ctx, accountId)
  if (!viewer) throw new Error('alice is gone')
  const id = await requestArchive(ctx, viewer)
  await makeArchive(ctx, id, {
    context: jsonLdContext,
    actor: (facts) => toActor(ctx.config, facts),
    activity: (facts) => toActivity(ctx.config, facts, ctx.clock.now()),
  })
  const { rows } = await sql<{ file_key: string }>`select file_key from backups where id = ${id}`.execute(
    ctx.db,
  )
  await copyFile(path.join(ctx.config.dataDir, 'media', rows[0]?.file_key ?? ''), target)
}

/** What must be the same on both servers, in order. */
async function essence(ctx: Ctx): Promise<string> {
  const { rows } = await sql<object>`
    select s.text, s.visibility, s.created_at, s.in_reply_to_id, s.id, array(
      select m.description || m.type || (m.facts ->> 'width') || coalesce(m.blurhash, '') from media_attachments m
      where m.status_id = s.id) as media
    from statuses s order by s.id`.execute(ctx.db)
  return JSON.stringify(rows)
}

const report: Record<string, Cost> = {}

function show(name: string, found: Cost): void {
  const cells = [found.seconds, found.memory, found.together, found.stall].map((cell) =>
    cell.toFixed(1).padStart(11),
  )
  console.log(name.padEnd(28) + cells.join(''))
  report[name] = found
}

async function onServer(dataDir: string, port: number, work: (ctx: Ctx) => Promise<void>): Promise<void> {
  await withContext({ DATA_DIR: dataDir, PORT: String(port) }, async ({ ctx }) => {
    postgres.clear()
    for (const pid of processTree(process.pid)) if (pid !== process.pid) postgres.add(pid)
    await work(ctx)
  })
}

await withDataDir((first) =>
  withDataDir(async (second) => {
    const [theirs, ours] = [path.join(first, 'theirs.zip'), path.join(first, 'ours.zip')]
    await writeMastodonArchive(theirs)
    const megabytes = (await stat(theirs)).size / 1e6
    console.log(`${posts} posts, ${Math.ceil(posts / every)} pictures, ${megabytes.toFixed(0)} MB`)
    console.log(`${''.padEnd(28)}    seconds     MB own    MB all   stall ms`)
    let before = ''
    await onServer(first, 3991, async (ctx) => {
      show('import of Mastodon’s', await cost(() => importInto(ctx, theirs)))
      show('export', await cost(() => exportFrom(ctx, ours)))
      before = await essence(ctx)
    })
    await onServer(second, 3992, async (ctx) => {
      show('import of our own', await cost(() => importInto(ctx, ours)))
      if ((await essence(ctx)) !== before) throw new Error('what came out is not what went in')
    })
    console.log(JSON.stringify({ posts, megabytes, ...report }))
  }),
)
