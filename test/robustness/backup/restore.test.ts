// What a backup holds and how a restore goes, on databases in this process.
import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import pg from 'pg'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { migrateJobs } from '#adapters/postgres/jobs.ts'
import { createContext, type App } from '#app/context.ts'
import { readArchive } from '#app/backup/archive-reader.ts'
import { restoreBackup } from '#app/backup/restore-backup.ts'
import { verifyBackup } from '#app/backup/verify-backup.ts'
import { writeBackup } from '#app/backup/write-backup.ts'
import { loadConfig } from '#config/config.ts'
import { beginLoad } from '#db/dump/load.ts'
import { keyColumns } from '#db/dump/media-keys.ts'
import { listDumped, schemaNumber } from '#db/dump/tables.ts'
import { migrate, migrateTo } from '#db/migrate.ts'
import { systemClock } from '#ports/clock.ts'
import { openDatabase } from '#adapters/postgres/database.ts'
import { freshDatabase } from '#test/app/databases.ts'
import { recordingLog } from '#test/app/log.ts'
import { admin, urlOf } from '#test/run/temporary-cluster.ts'
import { createPeople } from '#test/people/people.ts'
import { startS3rver } from '#test/servers/s3-server.ts'
import { isNight } from '#test/run/night.ts'

const silent = () => ({ advance: () => {}, done: () => {} })

interface Machine {
  env: Record<string, string>
  databaseUrl: string
  dataDir: string
  /** Opens it as a server does, until the test ends or it is closed. */
  open(): Promise<App>
  sql<T extends object = Record<string, unknown>>(text: string, values?: unknown[]): Promise<T[]>
}

/** When what was made is taken away again. */
type Until = (clean: () => Promise<void>) => void
const endOfTest: Until = (clean) => onTestFinished(clean)
const cleanUp: (() => Promise<void>)[] = []
const endOfFile: Until = (clean) => void cleanUp.unshift(clean)
afterAll(async () => {
  for (const clean of cleanUp) await clean()
})

async function folder(until = endOfTest): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'stonechat-restore-'))
  until(() => rm(made, { recursive: true, force: true }))
  return made
}

async function machine(
  databaseUrl: string,
  more: Record<string, string> = {},
  until = endOfTest,
): Promise<Machine> {
  const dataDir = await folder(until)
  // With a host, as operators' tools want it; the socket in its query is what counts.
  const withHost = databaseUrl.replace('@/', '@localhost/')
  const env = { DATA_DIR: dataDir, DATABASE_URL: withHost, LOCAL_DOMAIN: 'chat.example', ...more }
  const log = recordingLog()
  return {
    env,
    databaseUrl,
    dataDir,
    async open() {
      const config = loadConfig(env)
      return createContext({ config, databaseUrl, clock: systemClock, log, mailer: { send: async () => {} } })
    },
    async sql<T extends object>(text: string, values: unknown[] = []) {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      const { rows } = await client.query<T>(text, values).finally(() => client.end())
      return rows
    },
  }
}

/** One with the schema and nothing else. */
async function usedMachine(more: Record<string, string> = {}, until = endOfTest): Promise<Machine> {
  const database = await freshDatabase()
  until(() => database.drop())
  return machine(database.url, more, until)
}

let made = 0
async function emptyMachine(more: Record<string, string> = {}): Promise<Machine> {
  const name = `${inject('databases')}_restore_${process.pid}_${++made}`
  const clusterUrl = inject('clusterUrl')
  await admin(clusterUrl, `create database ${name}`)
  onTestFinished(() => admin(clusterUrl, `drop database if exists ${name} with (force)`))
  return machine(urlOf(clusterUrl, name), more)
}

const backUp = async ({ env }: Machine, more: { media?: 'all' | 'own' | 'none' } = {}, until = endOfTest) => {
  const file = path.join(await folder(until), 'backup.tar')
  const summary = await writeBackup(env, { file, overwrite: false, media: 'all', progress: silent, ...more })
  return { file, summary }
}

let plain: Promise<{ old: Machine; file: string }> | undefined

/** A server on which nothing has happened, and its backup: the same for all tests. */
const plainBackup = () => (plain ??= makePlainBackup())

async function makePlainBackup() {
  const old = await usedMachine({}, endOfFile)
  await (await old.open()).close()
  const { file } = await backUp(old, {}, endOfFile)
  return { old, file }
}

