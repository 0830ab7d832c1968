// Mails about notifications, while somebody is not here.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { days, hours } from '#test/app/clock.ts'
import { mailsTo, setLocale, setMails, settleMails } from '#test/app/mails.ts'
import type { Person } from '#test/people/people.ts'
import { remoteAccount } from '#test/people/remote-account.ts'

const app = useApp()
let alice: Person
let bob: Person

beforeEach(async () => {
  ;[alice, bob] = [await app.person('alice'), await app.person('bob')]
  app.mails.length = 0
})

const subjectsTo = (person: Person) => mailsTo(app, person).map((mail) => mail.subject)

describe('mails about notifications', () => {
  test('tell of a mention, with the post and where to answer', async () => {
    const post = await bob.say(`Hello @${alice.username}\nhow <b>are</b> you?`)
    await settleMails(app)
    const [mail, ...more] = mailsTo(app, alice)
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`\u2068@${bob.username}\u2069 mentioned you on chat.example`)
    expect(mail?.text).toContain(`> Hello @${alice.username}\n> how <b>are</b> you?`)
    expect(mail?.text).toContain(`https://chat.example/@${bob.username}/${post.id}`)
    expect(mail?.html).toContain('how &lt;b&gt;are&lt;/b&gt; you?')
  })

  test('belong to a list of their own, and to the conversation', async () => {
    const post = await bob.say(`@${alice.username} hello`)
    await bob.say(`@${alice.username} and more`, { in_reply_to_id: post.id })
    await settleMails(app)
    const mails = mailsTo(app, alice)
    expect(mails).toHaveLength(2)
    expect(mails[0]?.headers).toMatchObject({
      'List-ID': `<mention.${alice.username}.chat.example>`,
      'List-Unsubscribe': expect.stringMatching(
        /^<https:\/\/chat\.example\/unsubscribe\?token=[\w.-]+&type=mention>$/,
      ),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      Precedence: 'list',
      'Message-ID': expect.stringMatching(/^<notification\.\d+@chat\.example>$/),
      'In-Reply-To': expect.stringMatching(/^<conversation\.\d+@chat\.example>$/),
    })
    expect(mails[1]?.headers?.['In-Reply-To']).toBe(mails[0]?.headers?.['In-Reply-To'])
    expect(mails[1]?.headers?.['Message-ID']).not.toBe(mails[0]?.headers?.['Message-ID'])
  })

  test('tell of followers, requests and quotes; of boosts and favourites where that was asked for', async () => {
    const carol = await app.person('carol')
    const post = await alice.say('quiet')
    app.clock.advance(hours(3))
    await sql`update accounts set locked = true, version = version + 1 where id = ${carol.accountId}`.execute(
      app.ctx.db,
    )
    await bob.follow(alice)
    await bob.follow(carol)
    await bob.say('look', { quoted_status_id: post.id })
    await bob.post(`/api/v1/statuses/${post.id}/favourite`)
    await bob.post(`/api/v1/statuses/${post.id}/reblog`)
    await settleMails(app)
    const name = `\u2068@${bob.username}\u2069`
    expect(subjectsTo(carol)).toEqual([`${name} asks to follow you on chat.example`])
    expect(subjectsTo(alice).toSorted()).toEqual([
      `${name} follows you now on chat.example`,
      `${name} quoted your post on chat.example`,
    ])
    await setMails(app, alice, { favourite: true, reblog: true, mention: false })
    const other = await app.person('other')
    await other.post(`/api/v1/statuses/${post.id}/favourite`)
    await other.post(`/api/v1/statuses/${post.id}/reblog`)
    await other.say(`@${alice.username} not this`)
    app.mails.length = 0
    await settleMails(app)
    expect(
      subjectsTo(alice)
        .map((subject) => subject.split('\u2069 ')[1])
        .toSorted(),
    ).toEqual(['boosted your post on chat.example', 'likes your post on chat.example'])
  })

  test('are in the reader’s language, with a warning in place of the text', async () => {
    await setLocale(app, alice, 'de-CH')
    await bob.say(`@${alice.username} geheim`, { spoiler_text: 'Ende <i>des</i> Films' })
    await settleMails(app)
    const [mail] = mailsTo(app, alice)
    expect(mail?.subject).toBe(`\u2068@${bob.username}\u2069 hat dich erwähnt (chat.example)`)
    expect(mail?.text).toContain('> [Inhaltswarnung: \u2068Ende <i>des</i> Films\u2069]')
    expect(mail?.text + mail!.html).not.toContain('geheim')
    expect(mail?.html).toContain('Ende &lt;i&gt;des&lt;/i&gt; Films')
    expect(mail?.headers?.['Content-Language']).toBe('de')
  })

  test('keep names of others from becoming headers, markup or lines [CNT-9]', async () => {
    const stranger = await remoteAccount(app.ctx)
    const name = 'Eve\r\nBcc: x@y.example\u202E<script>alert(1)</script>'
    await sql`update accounts set display_name = ${name} where id = ${stranger.accountId}`.execute(app.ctx.db)
    await sql`insert into follows (id, account_id, target_account_id)
      values (${app.ctx.newId()}, ${stranger.accountId}, ${alice.accountId})`.execute(app.ctx.db)
    await app.ctx.transaction((tx) =>
      tx.emit({ type: 'follow.created', accountId: stranger.accountId, targetAccountId: alice.accountId }),
    )
    await settleMails(app)
    const [mail] = mailsTo(app, alice)
    expect(mail?.text).toContain('\u2068Eve Bcc: x@y.example<script>alert(1)</script>\u2069')
    expect(mail?.html).toContain('&lt;script&gt;')
    expect(mail?.html).not.toContain('<script')
    expect(JSON.stringify([mail?.subject, mail?.headers])).not.toMatch(/[\r\n\u202E]|\\r|\\n/)
  })
})

