// A restore that is ended with kill -9 at its worst moments: nothing works on what it left, and the next one is whole.
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { connectEmbeddedPostgres, startEmbeddedPostgres } from '#adapters/embedded-postgres/start.ts'
import { quietLog } from '#test/app/log.ts'
import { isNight } from '#test/run/night.ts'
import { until } from '#test/run/patience.ts'
import { startProcess } from '#test/processes/processes.ts'
import {
  cleanEnv,
  createServerProcess,
  launcher,
  type ServerProcess,
  type ServerProcessOptions,
} from '#test/processes/server-process.ts'

const rows = 15_000
const files = 400

async function server(options: ServerProcessOptions): Promise<ServerProcess> {
  const made = await createServerProcess(options)
  onTestFinished(() => made.remove())
  return made
}

/** Asks the database of a DATA_DIR over one connection while it lasts; null while there is none. */
function asking({ dataDir }: ServerProcess) {
  let client: pg.Client | null = null
  const end = async () => {
    const last = client
    client = null
    await last?.end().catch(() => {})
  }
  async function connect(): Promise<pg.Client | null> {
    const url = await connectEmbeddedPostgres({ dataDir })
    if (url === null) return null
    client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  async function ask<T extends object>(text: string): Promise<T[] | null> {
    try {
      const { rows: found } = (await (client ?? (await connect()))?.query<T>(text)) ?? { rows: null }
      return found
    } catch {
      // It is just coming or going.
      await end()
      return null
    }
  }
  return { ask, end }
}

async function askOnce<T extends object>(of: ServerProcess, text: string): Promise<T[] | null> {
  const { ask, end } = asking(of)
  return ask<T>(text).finally(end)
}

/** A server that does not run, with enough in it that a restore takes its time; and its backup. */
async function backUpLargeServer(): Promise<{ old: ServerProcess; file: string }> {
  const old = await server({ prepared: true })
  const [alice] = await old.people('alice')
  const database = await startEmbeddedPostgres({ dataDir: old.dataDir, log: quietLog })
  const folder = path.join(old.dataDir, 'media/media_attachments')
  await mkdir(folder, { recursive: true })
  for (let i = 0; i < files; i++) await writeFile(path.join(folder, `${i}.png`), `picture ${i}`)
  const filled = await askOnce<{ ok: boolean }>(
    old,
    `with posts as (
       insert into statuses (id, account_id, text, visibility, uri)
       select i, ${alice?.accountId}, repeat('words ', 50), 'public', 'https://a.example/' || i from generate_series(1, ${rows}) i),
     media as (
       insert into media_attachments (id, account_id, type, original_key)
       select i, ${alice?.accountId}, 'image', 'media_attachments/' || i || '.png' from generate_series(0, ${files - 1}) i)
     select true as ok`,
  )
  expect(filled).toEqual([{ ok: true }])
  await database.stop()
  const outside = await mkdtemp(path.join(tmpdir(), 'stonechat-killed-'))
  onTestFinished(() => rm(outside, { recursive: true, force: true }))
  const file = path.join(outside, 'all.tar')
  expect(await old.command('backup', file, '--json')).toMatchObject({ code: 0, stderr: '' })
  return { old, file }
}

interface Restore {
  env: Record<string, string>
  file: string
  fresh: ServerProcess
}

/** Begins a restore and kills it as soon as this is true. Returns false when that was over before anybody looked. */
async function killWhen({ env, file, fresh }: Restore, condition: string): Promise<boolean> {
  const { ask, end } = asking(fresh)
  const isThen = async () => ((await ask(`select 1 where ${condition}`)) ?? []).length > 0
  const child = startProcess(launcher, ['restore', file, '--force'], {
    env: cleanEnv(env),
    cwd: '/',
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  let isOver = false
  void exited.then(() => (isOver = true))
  await until(
    async () => isOver || (await isThen()),
    () => 'the moment',
    // Each look costs the database something, and the moments last longer.
    { interval: 8 },
  )
  child.kill('SIGKILL')
  const [code] = (await exited) as [number | null]
  await end()
  return code === null
}

test.runIf(isNight)(
  'a restore that is killed among rows, files or indexes leaves nothing that works, and can be done again',
  async () => {
    const { old, file } = await backUpLargeServer()
    const names = { LOCAL_DOMAIN: `localhost:${old.port}` }
    const fresh = await server({ env: names })
    const env = { ...names, DATA_DIR: fresh.dataDir, PORT: String(fresh.port) }
    const isAt = (pattern: string) =>
      `exists (select 1 from pg_stat_activity
      where application_name = 'stonechat-restore' and state = 'active' and query ~* '${pattern}')`
    const isAmongFiles =
      "to_regclass('public.statuses') is not null and to_regclass('public.restore_unfinished') is not null"
    const moments = [isAt('^copy "statuses"'), isAmongFiles, isAt('^(create|alter).* statuses')]
    for (const moment of moments) {
      let isKilled = false
      for (let tried = 1; tried <= 5 && !isKilled; tried++)
        isKilled = await killWhen({ env, file, fresh }, moment)
      expect(isKilled).toBe(true)
      // Neither the server nor a command begins with half of it.
      const refused = await fresh.command('stats')
      expect(refused).toMatchObject({
        stdout: '',
        stderr: expect.stringMatching(/^A restore .* was not finished/),
      })
      expect(refused.code).toBe(1)
    }
    expect(await fresh.command('restore', file, '--json')).toMatchObject({ code: 0, stderr: '' })
    await fresh.start()
    const counts =
      'select (select count(*) from statuses)::int as posts, (select count(*) from users)::int as users'
    expect(await askOnce(fresh, counts)).toEqual([{ posts: rows, users: 1 }])
    const folder = path.join(fresh.dataDir, 'media/media_attachments')
    const kept = await readdir(folder)
    expect(kept).toHaveLength(files)
    for (const name of kept)
      expect(await readFile(path.join(folder, name), 'utf8')).toBe(`picture ${path.basename(name, '.png')}`)
  },
)