const restoreInto = (
  { env }: Machine,
  file: string,
  more: Partial<Parameters<typeof restoreBackup>[1]> = {},
) => restoreBackup(env, { file, force: false, resume: false, progress: silent, ...more })

/** The tables, indexes, keys, triggers and sequences that there are, in words. */
const describeSchema = ({ sql }: Machine) =>
  sql<{ line: string }>(`
    select 'index ' || pg_get_indexdef(i.indexrelid) || case when i.indisvalid then '' else ' invalid' end as line
    from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace
    union all select 'key ' || conname || ' ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) || convalidated
    from pg_constraint where connamespace = 'public'::regnamespace
    union all select 'trigger ' || pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
    union all select 'sequence ' || sequencename || ' ' || data_type from pg_sequences where schemaname = 'public'
    union all select 'column ' || table_name || '.' || column_name || ' ' || data_type || coalesce(column_default, '') || is_nullable
    from information_schema.columns where table_schema = 'public'
    order by 1`)

test('the restored database has the rows, indexes, keys, triggers and sequences of the old one', async () => {
  const old = await usedMachine()
  const app = await old.open()
  const people = createPeople(app.ctx, async () => new Response())
  const alice = await people.person('alice')
  const odd = 'tab\t, line\n, return\r, \\N, \\., \u{1F426}, "quote"'
  await old.sql(
    `insert into statuses (id, account_id, text, visibility, uri)
     select 1000 + i, $1, $2, 'public', 'https://chat.example/' || i from generate_series(1, 24000) i`,
    [alice.accountId, odd + 'x'.repeat(300)],
  )
  await old.sql('insert into outbox (event) values (\'{"type":"emojis.changed"}\')')
  await app.close()
  const { file, summary } = await backUp(old)
  // More than one part of a table.
  const parts: string[] = []
  await readArchive(file, { table: async (name) => void parts.push(name) })
  expect(parts.filter((name) => name === 'statuses').length).toBeGreaterThan(1)

  const fresh = await emptyMachine()
  const restored = await restoreInto(fresh, file, { resume: true })
  expect(restored.rows).toEqual(summary.rows)
  expect(await describeSchema(fresh)).toEqual(await describeSchema(old))
  const sums = `select count(*)::int, md5(string_agg(s::text, '' order by id)) as sum from statuses s`
  expect(await fresh.sql(sums)).toEqual(await old.sql(sums))
  expect((await fresh.sql('select text from statuses limit 1'))[0]).toEqual({ text: odd + 'x'.repeat(300) })
  const sequences = `select sequencename, last_value from pg_sequences where schemaname = 'public'
    and sequencename <> 'process_node' order by 1`
  expect(await fresh.sql(sequences)).toEqual(await old.sql(sequences))
  // The database checks again what a load must not break.
  await expect(fresh.sql('insert into statuses select * from statuses limit 1')).rejects.toThrow(
    /duplicate key/,
  )
  const keyOf = ({ dataDir }: Machine) => readFile(path.join(dataDir, 'secrets/secret-key-base'), 'utf8')
  expect(await keyOf(fresh)).toBe(await keyOf(old))
})

test('an interrupted restore says so, no server starts on it, and the next one goes through', async () => {
  const { file } = await plainBackup()
  const fresh = await emptyMachine()
  for (const moment of ['Rows', 'Indexes and keys']) {
    const progress = (label: string) => {
      const fail = () => {
        throw new Error('pulled the plug')
      }
      return { advance: label === moment ? fail : () => {}, done: () => {} }
    }
    await expect(restoreInto(fresh, file, { progress })).rejects.toThrow('pulled the plug')
    await expect(fresh.open()).rejects.toThrow(/^A restore into this database was not finished/)
    expect(await fresh.sql("select to_regclass('statuses') as found")).toEqual([{ found: null }])
  }
  await restoreInto(fresh, file)
  await (await fresh.open()).close()
})

