// `bin/stonechat` where it clears up: accounts of others, files, cards, posts, counters; and the end of a server.
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { timeToId } from '#lib/ids.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { Person } from '#test/people/people.ts'
import { useCli } from '#test/processes/cli.ts'

const cli = useCli()
const { run, json, fails, inDatabase } = cli

const day = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * day)
let alice: Person
let number = 0

/** An account of another server that was met so many days ago. Nothing answers at its address. */
async function met(ctx: Ctx, days: number, domain = 'away.invalid'): Promise<string> {
  const id = String(BigInt(timeToId(daysAgo(days).getTime())) + BigInt(++number))
  const [name, uri] = [`far${number}`, `https://${domain}/users/far${number}`]
  await sql`
    insert into accounts (id, username, domain, uri, uri_host, inbox_url, fetched_at, updated_at)
    values (${id}, ${name}, ${domain}, ${uri}, ${domain}, ${`${uri}/inbox`}, ${daysAgo(days)}, ${daysAgo(days)})`.execute(
    ctx.db,
  )
  return id
}

const accounts = (ids: readonly string[]) =>
  inDatabase(async ({ ctx }) => {
    const { rows } = await sql<{ id: string }>`
      select id from accounts where id = any(${ids}::bigint[]) order by id`.execute(ctx.db)
    return rows.map((row) => row.id)
  })

beforeAll(async () => {
  ;[alice] = (await cli.server.people('alice')) as [Person]
})

describe('accounts of other servers', () => {
  test('are pruned, not in a dry run', async () => {
    const ids = await inDatabase(async ({ ctx }) => [await met(ctx, 3), await met(ctx, 3)])
    await inDatabase(async ({ ctx }) => {
      await sql`
        insert into follows (id, account_id, target_account_id)
        values (${ctx.newId()}, ${alice.accountId}, ${ids[1]})`.execute(ctx.db)
    })
    expect(await run('accounts', 'prune', '--dry-run')).toBe('Would remove 1 accounts')
    expect(await accounts(ids)).toEqual(ids)
    expect(await json('accounts', 'prune', '--json')).toEqual({ accounts: 1, dryRun: false })
    expect(await accounts(ids)).toEqual([ids[1]])
  })

  test('stay where their server does not answer', async () => {
    const [id] = await inDatabase(async ({ ctx }) => [await met(ctx, 30, 'dead.invalid')])
    const culled = { checked: 0, culled: [], unreachable: ['dead.invalid'], dryRun: false }
    expect(await json('accounts', 'cull', 'dead.invalid', '--json')).toEqual(culled)
    const refreshed = { refreshed: 0, failed: 1, unreachable: [], dryRun: false }
    expect(await json('accounts', 'refresh', '--domain', 'dead.invalid', '--json')).toEqual(refreshed)
    expect(await run('accounts', 'refresh', '--all', '--dry-run')).toMatch(
      /^Would refresh [1-9]\d* accounts$/,
    )
    expect(await accounts([id as string])).toEqual([id])
  })

  test.each([
    [['accounts', 'cull', 'a b'], 'not a valid domain'],
    [['accounts', 'cull', '--concurrency', '0'], '--concurrency is "0", not a number from 1 to 50'],
    [['accounts', 'refresh'], 'Give accounts, --domain, or --all'],
    [['accounts', 'refresh', 'nobody@away.invalid'], 'There is no account nobody@away.invalid here'],
    [['accounts', 'refresh', 'alice'], 'alice is an account of this server'],
    [['accounts', 'rotate'], 'Give names, or --all'],
    [['accounts', 'rotate', 'nobody'], 'There is no local account nobody'],
    [['accounts', 'migrate', 'alice'], 'Either --target or --replay'],
    [['accounts', 'migrate', 'alice', '--replay'], 'alice has not moved'],
    [['accounts', 'reset-relationships', 'alice'], 'Give --follows, --followers, or both'],
    [['accounts', 'backup', 'nobody'], 'There is no local account nobody'],
    [['cache', 'recount', 'polls'], 'TYPE is "polls", not accounts or statuses'],
    [['domains', 'purge'], 'Give domains, or --limited-federation-mode'],
    [['domains', 'purge', '--limited-federation-mode'], 'LIMITED_FEDERATION_MODE is not on'],
    [['media', 'lookup', 'x'], 'Nothing shows the file x'],
    [['media', 'refresh'], 'Give one of --status, --account, --domain and --days'],
    [['media', 'refresh', '--status', 'x'], '--status is "x", not an id'],
    [['media', 'remove', '--include-follows'], '--include-follows goes with'],
    [['media', 'remove', '--prune-profiles', '--remove-headers'], 'Either --prune-profiles or'],
    [['preview-cards', 'remove', '--days', '-1'], '--days'],
    [['self-destruct'], '--confirm is missing'],
    [['self-destruct', '--confirm', 'else.example'], 'is not the domain of this server: nothing was done'],
    [['statuses', 'remove', '--days', '0'], '--days is "0", not a number from 1'],
  ])('%j is refused with one line', async (words, line) => {
    const text = await fails(...words)
    expect(text).toContain(line)
    expect(text).not.toContain('\n')
  })
})

