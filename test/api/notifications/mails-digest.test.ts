// What people missed, for those who have been away for a week.
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { askForDigests } from '#domain/reading/notifications/digest.ts'
import { useApp } from '#test/app/app.ts'
import { days } from '#test/app/clock.ts'
import { mailsTo, setLocale, setMails } from '#test/app/mails.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()
let alice: Person
let bob: Person

/** Alice was here, and then for so many days was not. */
async function leave(person: Person, count: number): Promise<void> {
  await person.get('/api/v1/accounts/verify_credentials')
  app.clock.advance(days(count))
}

async function digests(person: Person) {
  app.mails.length = 0
  await askForDigests(app.ctx)
  await app.settle()
  return mailsTo(app, person)
}

beforeEach(async () => {
  ;[alice, bob] = [await app.person('alice'), await app.person('bob')]
})

test('a digest shows mentions and new followers, once', async () => {
  await leave(alice, 8)
  await bob.follow(alice)
  for (let i = 1; i <= 7; i += 1) {
    await bob.say(`@${alice.username} number <${i}>`)
    await app.settle()
  }
  await bob.say(`@${alice.username} hidden words`, { spoiler_text: 'careful' })
  await app.settle()
  const [mail, ...more] = await digests(alice)
  expect(more).toEqual([])
  expect(mail?.subject).toBe('What you missed on chat.example')
  expect(mail?.text).toContain('8 posts mention you:')
  expect(mail?.text).toContain(`\u2068@${bob.username}\u2069:\n> @${alice.username} number <7>`)
  expect(mail?.text).toContain('> [Content warning: \u2068careful\u2069]')
  expect(mail?.text).not.toMatch(/number <3>|hidden words/)
  expect(mail?.html).toContain('number &lt;7&gt;')
  expect(mail?.text).toContain(`1 person follows you now: \u2068@${bob.username}\u2069.`)
  expect(mail?.headers).toMatchObject({
    'List-ID': `<digest.${alice.username}.chat.example>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  await bob.say(`@${alice.username} later`)
  await app.settle()
  expect(await digests(alice)).toEqual([])
  app.clock.advance(days(8))
  expect((await digests(alice))[0]?.text).toContain('1 post mentions you:')
  app.clock.advance(days(8))
  expect(await digests(alice)).toEqual([])
})

test('none goes to who was here lately, has read it all, wants none, is gone for good or cannot sign in', async () => {
  const [here, reader, quiet, disabled, german] = [
    await app.person('here'),
    await app.person('reader'),
    await app.person('quiet'),
    await app.person('disabled'),
    await app.person('german'),
  ]
  await leave(alice, 200)
  for (const person of [reader, quiet, disabled, german]) await leave(person, 0)
  app.clock.advance(days(6))
  await leave(here, 2)
  const all = [alice, here, reader, quiet, disabled, german]
  for (const person of all) await bob.say(`@${person.username} hello`)
  await app.settle()
  await sql`insert into markers (account_id, timeline, last_read_id, version, updated_at)
    select account_id, 'notifications', id, 1, now() from notifications where account_id = ${reader.accountId}`.execute(
    app.ctx.db,
  )
  await setMails(app, quiet, { digest: false })
  await setLocale(app, german, 'de')
  await sql`update users set disabled = true where id = ${disabled.userId}`.execute(app.ctx.db)
  await digests(german)
  expect(app.mails.map((mail) => [mail.to, mail.subject])).toEqual([
    [german.email, 'Was du auf chat.example verpasst hast'],
  ])
})

test('whoever comes back before it goes out gets none', async () => {
  await leave(alice, 8)
  await bob.say(`@${alice.username} hello`)
  await app.settle()
  app.mails.length = 0
  await askForDigests(app.ctx)
  await alice.get('/api/v1/notifications')
  await app.settle()
  expect(mailsTo(app, alice)).toEqual([])
})

test('many are asked for in batches, and a later run goes on where one ended', async () => {
  await sql`update users set digest_sent_at = ${new Date(app.clock.now())}`.execute(app.ctx.db)
  app.mails.length = 0
  await sql`
    with made as (
      insert into accounts (id, username) select 1000 + n, 'away' || n from generate_series(1, 230) n returning id, username),
    logins as (
      insert into users (id, account_id, email, email_canonical, password_hash, confirmed_at, last_active_at)
      select id, id, username || '@mail.example', username || '@mail.example', '!', now(), ${new Date(app.clock.now() - days(8))} from made)
    insert into notifications (account_id, from_account_id, type, group_key, created_at)
    select id, ${bob.accountId}, 'follow', 'x', ${new Date(app.clock.now())} from made`.execute(app.ctx.db)
  await sql`update users set digest_sent_at = ${new Date(app.clock.now())} where id between 1001 and 1100`.execute(
    app.ctx.db,
  )
  await askForDigests(app.ctx)
  await askForDigests(app.ctx)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from outbox where event -> 'mail' ->> 'kind' = 'digest'`.execute(app.ctx.db)
  expect(rows[0]?.n).toBe(130)
})