test.runIf(isNight)('a restore that ends among the files is begun again', async () => {
  const old = await usedMachine()
  const app = await old.open()
  await app.ctx.storage.put(
    'site_uploads/a.png',
    { body: Buffer.from('picture') },
    { contentType: 'image/png' },
  )
  await app.close()
  await old.sql("insert into site_uploads (name, file_key) values ('thumbnail', 'site_uploads/a.png')")
  const { file } = await backUp(old)
  const fresh = await emptyMachine()
  // A file in the place of the folder: nothing can be stored.
  await writeFile(path.join(fresh.dataDir, 'media'), 'in the way')
  await expect(restoreInto(fresh, file)).rejects.toThrow(/^The file site_uploads\/a\.png cannot be stored: /)
  await expect(fresh.open()).rejects.toThrow(/not finished/)
  await rm(path.join(fresh.dataDir, 'media'))
  expect((await restoreInto(fresh, file)).media).toEqual({ files: 1, bytes: 7, missing: 0 })
  expect(await readFile(path.join(fresh.dataDir, 'media/site_uploads/a.png'), 'utf8')).toBe('picture')
})

test('jobs go along; what reaches others is left out unless it is to be resumed', async () => {
  const old = await usedMachine()
  const app = await old.open()
  const { ctx } = app
  const people = createPeople(ctx, async () => new Response())
  const [alice, bob] = [await people.person('alice'), await people.person('bob')]
  const runAt = new Date(Date.now() + 3_600_000)
  await ctx.jobs.add(
    'refresh-account',
    { accountId: '1' },
    { key: 'kept', runAt, maxAttempts: 3, queue: 'q', background: true },
  )
  await ctx.jobs.add('deliver-push', { some: 'message' })
  const effect = (name: string) =>
    ctx.jobs.add('effect', { event: { type: 'files.abandoned' }, effect: name }, { runAt })
  await effect('mail')
  await effect('deliver-status')
  await effect('delete-files')
  await old.sql("update graphile_worker._private_jobs set attempts = 3, last_error = 'no' where key = 'kept'")
  // An event of which nothing has happened yet: a notification, which is a push message too.
  await ctx.transaction((tx) =>
    tx.emit({
      type: 'follow-request.created',
      accountId: bob.accountId,
      targetAccountId: alice.accountId,
    } as never),
  )
  await old.sql('insert into follow_requests (id, account_id, target_account_id) values (1, $1, $2)', [
    bob.accountId,
    alice.accountId,
  ])
  await old.sql("insert into outgoing_activities (id, digest, body) values (1, '\\x01', '{}')")
  await old.sql(
    `insert into deliveries (id, activity_id, host, inbox_url, due_at)
     values (1, 1, 'a.example', 'https://a.example/inbox', now())`,
  )
  await app.close()
  const { file } = await backUp(old)
  const jobsOf = ({ sql }: Machine) =>
    sql(`select t.identifier || coalesce(' ' || (j.payload ->> 'effect'), '') as name, j.attempts, j.max_attempts,
           j.last_error, j.key, q.queue_name, j.run_at, j.priority, j.flags
         from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         left join graphile_worker._private_job_queues q on q.id = j.job_queue_id order by 1`)

  const resumed = await emptyMachine()
  expect((await restoreInto(resumed, file, { resume: true })).settled).toBeNull()
  expect(await jobsOf(resumed)).toEqual(await jobsOf(old))
  expect(await resumed.sql('select id from deliveries')).toHaveLength(1)
  const events = 'select event from outbox order by id'
  expect(await resumed.sql(events)).toEqual(await old.sql(events))

  const settled = await emptyMachine()
  const { settled: aside } = await restoreInto(settled, file)
  expect(aside).toMatchObject({ deliveries: 1, published: 0 })
  expect(aside?.jobs).toBeGreaterThanOrEqual(3)
  const names = (await jobsOf(settled)).map((job) => (job as { name: string }).name)
  expect(names).toEqual(['effect delete-files', 'refresh-account'])
  expect((await jobsOf(settled))[1]).toMatchObject({
    attempts: 3,
    last_error: 'no',
    key: 'kept',
    queue_name: 'q',
    flags: { background: true },
  })
  expect(await settled.sql('select from deliveries union all select from outgoing_activities')).toHaveLength(
    0,
  )
  expect(await settled.sql('select id from outbox')).toHaveLength(0)
  expect(await settled.sql('select account_id, type from notifications')).toEqual([
    { account_id: alice.accountId, type: 'follow_request' },
  ])
})

