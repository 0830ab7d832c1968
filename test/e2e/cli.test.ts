// The command line, with the server running and without.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { chmod, readdir, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import sharp from 'sharp'
import { pack } from 'tar-stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkedFetch } from '#test/app/returned.ts'
import { useCli } from '#test/processes/cli.ts'
import { launcher, runToEnd } from '#test/processes/server-process.ts'
import { until } from '#test/run/patience.ts'

const cli = useCli({ beside: 'nothing', env: { OAUTH_PASSWORD_GRANT: 'true' }, log: 'debug' })

const run = (...words: string[]) => cli.command(...words)
/** As `run`, by the launcher in a process of its own. */
const launch = (...words: string[]) => cli.server.launch(...words)

/** Fails unless the command succeeds and says nothing on stderr. */
async function ok(...words: string[]): Promise<string> {
  const ended = await run(...words)
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  return ended.stdout
}

/**
 * As `ok`, until the server has been told of what that changed, which is by the database at once: not until it would have
 * read it again by itself.
 */
async function told(change: string, ...words: string[]): Promise<void> {
  const times = () => cli.server.output().split(`"names":["${change}`).length
  const before = times()
  await ok(...words)
  await until(
    () => times() > before,
    () => `the server hears of ${change}`,
  )
}

const api = (token: string, target: string, init: RequestInit = {}) =>
  checkedFetch(cli.server.url)(target, { ...init, headers: { authorization: `Bearer ${token.trim()}` } })

const passwordIn = (text: string) => /^New password: ([0-9a-f]{32})$/m.exec(text)?.[1]

