import { readdir, readlink } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { insertFollow } from '#domain/social/relationships/rows.ts'
import { startApp, useApp } from '#test/app/app.ts'
import type { Browser } from '#test/client/browser.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'
import { patience } from '#test/run/patience.ts'
import { asId, type BulkImportId } from '#lib/id.ts'

const app = useApp()
let alice: Person
let browser: Browser

beforeEach(async () => {
  alice = await personWithPassword(app, 'alice')
  browser = await signedIn(app, alice)
})

/** Uploads that this process still has open. */
async function openUploads(): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''))
  return (await Promise.all(links)).filter((path) => path.startsWith(app.ctx.config.dataDir))
}

const address = (person: { username: string }) => `${person.username}@chat.example`
const download = async (name: string) => (await browser.get(`/settings/exports/${name}.csv`)).text

/** Uploads a file; answers what the page shows for it. */
async function send(type: string, text: string | Uint8Array<ArrayBuffer>, mode = 'merge') {
  const page = await browser.get('/settings/imports')
  const content = new File([text], 'mine.csv', { type: 'text/csv' })
  return browser.upload(page.form('/settings/imports'), { type, mode }, { name: 'data', content })
}

/** Uploads, confirms and waits. */
async function bring(type: string, text: string, mode?: string): Promise<void> {
  const sent = await send(type, text, mode)
  expect([sent.status, sent.location]).toEqual([303, expect.stringContaining('/settings/imports/')])
  const shown = await browser.get(new URL(sent.location as string, 'http://x').pathname)
  const form = shown.forms.find((one) => one.action.endsWith('/confirm'))
  expect((await browser.submit(form!)).status).toBe(303)
  await app.settle()
}

const relation = async (other: Person) =>
  (await alice.get(`/api/v1/accounts/relationships?id[]=${other.accountId}`)).ok()[0]

describe('follows that were severed', () => {
  test('are told with the names of whom one lost, as files of one’s own [ACC-25]', async () => {
    const [ours, theirs] = [
      await remoteAccount(app.ctx, 'cut.example'),
      await remoteAccount(app.ctx, 'cut.example'),
    ]
    const options = { show_reblogs: false, notify: true, languages: ['en', 'de'], uri: null }
    const me = alice.accountId
    await app.ctx.transaction(async (tx) => {
      await insertFollow(tx, { accountId: me, targetAccountId: ours.accountId }, options)
      for (const { accountId } of [ours, theirs])
        await insertFollow(tx, { accountId, targetAccountId: me }, options)
    })
    expect((await browser.get('/severed_relationships')).text).toContain('None of your follows')
    ;(await alice.post('/api/v1/domain_blocks', { domain: 'cut.example' })).ok()
    await app.settle()
    const { text } = await browser.get('/severed_relationships')
    expect(text).toContain('You blocked cut.example')
    expect(text).toContain('2 followers, 1 you followed')
    const files = [...text.matchAll(/\/severed_relationships\/\d+\/\w+\.csv/g)].map(([file]) => file)
    expect(await Promise.all(files.map(async (file) => (await browser.get(file)).text))).toEqual([
      `Account address,Show boosts,Notify on new posts,Languages\n${ours.acct},false,true,"en, de"\n`,
      `Account address\n${ours.acct}\n${theirs.acct}\n`,
    ])
    const stranger = await signedIn(app, await personWithPassword(app, 'stranger'))
    for (const file of files) expect((await stranger.get(file)).status).toBe(404)
    await app.ctx.db.deleteFrom('accounts').where('id', 'in', [ours.accountId, theirs.accountId]).execute()
    expect((await browser.get('/severed_relationships')).text).toContain('The names are not kept any more')
  })

  test.each(['domain_block', 'account_suspension'])('by staff, too: %s', async (type) => {
    const admin = await app.person('admin', { role: 'Admin' })
    const domain = `${type.replace('_', '-')}.example`
    const lost = await remoteAccount(app.ctx, domain)
    const options = { show_reblogs: true, notify: false, languages: null, uri: null }
    // Whom one follows stays followed when they are suspended, for the day when that ends.
    const follow = { accountId: lost.accountId, targetAccountId: alice.accountId }
    await app.ctx.transaction((tx) => insertFollow(tx, follow, options))
    const done =
      type === 'domain_block'
        ? await admin.post('/api/v1/admin/domain_blocks', { domain, severity: 'suspend' })
        : await admin.post(`/api/v1/admin/accounts/${lost.accountId}/action`, { type: 'suspend' })
    done.ok()
    await app.settle()
    const { text } = await browser.get('/severed_relationships')
    expect(text).toContain(
      type === 'domain_block' ? `Staff blocked ${domain}` : `Staff suspended ${lost.acct}`,
    )
    const [file] = text.match(/\/severed_relationships\/\d+\/followers\.csv/) ?? []
    expect((await browser.get(file!)).text).toBe(`Account address\n${lost.acct}\n`)
  })
})