test('a scheduled post whose time has passed since is published, and sent nowhere', async () => {
  const old = await usedMachine()
  const app = await old.open()
  const alice = await createPeople(app.ctx, async () => new Response()).person('alice')
  await old.sql(
    `insert into scheduled_statuses (id, account_id, params, scheduled_at)
     values (1, $1, $2, now() - interval '1 second')`,
    [alice.accountId, { text: 'It was time', visibility: 'public', mediaIds: [] }],
  )
  await old.sql(
    `insert into accounts (id, username, domain, uri, uri_host, inbox_url) values
     (5, 'far', 'far.example', 'https://far.example/far', 'far.example', 'https://far.example/inbox')`,
  )
  await old.sql('insert into follows (id, account_id, target_account_id) values (5, 5, $1)', [
    alice.accountId,
  ])
  await app.close()
  const fresh = await emptyMachine()
  const { settled } = await restoreInto(fresh, (await backUp(old)).file)
  expect(settled).toMatchObject({ published: 1, deliveries: 1 })
  expect(await fresh.sql('select text from statuses')).toEqual([{ text: 'It was time' }])
  expect(await fresh.sql('select from deliveries')).toHaveLength(0)
})

test('files that rows name are in it, each once; those that are gone are counted; copies can be left out', async () => {
  const old = await usedMachine()
  const app = await old.open()
  const { storage } = app.ctx
  const alice = await createPeople(app.ctx, async () => new Response()).person('alice')
  const large = Buffer.alloc(3_000_000, 'abcdefg')
  const jpg = { contentType: 'image/jpeg' }
  await storage.put('media_attachments/1/o.jpg', { body: large }, jpg)
  await storage.put('cache/media_attachments/2/o.jpg', { body: Buffer.from('copy') }, jpg)
  await storage.put('unnamed/u.jpg', { body: Buffer.from('nobody names it') }, jpg)
  await app.close()
  await old.sql(
    `insert into media_attachments (id, account_id, type, original_key, preview_key, cached_at, used_at) values
     (1, $1, 'image', 'media_attachments/1/o.jpg', 'media_attachments/1/o.jpg', null, null),
     (2, $1, 'image', 'cache/media_attachments/2/o.jpg', null, now(), now()),
     (3, $1, 'image', 'media_attachments/3/gone.jpg', null, null, null)`,
    [alice.accountId],
  )
  const all = await backUp(old)
  expect(all.summary.media).toEqual({ files: 2, bytes: large.length + 4, missing: 1 })
  const own = await backUp(old, { media: 'own' })
  expect(own.summary.media).toEqual({ files: 1, bytes: large.length, missing: 1 })
  expect((await backUp(old, { media: 'none' })).summary.media).toEqual({ files: 0, bytes: 0, missing: 0 })

  const fresh = await emptyMachine()
  await restoreInto(fresh, own.file)
  const restored = await readFile(path.join(fresh.dataDir, 'media/media_attachments/1/o.jpg'))
  expect(restored.equals(large)).toBe(true)
  // It is fetched again when somebody looks.
  expect(await fresh.sql('select original_key, cached_at from media_attachments where id = 2')).toEqual([
    { original_key: null, cached_at: null },
  ])
})

test.runIf(isNight)('files come out of an S3 store and go into one', async () => {
  const store = await startS3rver()
  onTestFinished(() => store.remove())
  const old = await usedMachine(store.env)
  const app = await old.open()
  const bytes = Buffer.alloc(2_500_000, 'xyz')
  await app.ctx.storage.put('site_uploads/big.png', { body: bytes }, { contentType: 'image/png' })
  await old.sql("insert into site_uploads (name, file_key) values ('thumbnail', 'site_uploads/big.png')")
  const { file, summary } = await backUp(old)
  expect(summary.media).toEqual({ files: 1, bytes: bytes.length, missing: 0 })
  await app.ctx.storage.delete('site_uploads/big.png')
  await app.close()
  const fresh = await emptyMachine(store.env)
  await restoreInto(fresh, file)
  const again = await fresh.open()
  const found = await again.ctx.storage.open('site_uploads/big.png')
  expect((await buffer(found!.stream)).equals(bytes)).toBe(true)
  await again.close()
})