test('local accounts get new keys, an archive, and their relationships anew', async () => {
  await run('accounts', 'create', 'bob', '--email', 'bob@mail.example', '--confirmed')
  await run('accounts', 'follow', 'bob')
  expect(await run('accounts', 'rotate', 'alice', '@bob')).toBe('OK, 2 accounts')
  expect(await run('accounts', 'backup', 'alice')).toBe('OK')
  const both = ['--follows', '--followers']
  expect(await run('accounts', 'reset-relationships', 'bob', ...both)).toBe(
    'Followed again: 0\nFollowers removed: 1',
  )
  const actions = await json<{ action: string }[]>('audit', 'list', '--json', '--limit', '20')
  expect(actions.map((one) => one.action)).toEqual(
    expect.arrayContaining(['rotate_keys', 'request_archive', 'reset_follows', 'reset_followers']),
  )
})

describe('files and cards', () => {
  test('that nothing names are found and removed', async () => {
    const folder = path.join(cli.server.dataDir, 'media', 'avatars', '5')
    const file = path.join(folder, 'lost.png')
    await mkdir(folder, { recursive: true })
    await writeFile(file, 'x')
    await utimes(file, daysAgo(2), daysAgo(2))
    const dry = await run('media', 'remove-orphans', '--dry-run', '--prefix', 'avatars/')
    expect(dry).toMatch(/^avatars\/5\/lost\.png\nWould be removed: 1 file, /)
    const removed = { files: 1, bytes: 1, dryRun: false, strange: 0 }
    expect(await json('media', 'remove-orphans', '--json')).toMatchObject(removed)
    expect(await run('media', 'remove-orphans')).toMatch(/^Removed: 0 files/)
  })

  test('of profiles and cards, by their age', async () => {
    await inDatabase(async ({ ctx }) => {
      const id = await met(ctx, 20)
      await sql`update accounts set header_key = ${`headers/${id}/a.png`} where id = ${id}`.execute(ctx.db)
      await sql`
        insert into preview_cards (id, url, url_hash, image_key, image_bytes, fetched_at)
        values (${ctx.newId()}, 'https://page.example/', 'x', 'preview_cards/1/a.png', 2000, ${daysAgo(200)})`.execute(
        ctx.db,
      )
    })
    const headers = ['media', 'remove', '--remove-headers']
    expect(await run(...headers, '--dry-run')).toBe('Would be removed: 1 file of 1 accounts')
    expect(await json(...headers, '--json')).toEqual({ accounts: 1, files: 1, dryRun: false })
    expect(await run(...headers)).toBe('Removed: 0 files of 0 accounts')
    expect(await run('preview-cards', 'remove', '--dry-run')).toBe(
      'Would be removed: 1 pictures of cards, 2.0 kB',
    )
    expect(await json('preview-cards', 'remove', '--json')).toEqual({ files: 1, bytes: 2000, dryRun: false })
    expect(await run('media', 'refresh', '--days', '3')).toBe('Fetched: 0 files, 0.0 kB')
  })
})

test('old posts of others are forgotten, those of accounts that are followed only when that is wanted', async () => {
  await inDatabase(async ({ ctx }) => {
    for (const followed of [false, true]) {
      const author = await met(ctx, 200)
      const id = String(BigInt(timeToId(daysAgo(120).getTime())) + BigInt(number))
      await sql`
        insert into statuses (id, account_id, visibility, local, uri, created_at, fetched_at)
        values (${id}, ${author}, 'public', false, ${`https://away.invalid/${id}`}, ${daysAgo(120)}, ${daysAgo(120)})`.execute(
        ctx.db,
      )
      if (followed)
        await sql`
          insert into follows (id, account_id, target_account_id)
          values (${ctx.newId()}, ${alice.accountId}, ${author})`.execute(ctx.db)
    }
  })
  expect(await run('statuses', 'remove', '--dry-run')).toBe('Would be removed: 1')
  expect(await run('statuses', 'remove', '--dry-run', '--clean-followed')).toBe('Would be removed: 2')
  expect(await run('statuses', 'remove', '--days', '150', '--dry-run')).toBe('Would be removed: 0')
  expect(await json('statuses', 'remove', '--json')).toEqual({ removed: 1, dryRun: false })
  expect(await run('statuses', 'remove', '--clean-followed', '--full-speed')).toBe('Removed: 1')
})

test('counters are put right', async () => {
  await inDatabase(async ({ ctx }) => {
    await sql`
      update account_stats set statuses_count = 9 where account_id = ${alice.accountId}`.execute(ctx.db)
  })
  expect(await run('cache', 'recount', 'accounts')).toMatch(/^Counted: \d+, of which [1-9]\d* were wrong$/)
  expect(await json('cache', 'recount', 'accounts', '--json')).toMatchObject({ corrected: 0 })
  expect(await json('cache', 'recount', 'statuses', '--json')).toMatchObject({ corrected: 0 })
})

test('a server takes leave only when its domain is typed', async () => {
  expect(await run('self-destruct', '--dry-run')).toMatch(/^Would delete \d+ accounts, of which \d+ servers/)
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(200)
  const domain = `localhost:${cli.server.port}`
  expect(await run('self-destruct', '--confirm', domain)).toContain('All accounts are deleted')
  expect((await alice.get('/api/v1/timelines/home')).status).toBe(401)
  expect(await json('accounts', 'list', '--json')).toEqual([])
  expect(await run('self-destruct', '--dry-run')).toMatch(/^Would delete 0 accounts/)
})
