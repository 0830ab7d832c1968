// Backup and restore as an operator does them: `bin/stonechat` beside a server that is at work.
import { once } from 'node:events'
import { lstat, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { connectEmbeddedPostgres, startEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { quietLog } from '#test/app/log.ts'
import { createClient, type Client, type Json } from '#test/client/client.ts'
import { until } from '#test/run/patience.ts'
import type { Person } from '#test/people/people.ts'
import { createServerProcess, runToEnd, type ServerProcess } from '#test/processes/server-process.ts'
import { uploadForm } from '#test/client/upload.ts'
import type { AccountId } from '#lib/id.ts'
import { isNight } from '#test/run/night.ts'

const env = { ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' }
const hosts = 10
/** Each look is a connection of its own. */
const calmly = { interval: 200 }

/** Inboxes on addresses of their own, which note the ids of activities. They take their time, so that some wait. */
async function startInboxes() {
  const arrived = Array.from({ length: hosts }, () => [] as string[])
  const state = { port: 0, isOpen: true }
  for (const [index, ids] of arrived.entries()) {
    const take = async (request: IncomingMessage, response: ServerResponse) => {
      const body = JSON.parse((await buffer(request)).toString()) as Json
      if (state.isOpen) ids.push(body.id)
      await sleep(200)
      response.writeHead(state.isOpen ? 202 : 503).end()
    }
    const server = createServer((request, response) => void take(request, response).catch(() => {}))
    server.listen(state.port, `127.0.7.${index + 1}`)
    await once(server, 'listening')
    state.port = (server.address() as AddressInfo).port
    onTestFinished(() => void server.close().closeAllConnections())
  }
  return { arrived, state }
}

async function inDatabase<T>(server: ServerProcess, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = await connectEmbeddedPostgres({ dataDir: server.dataDir })
  const client = new pg.Client({ connectionString: url as string })
  await client.connect()
  return work(client).finally(() => client.end())
}

/** An account on each host follows the one who posts. */
const followFromHosts = (server: ServerProcess, port: number, accountId: AccountId) =>
  inDatabase(server, (client) =>
    client.query(
      `with others as (
         insert into accounts (id, username, domain, uri, uri_host, inbox_url)
         select i, 'peer', host, 'http://' || host || '/peer', host, 'http://' || host || '/inbox'
         from (select i, '127.0.7.' || i || ':' || $1 as host from generate_series(1, ${hosts}) i) h returning id)
       insert into follows (id, account_id, target_account_id) select id, id, $2 from others`,
      [port, accountId],
    ),
  )

const countOutgoing = (server: ServerProcess) =>
  inDatabase(server, async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'select ((select count(*) from deliveries) + (select count(*) from outbox))::int as count',
    )
    return rows[0]?.count ?? 0
  })

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The new machine: another folder and port, and the name of the old one. */
async function newMachine(old: ServerProcess): Promise<ServerProcess> {
  const server = await createServerProcess({ env: { ...env, LOCAL_DOMAIN: `localhost:${old.port}` } })
  onTestFinished(() => server.remove())
  return server
}

const asPerson = (server: ServerProcess, { token }: Person): Client =>
  createClient({ token, fetch: (target, init) => fetch(new URL(target, server.url), init) })

const json = async (server: ServerProcess, target: string): Promise<Json> =>
  (await fetch(new URL(target, server.url), { headers: { accept: 'application/activity+json' } })).json()

const bytesAt = async (server: ServerProcess, url: string) => {
  const answer = await fetch(new URL(new URL(url).pathname, server.url))
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

async function listAll(client: Client, target: string): Promise<Json[]> {
  const all: Json[] = []
  for (;;) {
    const page = (await client.get(target, { limit: 40, max_id: all.at(-1)?.id })).ok() as Json[]
    all.push(...page)
    if (page.length === 0) return withoutCounts(all)
  }
}

/** Without the author's counts, which are of another moment. */
const withoutCounts = (statuses: Json[]): Json[] =>
  statuses.map(({ account: { statuses_count: _, last_status_at: __, ...account }, ...status }) => ({
    ...status,
    account,
  }))

/** Milliseconds between two posts of somebody: each goes out to all hosts. */
const pace = 25

/** Posts until told to stop. */
function keepPosting(person: Person) {
  let isOver = false
  const posted: string[] = []
  const done = (async () => {
    for (let i = 0; !isOver; i++) {
      posted.push((await person.say(`Load ${i} of ${person.username}`)).id)
      await sleep(pace)
    }
  })()
  return {
    posted,
    async stop() {
      isOver = true
      await done
    },
  }
}

async function illustrate(person: Person): Promise<void> {
  const raw = { width: 900, height: 900, channels: 3 as const }
  const noise = Buffer.from(
    Array.from({ length: 900 * 900 * 3 }, (_, i) => ((i * 2_654_435_761) >>> (i % 13)) & 255),
  )
  const picture = await sharp(noise, { raw }).png().toBuffer()
  // Larger than what is kept in memory at once.
  expect(picture.length).toBeGreaterThan(2 ** 20)
  const media = (await person.post('/api/v2/media', uploadForm(picture))).ok()
  const isReady = async () => {
    const { status } = await person.get(`/api/v1/media/${media.id}`)
    return status === 200
  }
  await until(isReady, () => 'the picture is ready')
  await person.say('With a picture\tand a tab', { media_ids: [media.id] })
  const form = new FormData()
  form.set('avatar', new Blob([new Uint8Array(await sharp(picture).resize(200).png().toBuffer())]), 'a.png')
  ;(await person.patch('/api/v1/accounts/update_credentials', form)).ok()
}

test('a backup under load, restored on an empty machine, is the same server, and sends nothing twice [ROB-7]', async () => {
  const { arrived, state } = await startInboxes()
  const old = await createServerProcess({ prepared: true, env })
  onTestFinished(() => old.remove())
  await old.start()
  const [alice, bob] = (await old.people('alice', 'bob')) as [Person, Person]
  await alice.follow(bob)
  await bob.follow(alice)
  await followFromHosts(old, state.port, alice.accountId)
  await illustrate(alice)
  await alice.get('/api/v1/timelines/home')

  const load = [keepPosting(alice), keepPosting(bob)]
  await until(
    () => load.every(({ posted }) => posted.length > 20),
    () => 'there is load',
  )
  const before = load.map(({ posted }) => [...posted])
  const file = path.join(await temporaryFolder(), 'all.tar')
  const written = await old.launch('backup', file, '--json')
  const during = load.map(({ posted }, index) => posted.length - (before[index] as string[]).length)
  for (const one of load) await one.stop()
  expect(written.stderr).toBe('')
  const summary = JSON.parse(written.stdout)
  expect(during.every((count) => count > 0)).toBe(true)
  // It caught the server in the middle of its work.
  expect(summary.rows.deliveries + summary.rows.outbox).toBeGreaterThan(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await old.command('restore', file, '--force')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('already uses DATA_DIR'),
  })

  // The old machine goes on until all is sent, and then dies.
  await until(
    async () => (await countOutgoing(old)) === 0,
    () => 'all is sent',
    calmly,
  )
  const facts = async (server: ServerProcess) => ({
    instance: { ...(await json(server, '/api/v2/instance')), usage: null },
    actor: await json(server, '/users/alice'),
    credentials: (await asPerson(server, alice).get('/api/v1/accounts/verify_credentials')).ok(),
  })
  const lists = async (server: ServerProcess) => ({
    home: await listAll(asPerson(server, alice), '/api/v1/timelines/home'),
    alice: await listAll(asPerson(server, alice), `/api/v1/accounts/${alice.accountId}/statuses`),
    bob: await listAll(asPerson(server, alice), `/api/v1/accounts/${bob.accountId}/statuses`),
  })
  const [factsBefore, listsBefore] = [await facts(old), await lists(old)]
  const pictured = listsBefore.alice.find((status) => status.media_attachments.length > 0)
  const media = pictured.media_attachments[0]
  const urls = [media.url, media.preview_url, factsBefore.credentials.avatar]
  const pictures = await Promise.all(urls.map((url) => bytesAt(old, url)))
  expect(await old.end('SIGTERM')).toBe(0)

  const fresh = await newMachine(old)
  const checked = await fresh.launch('restore', '--verify', file)
  // How far it is, on a slow machine.
  expect(checked).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(?:Bytes checked: .*\n)*$/) })
  expect(checked.stdout).toMatch(/^Whole: localhost:\d+, .* files of .*\n$/)
  const restored = await fresh.launch('restore', file, '--json')
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(restored.stdout)).toMatchObject({
    id: summary.id,
    rows: summary.rows,
    media: summary.media,
  })
  await fresh.start()

  const [factsAfter, listsAfter] = [await facts(fresh), await lists(fresh)]
  const { statuses_count: _, last_status_at: __, ...account } = factsBefore.credentials
  expect(factsAfter.instance).toEqual(factsBefore.instance)
  expect(factsAfter.instance.configuration.vapid.public_key).toBeTruthy()
  expect(factsAfter.actor).toEqual(factsBefore.actor)
  expect(factsAfter.actor.publicKey.publicKeyPem).toContain('BEGIN PUBLIC KEY')
  expect(factsAfter.credentials).toMatchObject(JSON.parse(JSON.stringify(account)))
  for (const [index, url] of urls.entries()) {
    expect((await bytesAt(fresh, url)).equals(pictures[index] as Buffer)).toBe(true)
  }
  // One moment: everything answered before it is there, and of what came later nothing without what came earlier.
  for (const [index, name] of (['alice', 'bob'] as const).entries()) {
    const here = listsAfter[name]
    expect(here).toEqual(listsBefore[name].slice(-here.length))
    expect(here.map((status) => status.id)).toEqual(expect.arrayContaining(before[index] as string[]))
    const account = await json(fresh, `/api/v1/accounts/${here[0].account.id}`)
    expect(account.statuses_count).toBe(here.length)
  }
  const known = new Set([...listsAfter.alice, ...listsAfter.bob].map((status) => status.id))
  expect(listsAfter.home).toEqual(listsBefore.home.filter((status) => known.has(status.id)))

  // It federates with the old keys, and what the old machine has sent is not sent again.
  const last = await asPerson(fresh, alice).post('/api/v1/statuses', { status: 'From the new machine' })
  const id = last.ok().uri
  await until(
    () => arrived.every((ids) => ids.some((one) => one.startsWith(id))),
    () => 'the new post arrives',
  )
  await until(
    async () => (await countOutgoing(fresh)) === 0,
    () => 'nothing waits',
    calmly,
  )
  for (const ids of arrived) expect(ids.length).toBe(new Set(ids).size)
})