test('nothing of the schema is left out of a dump but what is named here', async () => {
  const { old } = await plainBackup()
  const client = new pg.Client({ connectionString: old.databaseUrl })
  await client.connect()
  const dumped = await listDumped(client).finally(() => client.end())
  const relations = await old.sql<{ name: string; place: string }>(
    `select relname as name, relnamespace::regnamespace::text as place from pg_class c
     where relkind not in ('i', 'I', 't', 'S', 'c') and relnamespace::regnamespace::text !~ '^(pg_|information_schema$)'
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by 1`,
  )
  const left = relations.filter(
    ({ name, place }) => place !== 'public' || !dumped.some((table) => table.name === name),
  )
  // Feeds are built again. Jobs are dumped by their parts; who works on them, and the cron table, are the program's.
  expect(left.map(({ name, place }) => `${place}.${name}`)).toEqual([
    'graphile_worker._private_job_queues',
    'graphile_worker._private_jobs',
    'graphile_worker._private_known_crontabs',
    'graphile_worker._private_tasks',
    'public.home_entries',
    'public.home_feeds',
    'graphile_worker.jobs',
    'public.list_entries',
    'public.list_feeds',
    'graphile_worker.migrations',
    'public.schema_migrations',
  ])
  // Nor is there anything that is in no table.
  expect(await old.sql('select oid from pg_largeobject_metadata')).toEqual([])
})

test('two restores are not at work on one database', async () => {
  const { file } = await plainBackup()
  const fresh = await emptyMachine()
  const other = new pg.Client({
    connectionString: fresh.databaseUrl,
    application_name: 'stonechat-restore',
  })
  await other.connect()
  await expect(restoreInto(fresh, file)).rejects.toThrow(/^A server or a command is at work/)
  await other.end()
})

test('of two backups into one file neither takes for its own what the other has begun', async () => {
  const old = await usedMachine()
  const file = path.join(await folder(), 'same.tar')
  const half = 'half of the other one'
  const progress = (label: string) => ({
    advance() {},
    done() {
      if (label !== 'Rows') return
      rmSync(`${file}.part`)
      writeFileSync(`${file}.part`, half)
    },
  })
  await expect(writeBackup(old.env, { file, overwrite: true, media: 'all', progress })).rejects.toThrow(
    /^Something else has taken .*same\.tar\.part/,
  )
  expect(await readdir(path.dirname(file))).toEqual(['same.tar.part'])
  expect(await readFile(`${file}.part`, 'utf8')).toBe(half)
  // Nor does the next one take its place while that may be at work.
  const options = { file, overwrite: true, media: 'all' as const, progress: silent }
  await expect(writeBackup(old.env, options)).rejects.toThrow(/same\.tar\.part was written to a moment ago/)
  expect(await readFile(`${file}.part`, 'utf8')).toBe(half)
  const before = new Date(Date.now() - 180_000)
  await utimes(`${file}.part`, before, before)
  await writeBackup(old.env, options)
  expect(await readdir(path.dirname(file))).toEqual(['same.tar'])
})

test('every column with a key of a file is known', async () => {
  const { sql } = (await plainBackup()).old
  const columns = await sql<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public' and column_name like '%\\_key' and data_type = 'text' order by 1`,
  )
  const noFiles = ['notifications.group_key']
  const known = keyColumns.map(({ table, column }) => `${table}.${column}`)
  expect(columns.map(({ name }) => name).filter((name) => !noFiles.includes(name))).toEqual(known.toSorted())
})

test('what does not fit is refused before anything is touched', async () => {
  const { old, file } = await plainBackup()
  const fresh = await emptyMachine()
  const restoreWith = (env: Record<string, string>) =>
    restoreInto({ ...fresh, env: { ...fresh.env, ...env } }, file)
  await expect(restoreWith({ LOCAL_DOMAIN: 'other.example' })).rejects.toThrow(
    'The backup is of chat.example at https://chat.example, and this is other.example',
  )
  await expect(restoreWith({ SECRET_KEY_BASE: 'x'.repeat(40) })).rejects.toThrow(
    /^SECRET_KEY_BASE is not that/,
  )
  expect(await fresh.sql("select from pg_class where relnamespace = 'public'::regnamespace")).toHaveLength(0)
  await expect(restoreInto(old, file)).rejects.toThrow(/^There is something in this database already/)
  await writeFile(path.join(fresh.dataDir, 'media'), '')
  const app = await old.open()
  await app.ctx.db.selectFrom('roles').select('id').execute()
  await expect(restoreInto(old, file, { force: true })).rejects.toThrow(/is at work on this database/)
  await app.close()
  await restoreInto(old, file, { force: true })
})