async function signIn(username: string, password: string | undefined): Promise<number> {
  const registered = await fetch(`${cli.server.url}/api/v1/apps`, {
    method: 'POST',
    body: new URLSearchParams({
      client_name: 'cli',
      redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
      scopes: 'read',
    }),
  })
  const app = (await registered.json()) as { client_id: string; client_secret: string }
  const answer = await fetch(`${cli.server.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: app.client_id,
      client_secret: app.client_secret,
      username: `${username}@mail.example`,
      password: password ?? '',
      scope: 'read',
    }),
  })
  return answer.status
}

describe('help and mistakes', () => {
  const groups = ['accounts', 'cache', 'emoji', 'feeds', 'jobs', 'settings', 'tokens']

  test('the version is printed', async () => {
    const launched = await launch('--version')
    expect(launched).toMatchObject({ code: 0, stderr: '' })
    expect(launched.stdout).toMatch(/^Stonechat \d+\.\d+\.\d+\n$/)
    expect(JSON.parse(await ok('version', '--json'))).toMatchObject({ version: expect.any(String) })
  })

  test('help is there at each level, on stdout', async () => {
    const top = await ok('--help')
    for (const name of [...groups, 'serve', 'doctor']) expect(top).toMatch(new RegExp(`^  ${name} `, 'm'))
    expect(await ok('accounts', '--help')).toMatch(/^ {2}create /m)
    expect(await ok('accounts', 'create', '--help')).toMatch(
      /^Usage: stonechat accounts create NAME [\s\S]*--role ROLE/,
    )
    expect(await ok('serve', '--help')).toContain('--roles LIST')
  })

  test.each([
    [['nonsense'], 'There is no command "nonsense" (see stonechat --help)\n'],
    [['accounts', 'destroy'], 'There is no command "destroy" (see stonechat accounts --help)\n'],
    [['accounts', 'prune', '--now'], "Unknown option '--now' (see stonechat accounts prune --help)\n"],
    [['toString'], 'There is no command "toString" (see stonechat --help)\n'],
    [['accounts', 'create'], 'NAME is missing (see stonechat accounts create --help)\n'],
    [
      ['accounts', 'create', 'a', 'b'],
      '"b" is one argument too many (see stonechat accounts create --help)\n',
    ],
    [['accounts', 'create', 'a'], '--email is missing (see stonechat accounts create --help)\n'],
    [
      ['preview-cards', 'remove', '--days', '-1'],
      '--days is "-1", not a number (see stonechat preview-cards remove --help)\n',
    ],
    [['accounts', 'approve', '-1'], "Unknown option '-1' (see stonechat accounts approve --help)\n"],
    [['accounts', 'list', '--jsn'], "Unknown option '--jsn' (see stonechat accounts list --help)\n"],
    [
      ['settings', 'registrations', 'maybe'],
      'MODE is "maybe", not open, close or approved (see stonechat settings registrations --help)\n',
    ],
    [
      ['tokens', 'create', 'a', '--scopes', 'all'],
      '--scopes names a scope that does not exist (see stonechat tokens create --help)\n',
    ],
    [
      ['jobs', 'retry', '7'],
      '"7" is not an id such as event-12, job-34 or incoming-56 (see stonechat jobs retry --help)\n',
    ],
  ])('%j is refused with one line and exit code 1', async (words, line) => {
    expect(await run(...words)).toEqual({ code: 1, stdout: '', stderr: line })
  })

  test('the launcher tells of a mistake by its exit code, and says it on stderr alone', async () => {
    const stderr = 'There is no command "nonsense" (see stonechat --help)\n'
    expect(await launch('nonsense')).toEqual({ code: 1, stdout: '', stderr })
  })
})

describe('before the first start', () => {
  test('doctor finds nothing wrong, and makes nothing', async () => {
    const dataDir = path.join(cli.server.dataDir, 'none', 'yet')
    const env = { DATA_DIR: dataDir, LOCAL_DOMAIN: 'chat.example' }
    const ended = await runToEnd([launcher, 'doctor'], { env })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toContain(`ok    database    there is none in ${dataDir} yet: the first`)
    expect(ended.stdout).not.toMatch(/FAIL|ENOENT/)
    await expect(stat(path.dirname(dataDir))).rejects.toThrow('ENOENT')
  })
})

describe('without a server', () => {
  test('an account is made, and the mail that follows from it is written', async () => {
    const made = await launch('accounts', 'create', 'olga', '--email', 'olga@localhost', '--role', 'owner')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/^OK\nNew password: \S+\nAnybody may sign up from now on: .*\n$/)
    expect(passwordIn(made.stdout)).toBeDefined()
    const mails = await readdir(path.join(cli.server.dataDir, 'outbox'))
    expect(mails).toHaveLength(1)
    expect(await cli.server.databasePid()).toBeNull()
  })

  test('a name or an address that is taken, or unfit, is refused', async () => {
    const again = await run('accounts', 'create', 'OLGA', '--email', 'other@mail.example')
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(/^Validation failed: Username .*taken\n$/)
    expect((await run('accounts', 'create', 'o-o', '--email', 'x@mail.example')).code).toBe(1)
    expect((await run('accounts', 'create', 'x', '--email', 'x@mail.example', '--role', 'King')).stderr).toBe(
      'There is no role King; there are Owner, Admin, Moderator\n',
    )
    expect((await run('tokens', 'create', 'ghost')).stderr).toBe('There is no local account ghost\n')
  })

  test('accounts are listed, as text and as JSON', async () => {
    expect(await ok('accounts', 'list')).toBe('olga\tolga@localhost\tOwner\tunconfirmed\n')
    await ok('accounts', 'modify', '@olga', '--confirm')
    expect(JSON.parse(await ok('accounts', 'list', '--json'))).toEqual([
      { username: 'olga', email: 'olga@localhost', role: 'Owner', state: 'active' },
    ])
  })

  test('doctor finds everything in order but what needs settings', async () => {
    const findings = JSON.parse(await ok('doctor', '--json')) as {
      part: string
      state: string
      advice: string | null
    }[]
    for (const { state, advice } of findings) expect(advice === null).toBe(state === 'ok')
    expect(Object.fromEntries(findings.map(({ part, state }) => [part, state]))).toEqual({
      schema: 'ok',
      database: 'ok',
      sizing: 'ok',
      worker: 'warning',
      jobs: 'ok',
      clock: 'ok',
      storage: 'ok',
      backup: 'warning',
      federation: 'ok',
      secrets: 'ok',
      redis: 'ok',
      disk: expect.stringMatching(/ok|warning/),
      mail: 'warning',
      ffmpeg: expect.stringMatching(/ok|warning/),
      otlp: 'ok',
      proxy: 'ok',
      domain: 'warning',
      tls: 'ok',
      variables: 'ok',
    })
  })

  test('doctor tells what is wrong, one line each, and that by its exit code', async () => {
    const key = path.join(cli.server.dataDir, 'secrets', 'secret-key-base')
    await chmod(key, 0o644)
    await ok('backup', path.join(cli.server.dataDir, 'backup.tar'), '--json')
    const ended = await run('doctor')
    expect(ended.code).toBe(1)
    expect(ended.stdout).toMatch(/^FAIL {2}secrets +\S+ has mode 0644: others can read it: chmod 600 \S+$/m)
    expect(ended.stdout).toMatch(/^ok {4}backup +the last one was made at 20/m)
    await chmod(key, 0o600)
    expect((await run('doctor')).code).toBe(0)
  })

  test('doctor says what to do about a file that is gone', async () => {
    const password = path.join(cli.server.dataDir, 'secrets', 'postgres-password')
    await rename(password, `${password}.away`)
    const ended = await run('doctor')
    await rename(`${password}.away`, password)
    expect(ended.code).toBe(1)
    expect(ended.stdout).toMatch(
      /^FAIL {2}database +The .* \(ENOENT: .*\): restore that file from a backup$/m,
    )
  })

  test('doctor comes to an end where nothing answers', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const env = { DATA_DIR: cli.server.dataDir, SMTP_SERVER: '127.0.0.1', SMTP_PORT: String(port) }
    const doctor = [launcher, 'doctor', '--json']
    const ended = await runToEnd(doctor, {
      env: {
        ...env,
        REDIS_URL: `redis://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      },
    })
    silent.close()
    expect(ended.code).toBe(1)
    const findings = JSON.parse(ended.stdout) as { part: string; state: string; text: string }[]
    const bad = findings.filter(({ state }) => state === 'problem')
    expect(bad.map(({ part }) => part).toSorted()).toEqual(['database', 'mail', 'otlp', 'redis'])
    expect(bad.every(({ text }) => !text.includes('\n'))).toBe(true)
  })
})