describe('export', () => {
  test('every list has Mastodon’s columns and holds one’s own alone [ACC-25]', async () => {
    const [bob, carol, dan] = [await app.person('bob'), await app.person('carol'), await app.person('dan')]
    await alice.follow(bob)
    ;(
      await alice.post(`/api/v1/accounts/${bob.accountId}/follow`, {
        reblogs: false,
        notify: true,
        languages: ['en', 'de'],
      })
    ).ok()
    ;(await alice.post(`/api/v1/accounts/${carol.accountId}/mute`, { notifications: false })).ok()
    ;(await alice.post(`/api/v1/accounts/${dan.accountId}/block`)).ok()
    ;(await alice.post('/api/v1/domain_blocks', { domain: 'spam.example' })).ok()
    const list = (await alice.post('/api/v1/lists', { title: 'Near, dear' })).ok()
    ;(await alice.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] })).ok()
    const { id, uri } = await bob.say('keep this')
    ;(await alice.post(`/api/v1/statuses/${id}/bookmark`)).ok()
    expect(await download('follows')).toBe(
      `Account address,Show boosts,Notify on new posts,Languages\n${address(bob)},false,true,"en, de"\n`,
    )
    expect(await download('mutes')).toBe(`Account address,Hide notifications\n${address(carol)},false\n`)
    expect(await download('blocks')).toBe(`${address(dan)}\n`)
    expect(await download('domain_blocks')).toBe('spam.example\n')
    expect(await download('lists')).toBe(`"Near, dear",${address(bob)}\n`)
    expect(await download('bookmarks')).toBe(`${uri}\n`)
    const shown = await browser.get('/settings/exports/follows.csv')
    expect(shown.headers.get('content-disposition')).toBe('attachment; filename="following_accounts.csv"')
    expect(shown.headers.get('cache-control')).toBe('private, no-store')
    const strange = await newBrowser(app).get('/settings/exports/follows.csv')
    expect([strange.status, strange.text]).toEqual([302, ''])
    expect((await browser.get('/settings/exports/secrets.csv')).status).toBe(404)
    expect((await browser.get('/settings/export')).text).toContain('Servers you block')
  })

  test('a long list comes whole', async () => {
    const people = await Promise.all(Array.from({ length: 3 }, () => app.person('p')))
    const { sql } = await import('kysely')
    await sql`
      insert into accounts (id, username, domain, uri)
      select 9000000 + n, 'u' || n, 'away.example', 'https://away.example/u' || n from generate_series(1, 2500) n
      on conflict do nothing`.execute(app.ctx.db)
    await sql`
      insert into blocks (id, account_id, target_account_id)
      select 8000000 + n, ${alice.accountId}, 9000000 + n from generate_series(1, 2500) n`.execute(app.ctx.db)
    ;(await alice.post(`/api/v1/accounts/${people[0]!.accountId}/block`)).ok()
    const lines = (await download('blocks')).trim().split('\n')
    expect(new Set(lines).size).toBe(2501)
  })
})