test('damage of any kind is found', async () => {
  const old = await usedMachine()
  const app = await old.open()
  await app.ctx.storage.put(
    'site_uploads/a.png',
    { body: Buffer.from('picture') },
    { contentType: 'image/png' },
  )
  await app.close()
  await old.sql("insert into site_uploads (name, file_key) values ('thumbnail', 'site_uploads/a.png')")
  const { file } = await backUp(old)
  const whole = await readFile(file)
  const check = async (bytes: Buffer) => {
    const bad = path.join(path.dirname(file), 'bad.tar')
    await writeFile(bad, bytes)
    return verifyBackup(bad, silent)
  }
  await check(whole)
  const at = (text: string) => whole.lastIndexOf(text)
  const flipped = (place: number) => {
    const bytes = Buffer.from(whole)
    bytes[place] = (bytes[place] as number) ^ 1
    return bytes
  }
  const places = [
    at('"secretKeyBase"') + 20,
    whole.indexOf('tables/roles/') + 512 + 30,
    at('picture'),
    at('"rows"') + 40,
  ]
  for (const place of places)
    await expect(check(flipped(place))).rejects.toThrow(/bad\.tar is damaged: [^\n]+$/)
  for (const end of [whole.length - 2048, whole.length >> 1, at('picture') - 512, 700]) {
    await expect(check(whole.subarray(0, end))).rejects.toThrow(/bad\.tar is (?:damaged|no backup)/)
  }
  await expect(check(Buffer.from('no tar at all'.repeat(100)))).rejects.toThrow(/is no backup of Stonechat/)
  await expect(check(Buffer.alloc(0))).rejects.toThrow(/is no backup of Stonechat/)
})

test('a newer format is told as such', async () => {
  const archive = pack()
  archive.entry({ name: 'stonechat-backup.json' }, JSON.stringify({ format: 2, anything: 'else' }))
  archive.finalize()
  const file = path.join(await folder(), 'newer.tar')
  await writeFile(file, await buffer(archive as unknown as AsyncIterable<Uint8Array>))
  await expect(verifyBackup(file, silent)).rejects.toThrow(/was written by a newer Stonechat \(format 2/)
})

test('an older schema is loaded as it was, and brought forward afterwards', async () => {
  const fresh = await emptyMachine()
  const database = openDatabase({ url: fresh.databaseUrl, max: 2, log: recordingLog() })
  onTestFinished(() => database.close())
  const first = new pg.Client({ connectionString: fresh.databaseUrl })
  await first.connect()
  onTestFinished(() => first.end())
  await first.query('begin')
  await database.db.connection().execute((db) => migrateTo(db as never, 5))
  await first.query('commit')
  const tables = await listDumped(first)
  expect(await schemaNumber(first)).toBe(5)
  await first.query('drop schema public cascade; create schema public')
  await migrateJobs(database.pool)

  const load = await beginLoad(first, { schema: 5, tables })
  const rules = tables.find(({ name }) => name === 'rules')!
  const values: Record<string, string> = {
    id: '7',
    text: 'Be kind',
    hint: '',
    priority: '0',
    translations: '{}',
  }
  const row = rules.columns.map(
    (name) => values[name] ?? (name === 'created_at' ? '2026-01-01 00:00:00+00' : '\\N'),
  )
  expect(await load.copyIn(rules, Buffer.from(`${row.join('\t')}\n`))).toBe(1)
  await load.finish({ process_node: '9' }, () => {})
  expect(await migrate(database.db as never)).toBeGreaterThan(0)
  expect(await fresh.sql('select text from rules')).toEqual([{ text: 'Be kind' }])
  // Those of the first migration came with the rows of the dump, of which there were none.
  expect(await fresh.sql('select id from roles')).toEqual([])
  expect(await fresh.sql('select last_value from process_node')).toEqual([{ last_value: '9' }])
})

test('sums are those that sha256sum checks', async () => {
  const { file } = await plainBackup()
  const bytes = await readFile(file)
  const head = bytes.subarray(512, 512 + Number.parseInt(bytes.toString('latin1', 124, 135), 8))
  const sum = createHash('sha256').update(head).digest('hex')
  expect(bytes.includes(`${sum}  stonechat-backup.json\n`)).toBe(true)
})