test.runIf(isNight)(
  'what waits when a server is stopped and moved is sent by the new one, once, if it is told to',
  async () => {
    const { arrived, state } = await startInboxes()
    const old = await createServerProcess({ prepared: true, env })
    onTestFinished(() => old.remove())
    await old.start()
    const [alice] = (await old.people('alice')) as [Person]
    await followFromHosts(old, state.port, alice.accountId)
    state.isOpen = false
    const { uri } = await alice.say('To be sent later')
    const waitsForEach = () =>
      inDatabase(old, async (client) => {
        const { rows } = await client.query('select from deliveries where attempts > 0')
        return rows.length === hosts
      })
    await until(waitsForEach, () => 'it waits for each host', calmly)
    await old.end('SIGTERM')
    state.isOpen = true
    const file = path.join(await temporaryFolder(), 'moved.tar')
    expect(await old.command('backup', file, '--json')).toMatchObject({ code: 0, stderr: '' })
    // A backup does none of the work that waits.
    expect(arrived.flat()).toEqual([])

    const resumed = await newMachine(old)
    expect(await resumed.command('restore', file, '--resume', '--json')).toMatchObject({
      code: 0,
      stderr: '',
    })
    await resumed.start()
    // The hosts are asked again when their pause is over: somebody who is heard of is asked at once.
    await inDatabase(resumed, (client) =>
      client.query(
        'update hosts set closed_until = null, failures = 0, deliver_at = now() where deliver_at is not null',
      ),
    )
    await inDatabase(resumed, (client) => client.query('update deliveries set due_at = now()'))
    await until(
      () => arrived.every((ids) => ids.length > 0),
      () => 'it arrives',
    )
    await resumed.end('SIGTERM')
    expect(arrived.map((ids) => ids.map((one) => one.startsWith(uri)))).toEqual(arrived.map(() => [true]))

    const settled = await newMachine(old)
    const { stdout } = await settled.command('restore', file)
    expect(stdout).toContain(`Taken as sent by the old server: ${hosts} deliveries`)
    const database = await startEmbeddedPostgres({ dataDir: settled.dataDir, log: quietLog })
    expect(await countOutgoing(settled).finally(database.stop)).toBe(0)
  },
)

