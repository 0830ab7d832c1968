// The database as a whole, by the command line: out of the embedded one, back, and on to a newer PostgreSQL.
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { placesIn } from '#adapters/embedded-postgres/places.ts'
import { finishSwitch, listFormer } from '#adapters/embedded-postgres/switch-cluster.ts'
import { withContext } from '#app/command-context.ts'
import { isNight } from '#test/run/night.ts'
import { freshDatabase } from '#test/app/databases.ts'
import { recordingLog } from '#test/app/log.ts'
import { withFormerCluster } from '#test/processes/former-cluster.ts'
import { runHere } from '#test/processes/run-here.ts'
import { launcher, runToEnd } from '#test/processes/server-process.ts'

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stonechat-database-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const domain = 'chat.example'
const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

/** Rows of some tables, and a job that waits. */
async function summarise(url: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client
    .query(
      `select (select json_agg(username order by id) from accounts where domain is null) as accounts,
         (select json_agg(s order by key) from settings s) as settings,
         (select count(*)::int from graphile_worker._private_jobs) as jobs,
         (select max(number) from schema_migrations) as schema`,
    )
    .finally(() => client.end())
  return rows[0]
}

describe('the embedded database', () => {
  test('is copied to one outside and back, and refuses one that is not empty', async () => {
    const dataDir = await makeFolder()
    const env = { DATA_DIR: dataDir, LOCAL_DOMAIN: domain }
    const command = (...words: string[]) => runHere(words, env)
    const made = await command('accounts', 'create', 'alice', '--email', `alice@${domain}`, '--confirmed')
    expect(made).toMatchObject({ code: 0 })
    const outside = await freshDatabase()
    onTestFinished(() => outside.drop())
    const url = outside.url.replace('@/', '@localhost/')

    const refused = await command('database', 'export', url)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('add --force to replace it') })

    const exported = await command('database', 'export', url, '--force', '--json')
    expect(exported).toMatchObject({ code: 0 })
    expect(JSON.parse(exported.stdout).rows).toBeGreaterThan(0)
    const before = await summarise(outside.url)
    expect(before).toMatchObject({ accounts: expect.arrayContaining(['alice']) })

    await rm(path.join(dataDir, 'postgres'), { recursive: true })
    const imported = await command('database', 'import', url)
    expect(imported).toMatchObject({ code: 0, stdout: expect.stringContaining('Take DATABASE_URL out') })
    await withContext(env, async ({ ctx, database }) => {
      expect(ctx.config.databaseUrl).toBeNull()
      const { rows } = await database.pool.query(
        'select username from accounts where domain is null order by id',
      )
      expect(rows.map(({ username }) => username)).toContain('alice')
    })
  })

  test('a switch to a newer cluster that was interrupted anywhere is ended by the next start', async () => {
    for (const isFormerThere of [true, false]) {
      const places = placesIn(await makeFolder())
      await mkdir(`${places.cluster}.upgraded`)
      await writeFile(path.join(`${places.cluster}.upgraded`, 'PG_VERSION'), '18\n')
      const former = isFormerThere ? places.cluster : `${places.cluster}.17`
      await mkdir(former)
      await writeFile(path.join(former, 'PG_VERSION'), '17\n')
      await finishSwitch(places)
      await finishSwitch(places)
      expect(await readFile(path.join(places.cluster, 'PG_VERSION'), 'utf8')).toBe('18\n')
      expect(await listFormer(places)).toEqual([`${places.cluster}.17`])
      expect(await isThere(`${places.cluster}.upgraded`)).toBe(false)
    }
  })

  // The programs of PostgreSQL 17 are fetched by npm.
  test.skipIf(!isNight)('of PostgreSQL 17 is upgraded, and the former one kept until confirmed', async () => {
    const dataDir = await makeFolder()
    const env = { DATA_DIR: dataDir, LOCAL_DOMAIN: domain }
    const command = (...words: string[]) => runToEnd([launcher, ...words], { env })
    let before: unknown
    await withFormerCluster({ dataDir, major: 17, log: recordingLog() }, async (url) => {
      const filled = { ...env, DATABASE_URL: url.replace('@/', '@localhost/') }
      const words = ['accounts', 'create', 'alice', '--email', `alice@${domain}`, '--confirmed']
      expect(await runToEnd([launcher, ...words], { env: filled })).toMatchObject({ code: 0 })
      before = await summarise(url)
    })

    const refused = await command('settings', 'show')
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('run `stonechat database upgrade`'),
    })
    const upgraded = await command('database', 'upgrade')
    expect(upgraded).toMatchObject({ code: 0, stdout: expect.stringContaining('from PostgreSQL 17 to 18') })
    expect(await isThere(path.join(dataDir, 'postgres.17', 'PG_VERSION'))).toBe(true)
    await withContext(env, async ({ database }) => {
      const { rows } = await database.pool.query('show server_version_num')
      expect(Number(rows[0].server_version_num)).toBeGreaterThan(180_000)
      expect(await summarise(database.pool.options.connectionString as string)).toEqual(before)
    })
    expect(await command('database', 'upgrade')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('already'),
    })
    expect(await command('database', 'upgrade', '--confirm')).toMatchObject({ code: 0 })
    expect(await isThere(path.join(dataDir, 'postgres.17'))).toBe(false)
  })
})