describe('no mail about a notification', () => {
  const mention = () => bob.say(`@${alice.username} hello`)

  test('goes to who is here, or has been within the hour', async () => {
    await alice.get('/api/v1/accounts/verify_credentials')
    await mention()
    await settleMails(app)
    expect(subjectsTo(alice)).toEqual([])
    app.clock.advance(hours(2))
    await mention()
    await settleMails(app)
    expect(subjectsTo(alice)).toHaveLength(1)
  })

  test('goes to who hears by push, unless they want both', async () => {
    const { rows } = await sql<{ id: string }>`
      select id from oauth_tokens where user_id = ${alice.userId}`.execute(app.ctx.db)
    await sql`insert into web_push_subscriptions (id, token_id, account_id, endpoint, key_p256dh, key_auth, token_sealed)
      values (${app.ctx.newId()}, ${rows[0]!.id}, ${alice.accountId}, 'https://push.example/', '', '', '')`.execute(
      app.ctx.db,
    )
    // A push service that does not exist is not to be asked.
    await sql`update web_push_subscriptions set alerts = '{"mention": false}'`.execute(app.ctx.db)
    await mention()
    await settleMails(app)
    expect(subjectsTo(alice)).toEqual([])
    await setMails(app, alice, {}, { always_send_emails: true })
    await mention()
    await settleMails(app)
    expect(subjectsTo(alice)).toHaveLength(1)
  })

  test('goes out once it has been read, or the post is gone', async () => {
    await mention()
    await app.settle()
    const gone = await mention()
    await app.settle()
    const { rows } = await sql<{ id: string }>`
      select min(id) as id from notifications where account_id = ${alice.accountId}`.execute(app.ctx.db)
    await sql`insert into markers (account_id, timeline, last_read_id, version, updated_at)
      values (${alice.accountId}, 'notifications', ${rows[0]!.id}, 1, now())`.execute(app.ctx.db)
    await bob.delete(`/api/v1/statuses/${gone.id}`)
    await settleMails(app)
    expect(subjectsTo(alice)).toEqual([])
  })

  test.each(['disabled', 'unconfirmed', 'suspended'])('goes to somebody %s', async (state) => {
    await mention()
    await app.settle()
    const change = {
      disabled: sql`update users set disabled = true where id = ${alice.userId}`,
      unconfirmed: sql`update users set confirmed_at = null where id = ${alice.userId}`,
      suspended: sql`update accounts set suspended_at = now() where id = ${alice.accountId}`,
    }[state]
    await change?.execute(app.ctx.db)
    await settleMails(app)
    expect(subjectsTo(alice)).toEqual([])
  })

  test('goes to who mutes the author', async () => {
    await alice.post(`/api/v1/accounts/${bob.accountId}/mute`)
    app.clock.advance(hours(3))
    await mention()
    await settleMails(app)
    expect(subjectsTo(alice)).toEqual([])
  })

  test('comes after thirty in a day', async () => {
    for (let i = 0; i < 32; i += 1) await bob.say(`@${alice.username} ${i}`)
    await settleMails(app)
    expect(subjectsTo(alice)).toHaveLength(30)
  })

  test('costs a query where nothing is to be mailed', async () => {
    const post = await alice.say('popular')
    app.clock.advance(days(1))
    await bob.post(`/api/v1/statuses/${post.id}/favourite`)
    const statements = await app.countQueries(() => app.settle())
    expect(statements.filter((text) => text.includes('notification_emails'))).toHaveLength(1)
    expect(statements.filter((text) => text.includes("'mail-notification'"))).toEqual([])
  })
})
