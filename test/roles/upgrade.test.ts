// The program of the last released version is followed by this one, as an operator does it: files are replaced, then
// processes, one by one. Nightly, by FORMER_PROGRAM, the folder in which scripts/packages/former-program.sh made it.
import { rename, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { migrations } from '#db/migrations/index.ts'
import { asId, type AccountId } from '#lib/id.ts'
import { createClient, type Fetch } from '#test/client/client.ts'
import { runToEnd, projectRoot } from '#test/processes/server-process.ts'
import { startSeveral, type SeveralProcesses } from '#test/processes/several-processes.ts'
import { readAllOf, startLoad, type Author } from '#test/processes/steady-load.ts'
import { patience } from '#test/run/patience.ts'
import { admin, urlOf } from '#test/run/temporary-cluster.ts'
import { exampleName, exampleOf, proxyMissing, startProxy, type RunningProxy } from '#test/servers/proxies.ts'
import { redisMissing, startRedis, type RedisServer } from '#test/servers/redis-server.ts'

const folder = process.env['FORMER_PROGRAM'] ?? ''
const missing = folder === '' ? 'FORMER_PROGRAM is not set' : (redisMissing ?? proxyMissing('caddy'))
const title = `an upgrade under load${missing === null ? '' : ` (${missing})`}`

describe.skipIf(missing !== null)(title, { timeout: 10 * patience }, () => {
  const name = `${inject('databases')}_upgrade_${process.pid}`
  const aside = `${folder}.former`
  const program = path.join(folder, 'bin/stonechat')
  let redis: RedisServer
  let several: SeveralProcesses
  let proxy: RunningProxy
  let url: string

  beforeAll(async () => {
    redis = await startRedis()
    url = urlOf(inject('clusterUrl'), name)
    // Empty: the former program makes its own schema.
    await admin(inject('clusterUrl'), `create database ${name}`)
    const env = { LOCAL_DOMAIN: exampleName }
    several = await startSeveral({ databaseUrl: url, redisUrl: redis.url, program: folder, env })
    const [first, second] = several.urls.map((one) => Number(new URL(one).port))
    proxy = await startProxy('caddy', await exampleOf('docs/operators/operations.md', exampleName), {
      3000: first as number,
      3001: second as number,
      4000: Number(new URL(several.streamingUrl).port),
    })
  })
  afterAll(async () => {
    await proxy?.stop()
    await several?.remove()
    await rm(folder).then(
      () => rename(aside, folder),
      () => {},
    )
    await admin(inject('clusterUrl'), `drop database if exists ${name} with (force)`)
    await redis?.remove()
  })

  const command = async (...words: string[]) => {
    const { code, stdout, stderr } = await runToEnd([program, ...words], { env: several.env })
    expect([code, stderr]).toEqual([0, ''])
    return stdout.trim()
  }

  async function createAuthor(ask: Fetch, username: string): Promise<Author> {
    await command('accounts', 'create', username, '--email', `${username}@example.com`, '--confirmed')
    const client = createClient({ fetch: ask, token: await command('tokens', 'create', username) })
    const { id } = (await client.get('/api/v1/accounts/verify_credentials')).ok()
    return { ...client, username, accountId: asId<AccountId>(id) }
  }

  async function schema(): Promise<number> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query('select max(number)::int as number from schema_migrations')
    await client.end()
    return rows[0].number
  }

  test('the former program goes on beside the new schema, then all its processes are replaced, and no request is lost', async () => {
    const authors = [await createAuthor(proxy.fetch, 'alice'), await createAuthor(proxy.fetch, 'bob')]
    const load = startLoad(authors)
    await load.some()

    // As `apt install` or a pull does it, while the former program runs.
    await rename(folder, aside)
    await symlink(projectRoot, folder)
    expect(await command('upgrade', '--check')).not.toContain('Stop the programs')
    // Any command of the new program migrates.
    await command('settings', 'registrations', 'close')
    expect(await schema()).toBe(migrations.at(-1)?.number)
    await load.some()
    // The former program also starts there.
    await rename(folder, `${folder}.new`)
    await rename(aside, folder)
    await several.kill('worker 1')
    await several.ready()
    await load.some()

    await rename(folder, aside)
    await rename(`${folder}.new`, folder)
    await several.restart()
    await load.some()
    const { published, odd } = await load.end()
    expect(odd).toEqual([])
    for (const author of authors) {
      const told = [...published].filter(([, username]) => username === author.username).map(([id]) => id)
      expect((await readAllOf(author)).toSorted()).toEqual(told.toSorted())
    }
    const { body } = await authors[0]!.get('/api/v2/instance')
    expect(body.version).toContain(
      (await import('../../package.json', { with: { type: 'json' } })).default.version,
    )
  })
})