describe('import', () => {
  test('follows with their options, from a file with or without a header', async () => {
    const [bob, carol] = [await app.person('bob'), await app.person('carol')]
    await bring(
      'following',
      `Account address,Show boosts,Notify on new posts,Languages\n${address(bob)},false,true,"en, de"\n`,
    )
    expect(await relation(bob)).toMatchObject({
      following: true,
      showing_reblogs: false,
      notifying: true,
      languages: ['en', 'de'],
    })
    await bring('following', `${carol.username.toUpperCase()}@CHAT.example\r\n`)
    expect(await relation(carol)).toMatchObject({ following: true, showing_reblogs: true })
    expect(await relation(bob)).toMatchObject({ following: true })
  })

  test('of what was exported gives the same, for every list', async () => {
    const [bob, carol, dan] = [await app.person('bob'), await app.person('carol'), await app.person('dan')]
    const other = await personWithPassword(app, 'other')
    await other.follow(bob)
    ;(await other.post(`/api/v1/accounts/${carol.accountId}/mute`, { notifications: false })).ok()
    ;(await other.post(`/api/v1/accounts/${dan.accountId}/block`)).ok()
    ;(await other.post('/api/v1/domain_blocks', { domain: 'spam.example' })).ok()
    const list = (await other.post('/api/v1/lists', { title: 'Near' })).ok()
    ;(await other.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] })).ok()
    const { id } = await bob.say('keep this')
    ;(await other.post(`/api/v1/statuses/${id}/bookmark`)).ok()
    const theirs = await signedIn(app, other)
    const kinds = [
      ['lists', 'lists'],
      ['following', 'follows'],
      ['muting', 'mutes'],
      ['blocking', 'blocks'],
      ['domain_blocking', 'domain_blocks'],
      ['bookmarks', 'bookmarks'],
    ] as const
    for (const [type, name] of kinds) {
      const text = (await theirs.get(`/settings/exports/${name}.csv`)).text
      await bring(type, text)
      expect(await download(name)).toBe(text)
    }
  })

  test('of what a spreadsheet wrote with semicolons', async () => {
    const dan = await app.person('dan')
    const sheet = [
      'Account address;Show boosts;Notify on new posts;Languages',
      `${address(dan)};false;true;en`,
    ]
    await bring('following', sheet.join('\r\n'))
    expect(await relation(dan)).toMatchObject({ following: true, showing_reblogs: false, notifying: true })
  })

  test('that overwrites takes away what is not in the file', async () => {
    const [bob, carol] = [await app.person('bob'), await app.person('carol')]
    await alice.follow(carol)
    const mine = (await alice.post('/api/v1/lists', { title: 'Old' })).ok()
    ;(await alice.post(`/api/v1/lists/${mine.id}/accounts`, { account_ids: [carol.accountId] })).ok()
    await bring('lists', `New,${address(bob)}\n`, 'overwrite')
    expect(await download('lists')).toBe(`New,${address(bob)}\n`)
    await bring('following', `${address(bob)}\n`, 'overwrite')
    expect(await relation(carol)).toMatchObject({ following: false })
    expect(await relation(bob)).toMatchObject({ following: true })
    ;(await alice.post('/api/v1/domain_blocks', { domain: 'old.example' })).ok()
    await bring('domain_blocking', 'new.example\n', 'overwrite')
    expect(await download('domain_blocks')).toBe('new.example\n')
    const [one, two] = [await bob.say('one'), await bob.say('two')]
    ;(await alice.post(`/api/v1/statuses/${one.id}/bookmark`)).ok()
    await bring('bookmarks', `${two.url}\n`, 'overwrite')
    expect((await alice.get('/api/v1/bookmarks')).ok().map((status: Json) => status.id)).toEqual([two.id])
  })

  test('that overwrites leaves what the file names as it is, whatever alphabet its server has', async () => {
    const far = await remoteAccount(app.ctx, 'xn--bcher-kva.example')
    const gone = await remoteAccount(app.ctx)
    const options = { show_reblogs: true, notify: false, languages: null, uri: null }
    await app.ctx.transaction(async (tx) => {
      for (const { accountId } of [far, gone]) {
        await insertFollow(tx, { accountId: alice.accountId, targetAccountId: accountId }, options)
      }
    })
    ;(await alice.post('/api/v1/domain_blocks', { domain: 'xn--mnchen-3ya.example' })).ok()
    await app.ctx.db
      .updateTable('accounts')
      .set({ deleted_at: new Date(app.clock.now()) })
      .where('id', '=', gone.accountId)
      .execute()
    await app.settle()
    const before = await download('follows')
    expect(before).toContain('bücher.example')
    const follows = app.ctx.db.selectFrom('follows').select('id').where('account_id', '=', alice.accountId)
    const kept = await follows.where('target_account_id', '=', far.accountId).execute()
    await bring(
      'following',
      before
        .split('\n')
        .filter((line) => !line.startsWith(gone.acct))
        .join('\n'),
      'overwrite',
    )
    expect(await follows.where('target_account_id', '=', far.accountId).execute()).toEqual(kept)
    expect((await browser.get('/settings/imports')).text).toContain('1 of 1')
    const hidden = app.ctx.db.selectFrom('account_domain_blocks').select('id')
    const blocked = await hidden.where('account_id', '=', alice.accountId).execute()
    await bring('domain_blocking', 'München.example\n', 'overwrite')
    expect(await hidden.where('account_id', '=', alice.accountId).execute()).toEqual(blocked)
  })

  test('tells line by line what was not possible, and does the rest', async () => {
    const bob = await app.person('bob')
    const far = await remoteAccount(app.ctx)
    await bring('blocking', `nobody@away.example\n${far.acct}\n${address(bob)}\n`)
    const page = await browser.get('/settings/imports')
    expect(page.text).toContain('3 of 3, 1 not possible')
    const failures = /\/settings\/imports\/\d+\/failures\.csv/.exec(page.text)![0]
    expect((await browser.get(failures)).text).toBe('1,nobody@away.example,This account is not known here\n')
    expect(await relation(bob)).toMatchObject({ blocking: true })
    // Nobody else reads it.
    const eve = await signedIn(app, await personWithPassword(app, 'eve'))
    expect((await eve.get(failures)).status).toBe(404)
  })

  test('what is no such file, too long or too wide is refused before anything happens [CNT-19]', async () => {
    const many = Array.from({ length: 20_001 }, (_, n) => `user${n}@away.example`).join('\n')
    const wide = String.fromCodePoint(
      ...Array.from({ length: 1000 }, (_, n) => 0x4e00 + ((n * 7919) % 20_000)),
    )
    const bad: [string, string | Uint8Array<ArrayBuffer>][] = [
      ['following', ''],
      ['following', 'not an address at all\n'],
      ['following', '"unclosed'],
      ['following', `${'x'.repeat(20_000)}@away.example\n`],
      ['following', many],
      ['domain_blocking', 'http://with.path/x\n'],
      ['bookmarks', 'javascript:alert(1)\n'],
      ['bookmarks', `https://away.example/${wide}\n`],
      ['lists', `,${address(alice)}\n`],
      ['blocking', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 0xff, 0xfe])],
    ]
    for (const [type, text] of bad) {
      const sent = await send(type, text)
      expect([type, String(text).slice(0, 20), sent.status]).toEqual([type, String(text).slice(0, 20), 422])
    }
    const { rows } = await (
      await import('kysely')
    ).sql`
      select 1 from bulk_imports where account_id = ${alice.accountId}`.execute(app.ctx.db)
    expect(rows).toEqual([])
    const endless = Array.from({ length: 60_000 }, (_, n) => `somebody.or.other${n}@away.example`).join('\n')
    expect((await send('following', endless)).status).toBe(422)
    await expect.poll(openUploads, { timeout: patience }).toEqual([])
  })

  test('shows what it will do before it does it, how far it is, and what came of it', async () => {
    const [bob, carol, dan] = [await app.person('bob'), await app.person('carol'), await app.person('dan')]
    for (const one of [bob, dan]) (await alice.post(`/api/v1/accounts/${one.accountId}/block`)).ok()
    // What cannot be read is kept in part, which ends in the middle of a sign; carol stands there twice.
    const unread = `not an address,${'x'.repeat(484)}🙈`
    const file = `${address(bob)}\n${unread}\n${address(carol)}\n${address(carol).toUpperCase()}\n`
    const sent = await send('blocking', file, 'overwrite')
    const path = new URL(sent.location as string, 'http://x').pathname
    const preview = await browser.get(path)
    for (const words of [
      '3 entries',
      '1 entry is new.',
      '1 entry is there already.',
      '1 entry that you have is not in the file, and is taken away.',
      '1 line cannot be read and is left out.',
      address(carol),
    ])
      expect(preview.text).toContain(words)
    expect((await browser.get(`${path}/failures.csv`)).text).toContain('2,"not an address,xxx')
    const going = await browser.submit(preview.forms.find((one) => one.action.endsWith('/confirm'))!)
    expect(going.location).toBe(path)
    const running = await browser.get(path)
    expect(running.headers.get('refresh')).toBe('5')
    expect(running.text).toContain('<progress max="4" value="1"')
    await app.settle()
    const result = await browser.get(path)
    expect(result.headers.get('refresh')).toBeNull()
    expect(result.text).toContain('3 entries were imported.')
    expect(result.text).toContain('4 of 4, 1 not possible')
    for (const [one, blocking] of [
      [bob, true],
      [carol, true],
      [dan, false],
    ] as const)
      expect(await relation(one)).toMatchObject({ blocking })
  })

  test('takes for known whom one has asked to follow', async () => {
    const [locked, open] = [await app.person('locked'), await app.person('open')]
    ;(await locked.patch('/api/v1/accounts/update_credentials', { locked: true })).ok()
    ;(await alice.post(`/api/v1/accounts/${locked.accountId}/follow`)).ok()
    const sent = await send('following', `${address(locked)}\n${address(open)}\n`)
    const preview = await browser.get(new URL(sent.location as string, 'http://x').pathname)
    expect(preview.text).toContain('1 entry is new.')
    expect(preview.text).toContain('1 entry is there already.')
  })

  test('waits for a yes, can be thrown away, and goes on where it was stopped', async () => {
    const [bob, carol] = [await app.person('bob'), await app.person('carol')]
    const sent = await send('muting', `${address(bob)}\n`)
    await app.settle()
    expect(await relation(bob)).toMatchObject({ muting: false })
    const path = new URL(sent.location as string, 'http://x').pathname
    const shown = await browser.get(path)
    expect(shown.text).toContain('1 entries')
    const eve = await signedIn(app, await personWithPassword(app, 'eve'))
    expect((await eve.get(path)).status).toBe(404)
    expect((await browser.submit(shown.forms.find((form) => form.action.endsWith('/discard'))!)).status).toBe(
      303,
    )
    expect((await browser.get(path)).status).toBe(404)
    // The worker dies between two rows: the rows that are left are done by the next one.
    const again = await send('muting', `${address(bob)}\n${address(carol)}\n`)
    const id = /imports\/(\d+)/.exec(again.location as string)![1]!
    const { runImport } = await import('#domain/transfer/portability/run-import.ts')
    await app.ctx.db
      .updateTable('bulk_imports')
      .set({ state: 'in_progress', processed_items: 1, imported_items: 1 })
      .where('id', '=', asId<BulkImportId>(id))
      .execute()
    await app.ctx.db
      .deleteFrom('bulk_import_rows')
      .where('bulk_import_id', '=', asId<BulkImportId>(id))
      .where('line', '=', 1)
      .execute()
    await runImport(app.ctx, asId<BulkImportId>(id))
    await runImport(app.ctx, asId<BulkImportId>(id))
    expect(await relation(carol)).toMatchObject({ muting: true })
    expect((await browser.get('/settings/imports')).text).toContain('2 of 2')
  })

  test('is not for more than thirty files a day', async () => {
    const limited = await startApp({ env: { RATE_LIMITS: 'on' } })
    try {
      const own = await signedIn(limited, await personWithPassword(limited, 'busy'))
      const form = (await own.get('/settings/imports')).form('/settings/imports')
      const statuses: number[] = []
      for (let n = 0; n < 31; n++) {
        const content = new File(['spam.example\n'], 'mine.csv', { type: 'text/csv' })
        statuses.push((await own.upload(form, { type: 'domain_blocking' }, { name: 'data', content })).status)
      }
      expect([statuses.filter((status) => status === 303).length, statuses.at(-1)]).toEqual([30, 429])
    } finally {
      await limited.close()
    }
  })
})