test('a restore is refused where there is something, and a backup where there is a file; damage is told in one line', async () => {
  const old = await createServerProcess({ prepared: true })
  onTestFinished(() => old.remove())
  await old.people('alice')
  const folder = await temporaryFolder()
  const file = path.join(folder, 'b.tar')
  expect((await old.command('backup', file)).stdout).toMatch(
    /^Backed up: \d+ rows, 0 files, .* in .*b\.tar\nKeep it as secret as the server/,
  )
  expect(await old.command('backup', file)).toMatchObject({
    code: 1,
    stderr: `${file} exists already: choose another name, or add --force\n`,
  })
  const pipe = path.join(folder, 'pipe')
  await runToEnd(['mkfifo', pipe])
  for (const force of [[], ['--force']])
    expect(await old.command('backup', pipe, ...force)).toMatchObject({
      code: 1,
      stderr: `${pipe} is no ordinary file: give - as FILE, and lead stdout there\n`,
    })
  expect(await old.command('backup', folder)).toMatchObject({
    code: 1,
    stderr: `${folder} is a folder: give the name of a file\n`,
  })
  const link = path.join(folder, 'latest.tar')
  await symlink(file, link)
  const earlier = (await stat(file)).ino
  expect(await old.command('backup', link, '--force')).toMatchObject({ code: 0 })
  expect([(await lstat(link)).isSymbolicLink(), (await stat(file)).ino === earlier]).toEqual([true, false])
  const nowhere = path.join(folder, 'none')
  expect(await old.command('backup', path.join(nowhere, 'b.tar'))).toMatchObject({
    code: 1,
    stderr: `There is no folder ${nowhere}: make it, or give another name\n`,
  })
  expect(await old.command('restore', file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is something in this database already: .*--force.*\n$/),
  })
  expect(await old.command('restore', file, '--force', '--json')).toMatchObject({ code: 0, stderr: '' })

  const bytes = await readFile(file)
  const place = bytes.indexOf('"secretKeyBase"') + 20
  bytes[place] = (bytes[place] as number) ^ 1
  const bad = path.join(folder, 'bad.tar')
  await writeFile(bad, bytes)
  const found = await old.command('restore', '--verify', bad)
  expect([found.code, found.stdout]).toEqual([1, ''])
  expect(found.stderr).toMatch(/^.*bad\.tar is damaged: [^\n]+\n$/)
})
