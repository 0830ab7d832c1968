// The real program with Debian's command-line client toot.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isNight } from '#test/run/night.ts'
import { runProcessSync } from '#test/processes/processes.ts'
import { createServerProcess, runToEnd, type ServerProcess } from '#test/processes/server-process.ts'

const missing = runProcessSync('toot', ['--help']).status !== 0
// Continuous integration must have it: there the tests below fail instead.
// By day client.test.ts has another client that others wrote.
const skipped = missing && process.env['CI'] !== 'true'

describe.skipIf(skipped || !isNight)('toot (skipped where it is not installed)', () => {
  let server: ServerProcess
  let instance: string

  beforeAll(async () => {
    server = await createServerProcess({ prepared: true, env: { OAUTH_PASSWORD_GRANT: 'true' } })
    await server.start()
    instance = `localhost:${server.port}`
  })
  afterAll(() => server?.remove())

  /** A folder with toot's configuration for each person. */
  const home = (name: string) => path.join(server.dataDir, `toot-${name}`)

  async function run(name: string, words: readonly string[], input = '') {
    const ended = await runToEnd(['toot', ...words], {
      env: { XDG_CONFIG_HOME: home(name), HOME: home(name), LC_ALL: 'C.UTF-8' },
      input,
    })
    if (ended.code !== 0 || ended.stderr !== '')
      throw new Error(`toot ${words.join(' ')}: ${JSON.stringify(ended)}`)
    return ended.stdout
  }

  async function createAccount(name: string): Promise<string> {
    const made = await server.command(
      'accounts',
      'create',
      name,
      '--email',
      `${name}@mail.example`,
      '--confirmed',
    )
    return /^New password: (.+)$/m.exec(made.stdout)?.[1] as string
  }

  /** Signs in with a token of the command line, as toot keeps one. */
  async function giveToken(name: string): Promise<void> {
    await createAccount(name)
    const token = (await server.command('tokens', 'create', name)).stdout.trim()
    const id = `${name}@${instance}`
    const app = { instance, base_url: server.url, client_id: 'none', client_secret: 'none' }
    const config = {
      active_user: id,
      apps: { [instance]: app },
      users: { [id]: { instance, username: name, access_token: token } },
    }
    await mkdir(path.join(home(name), 'toot'), { recursive: true })
    await writeFile(path.join(home(name), 'toot/config.json'), JSON.stringify(config))
  }

  const idIn = (text: string) => /\/(\d+)\s*$/.exec(text.trim())?.[1] as string

  test('signs in with a password', async () => {
    const password = await createAccount('alice')
    await mkdir(home('alice'), { recursive: true })
    const words = ['login_cli', '--disable-https', '--instance', instance, '--email', 'alice@mail.example']
    expect(await run('alice', words, password)).toContain('Successfully logged in')
    expect(await run('alice', ['whoami'])).toMatch(new RegExp(`@alice[\\s\\S]*${server.url}/@alice`))
  })

  test('signs in with a token', async () => {
    await giveToken('bob')
    expect(await run('bob', ['whoami'])).toContain('@bob')
    expect(await run('bob', ['instance', '--disable-https', instance])).toContain('Stonechat')
  })

  test('posts, replies, shows a thread, favourites, boosts, deletes', async () => {
    const first = idIn(await run('alice', ['post', 'Hello from a terminal #cli', '--language', 'en']))
    const reply = idIn(await run('bob', ['post', '@alice welcome', '--reply-to', first]))
    expect(await run('alice', ['thread', first])).toMatch(/Hello from a terminal #cli[\s\S]*@alice welcome/)
    expect(await run('bob', ['favourite', first])).toContain('Status favourited')
    expect(await run('bob', ['unfavourite', first])).toContain('Status unfavourited')
    expect(await run('bob', ['favourite', first])).toContain('Status favourited')
    expect(await run('bob', ['reblog', first])).toContain('Status reblogged')
    expect(await run('alice', ['reblogged_by', first])).toContain('@bob')
    expect(await run('bob', ['bookmark', first])).toContain('Status bookmarked')
    expect(await run('alice', ['pin', first])).toContain('Status pinned')
    expect(await run('bob', ['delete', reply])).toContain('Status deleted')
  })

  test('reads timelines', async () => {
    expect(await run('alice', ['timeline', '--once'])).toContain('Hello from a terminal')
    expect(await run('bob', ['timeline', '--once', '--public', '--local'])).toContain('Hello from a terminal')
    expect(await run('bob', ['timeline', '--once', '--tag', 'cli'])).toContain('Hello from a terminal')
    expect(await run('bob', ['bookmarks', '--once'])).toContain('Hello from a terminal')
  })

  test('posts pictures, and schedules', async () => {
    const file = path.join(home('alice'), 'sky.png')
    await writeFile(
      file,
      await sharp({ create: { width: 60, height: 40, channels: 3, background: '#88ccff' } })
        .png()
        .toBuffer(),
    )
    const words = ['post', 'Look up', '--media', file, '--description', 'The sky', '--language', 'en']
    const id = idIn(await run('alice', words))
    const answer = await fetch(`${server.url}/api/v1/statuses/${id}`)
    const status = (await answer.json()) as Record<string, { url: string }[]>
    expect(status['media_attachments']).toMatchObject([{ type: 'image', description: 'The sky' }])
    const link = status['media_attachments']?.[0]?.url as string
    // It breaks lines, in the middle of links too.
    const shown = (await run('bob', ['thread', id])).replaceAll(/[^\w/:.-]/g, '')
    expect(shown).toContain(link)
    expect((await fetch(link)).headers.get('content-type')).toBe('image/png')
    const later = await run('alice', ['post', 'Tomorrow', '--scheduled-in', '1 day'])
    expect(later).toContain('Toot scheduled for')
  })

  test('reads and clears notifications', async () => {
    await expect.poll(() => run('alice', ['notifications']), { interval: 1_000 }).toMatch(/bob/)
    expect(await run('alice', ['notifications', '--clear'])).toContain('Cleared notifications')
    expect(await run('alice', ['notifications'])).toContain('No notification')
  })

  test('follows tags', async () => {
    expect(await run('bob', ['tags_follow', 'cli'])).toContain('You are now following #cli')
    expect(await run('bob', ['tags_followed'])).toContain('cli')
    expect(await run('bob', ['tags_unfollow', 'cli'])).toContain('You are no longer following #cli')
  })

  test('finds people, follows, mutes and blocks them', async (context) => {
    // toot finds accounts by the search of version 2 alone.
    const search = await fetch(`${server.url}/api/v2/search?q=alice`)
    context.skip(search.status === 404, 'there is no /api/v2/search yet')
    expect(await run('bob', ['search', 'alice'])).toContain('@alice')
    expect(await run('bob', ['whois', 'alice'])).toContain(`${server.url}/@alice`)
    expect(await run('bob', ['follow', 'alice'])).toContain('You are now following alice')
    expect(await run('bob', ['following', 'bob'])).toContain('@alice')
    expect(await run('alice', ['followers', 'alice'])).toContain('@bob')
    expect(await run('bob', ['mute', 'alice'])).toContain('You have muted alice')
    expect(await run('bob', ['unmute', 'alice'])).toContain('alice is no longer muted')
    expect(await run('bob', ['unfollow', 'alice'])).toContain('You are no longer following alice')
    expect(await run('bob', ['block', 'alice'])).toContain('You are now blocking alice')
    expect(await run('bob', ['unblock', 'alice'])).toContain('alice is no longer blocked')
  })
})
