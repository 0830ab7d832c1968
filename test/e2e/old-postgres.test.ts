// A PostgreSQL that is too old: what it would do is not known, so that it is told before anything is done there.
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '#test/app/databases.ts'
import { runHere } from '#test/processes/run-here.ts'
import { launcher, runToEnd } from '#test/processes/server-process.ts'

/** A database that says of itself that it is of this version. */
async function databaseOf(version: string, number: number): Promise<string> {
  const { url, drop } = await freshDatabase()
  onTestFinished(drop)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`
      create function public.current_setting(name text) returns text language sql as $$
        select case name when 'server_version' then '${version}' when 'server_version_num' then '${number}'
          else pg_catalog.current_setting(name) end $$;
      do $$ begin
        execute format('alter database %I set search_path = public, pg_catalog', current_database());
      end $$`)
  } finally {
    await client.end()
  }
  return url
}

const domain = 'chat.example'

async function findingsAbout(env: Record<string, string>, ...parts: string[]) {
  const { stdout } = await runHere(['doctor', '--json'], env)
  const findings = JSON.parse(stdout) as { part: string; text: string; advice: string }[]
  return findings.filter(({ part }) => parts.includes(part))
}

test('is refused by the server and by commands in one line that says what to do', async () => {
  const url = await databaseOf('14.13', 140_013)
  const env = { DATABASE_URL: url.replace('@/', '@localhost/'), LOCAL_DOMAIN: domain }
  const refusal =
    /^The database is PostgreSQL 14\.13: this program needs 15 or newer, so upgrade it .*DATABASE_URL$/m
  const served = await runToEnd([launcher, 'serve'], { env })
  expect(served).toMatchObject({ code: 1, stderr: expect.stringMatching(refusal) })
  for (const words of [
    ['accounts', 'list'],
    ['upgrade', '--check'],
  ])
    expect(await runHere(words, env)).toMatchObject({ code: 1, stderr: expect.stringMatching(refusal) })
  expect(await findingsAbout(env, 'database', 'schema')).toEqual([
    expect.objectContaining({
      state: 'problem',
      text: 'The database is PostgreSQL 14.13: this program needs 15 or newer',
      advice: expect.stringMatching(/^upgrade it/),
    }),
  ])
})

test('the oldest that is not too old is used', async () => {
  const url = await databaseOf('15.0', 150_000)
  const env = { DATABASE_URL: url.replace('@/', '@localhost/'), LOCAL_DOMAIN: domain }
  expect(await runHere(['accounts', 'list'], env)).toMatchObject({ code: 0 })
})

test('doctor says of a newer schema that it wants the newer program, and nothing of PostgreSQL', async () => {
  const { url, drop } = await freshDatabase()
  onTestFinished(drop)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(
    "insert into schema_migrations (number, name, expands) values (9999, 'of-a-newer-program', false)",
  )
  await client.end()
  const env = { DATABASE_URL: url.replace('@/', '@localhost/'), LOCAL_DOMAIN: domain }
  expect(await findingsAbout(env, 'database')).toEqual([
    expect.objectContaining({
      state: 'problem',
      text: expect.stringMatching(/^The database has schema 9999, this program knows only \d+$/),
      advice: 'start the newer Stonechat that wrote it',
    }),
  ])
})