describe('beside a server', () => {
  let password: string | undefined
  beforeAll(async () => {
    await cli.server.start()
    password = passwordIn(await ok('accounts', 'create', 'pia', '--email', 'pia@mail.example', '--confirmed'))
  })

  test('doctor asks the server how requests arrive, which tells nobody else', async () => {
    expect(await ok('doctor')).toMatch(/^ok {4}proxy +no proxy in between$/m)
    for (const authorization of ['', 'Bearer x'])
      expect((await fetch(`${cli.server.url}/health/arrival`, { headers: { authorization } })).status).toBe(
        404,
      )
  })

  test('a token is printed alone, and opens what it says', async () => {
    const launched = await launch('tokens', 'create', 'pia', '--scopes', 'read')
    expect(launched).toMatchObject({ code: 0, stderr: '' })
    const printed = launched.stdout
    expect(printed).toMatch(/^\S{40,}\n$/)
    expect((await api(printed, '/api/v1/accounts/verify_credentials')).status).toBe(200)
    const body = new URLSearchParams({ status: 'no' })
    expect((await api(printed, '/api/v1/statuses', { method: 'POST', body })).status).toBe(403)
  })

  test('an account is disabled and let in again', async () => {
    const token = await ok('tokens', 'create', 'pia')
    await ok('accounts', 'modify', 'pia', '--disable')
    expect((await api(token, '/api/v1/timelines/home')).status).toBe(403)
    await ok('accounts', 'modify', 'pia', '--enable')
    expect((await api(token, '/api/v1/timelines/home')).status).toBe(200)
  })

  test('a password is reset, and whoever knew the old one is out', async () => {
    const token = await ok('tokens', 'create', 'pia')
    expect(await signIn('pia', password)).toBe(200)
    const fresh = passwordIn(await ok('accounts', 'modify', 'pia', '--reset-password'))
    expect((await api(token, '/api/v1/timelines/home')).status).toBe(401)
    expect(await signIn('pia', password)).toBe(400)
    expect(await signIn('pia', fresh)).toBe(200)
  })

  test('a role is given and taken, and shown', async () => {
    const token = await ok('tokens', 'create', 'pia')
    const role = async () => {
      const answer = await api(token, '/api/v1/accounts/verify_credentials')
      return ((await answer.json()) as { role: { name: string } }).role.name
    }
    expect(await role()).toBe('')
    await told('user ', 'accounts', 'modify', 'pia', '--role', 'Admin')
    expect(await role()).toBe('Admin')
    await told('user ', 'accounts', 'modify', 'pia', '--remove-role')
    expect(await role()).toBe('')
  })

  test('everybody follows an account, and no longer does', async () => {
    await ok('accounts', 'create', 'news', '--email', 'news@mail.example', '--confirmed')
    const token = await ok('tokens', 'create', 'news')
    const followers = async () => {
      const answer = await api(token, '/api/v1/accounts/verify_credentials')
      return ((await answer.json()) as { followers_count: number }).followers_count
    }
    const printed = await ok('accounts', 'follow', 'news')
    expect(Number(/^OK, (\d+) accounts$/m.exec(printed)?.[1])).toBe(await followers())
    expect(await followers()).toBeGreaterThan(0)
    await ok('accounts', 'unfollow', '@news')
    expect(await followers()).toBe(0)
    expect(await run('accounts', 'follow', 'nobody')).toMatchObject({ code: 1, stdout: '' })
  })

  test('who may sign up is decided at once', async () => {
    const mode = async () => {
      const answer = await fetch(`${cli.server.url}/api/v2/instance`)
      const { registrations } = (await answer.json()) as {
        registrations: { enabled: boolean; approval_required: boolean }
      }
      return [registrations.enabled, registrations.approval_required]
    }
    for (const [word, shown] of [
      ['approved', [true, true]],
      ['close', [false, false]],
      ['open', [true, false]],
    ] as const) {
      await told('settings', 'settings', 'registrations', word)
      expect(await mode()).toEqual(shown)
    }
  })

  test('somebody who waits is approved, and gets a mail from the server', async () => {
    await ok('settings', 'registrations', 'approved')
    await ok('accounts', 'create', 'will', '--email', 'will@mail.example', '--confirmed')
    expect(await ok('accounts', 'list', '--waiting')).toMatch(/^will\t/)
    const mails = () => readdir(path.join(cli.server.dataDir, 'outbox')).catch(() => [])
    const before = (await mails()).length
    expect(await ok('accounts', 'approve', '--all')).toBe('Approved: 1\n')
    expect(await ok('accounts', 'approve', 'will')).toBe('Approved: 0\n')
    await expect.poll(async () => (await mails()).length).toBeGreaterThan(before)
  })

  test('an announcement is made, shown, listed and deleted', async () => {
    const token = await ok('tokens', 'create', 'pia')
    const shown = async () =>
      (await (await api(token, '/api/v1/announcements')).json()) as { id: string; all_day: boolean }[]
    const times = ['--starts-at', '2030-08-01', '--ends-at', '2030-08-03', '--all-day']
    const printed = await ok('announcements', 'create', 'We meet in August', ...times)
    expect(printed).toMatch(/^\d+\n$/)
    const id = printed.trim()
    expect(await shown()).toMatchObject([{ id, all_day: true }])
    expect(await ok('announcements', 'create', 'later', '--scheduled-at', '2030-01-01T12:00Z')).toMatch(
      /^\d+\n$/,
    )
    expect((await run('announcements', 'create', 'x', '--all-day')).stderr).toBe(
      'Validation failed: All day can be set only when a time range is given\n',
    )
    const listed = await ok('announcements', 'list')
    expect(listed).toMatch(/^\d+\tfrom 2030-01-01T12:00:00\.000Z\tlater$/m)
    expect(listed).toContain(`${id}\tpublished\tWe meet in August\n`)
    expect(JSON.parse(await ok('announcements', 'list', '--json'))).toMatchObject([
      { text: 'later', published_at: null },
      { id, text: 'We meet in August', all_day: true },
    ])
    expect(await ok('announcements', 'delete', id)).toBe(printed)
    expect(await shown()).toEqual([])
    expect(await run('announcements', 'delete', id)).toEqual({
      code: 1,
      stdout: '',
      stderr: `There is no announcement ${id}\n`,
    })
  })

  test('emoji are imported, exported and deleted', async () => {
    const archive = pack()
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    archive.entry({ name: 'pack/rook.png' }, picture)
    archive.entry({ name: 'pack/no-name.png' }, picture)
    archive.finalize()
    const file = path.join(cli.server.dataDir, 'pack.tar.gz')
    await pipeline(archive, createGzip(), createWriteStream(file))
    const imported = await run('emoji', 'import', file, '--category', 'Chess', '--prefix', 'my_')
    expect(imported).toEqual({
      code: 0,
      stdout: 'Imported 1, skipped 0, failed to import 1\n',
      stderr: '"pack/no-name.png": no name for an emoji\n',
    })
    const listed = async () => (await fetch(`${cli.server.url}/api/v1/custom_emojis`)).json()
    await expect.poll(listed).toMatchObject([{ shortcode: 'my_rook', category: 'Chess' }])
    expect(await ok('emoji', 'export', cli.server.dataDir)).toBe(
      `Exported 1 to ${path.join(cli.server.dataDir, 'export.tar.gz')}\n`,
    )
    expect((await run('emoji', 'export', cli.server.dataDir)).stderr).toMatch(
      /export\.tar\.gz exists already/,
    )
    expect((await run('emoji', 'import', path.join(cli.server.dataDir, 'none'))).code).toBe(1)
    expect(await ok('emoji', 'purge', '--remote-only')).toBe('Removed: 0\n')
    await told('custom_emojis', 'emoji', 'purge')
    expect(await listed()).toEqual([])
  })

  test('feeds are built and caches cleared', async () => {
    const token = await ok('tokens', 'create', 'pia')
    const body = new URLSearchParams({ status: 'kept' })
    await api(token, '/api/v1/statuses', { method: 'POST', body })
    const home = async () =>
      (await (await api(token, '/api/v1/timelines/home')).json()) as { content: string }[]
    const before = await home()
    expect(before.map((status) => status.content)).toEqual(['<p>kept</p>'])
    expect(await ok('feeds', 'build', 'pia')).toBe('Home feeds built: 1\n')
    expect(await ok('cache', 'clear')).toMatch(/^Cleared: \d+\n$/)
    expect(await home()).toEqual(before)
    expect(await ok('feeds', 'clear')).toMatch(/^Feeds removed: [1-9]\d*\n$/)
    expect(await home()).toEqual(before)
    expect(await ok('jobs', 'list')).toBe('')
    expect(await ok('jobs', 'retry', '--all')).toBe('To run again: 0\n')
  })
})
