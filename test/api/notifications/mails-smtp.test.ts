// Mails as a mail server gets them, over a real connection.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { createSmtpMailer } from '#adapters/smtp/mailer.ts'
import type { Mail, Mailer } from '#ports/mailer.ts'
import { useApp } from '#test/app/app.ts'
import { freshDatabase } from '#test/app/databases.ts'
import { startLiveApp } from '#test/app/live-app.ts'
import { setLocale, settleMails } from '#test/app/mails.ts'
import type { Person } from '#test/people/people.ts'
import { startSmtpSink, type SmtpSink } from '#test/servers/smtp-sink.ts'

let sink: SmtpSink
let smtp: Mailer
beforeAll(async () => {
  sink = await startSmtpSink()
  smtp = createSmtpMailer(sink.smtp)
})
afterAll(() => sink.close())

const app = useApp({ mailer: { send: (mail) => smtp.send(mail) } })
let alice: Person
let bob: Person

beforeEach(async () => {
  ;[alice, bob] = [await app.person('alice'), await app.person('bob')]
  sink.mails.length = 0
})

/** Lets failed jobs be tried again at once. */
async function tryAgain(): Promise<void> {
  await sql`select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), run_at := now())`.execute(
    app.ctx.db,
  )
  await app.settle()
}

const resets = (person: Person) =>
  app.ctx.transaction((tx) => tx.emit({ type: 'password-reset.asked', email: person.email }))

describe('over SMTP', () => {
  test.each([
    ['en', 'mentioned you', 'Read and answer', 'No more mails like this'],
    ['de', 'hat dich erwähnt', 'Lesen und antworten', 'Keine solchen Mails mehr'],
  ])('news arrive with their headers and both forms, in %s', async (locale, did, answer, stop) => {
    await setLocale(app, alice, locale)
    const post = await bob.say(`@${alice.username} Grüße <3 & 🐦`)
    await settleMails(app)
    const [mail, ...more] = sink.mails
    expect(more).toEqual([])
    expect(mail?.to).toEqual([alice.email])
    expect(mail?.headers).toMatchObject({
      'auto-submitted': 'auto-generated',
      precedence: 'list',
      'content-language': locale,
      'list-id': `<mention.${alice.username}.chat.example>`,
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'message-id': expect.stringMatching(/^<notification\.\d+@chat\.example>$/),
      references: mail?.headers['in-reply-to'],
    })
    expect(mail?.headers['list-unsubscribe']).toMatch(
      /^<https:\/\/chat\.example\/unsubscribe\?token=\d+\.[\w-]{43}&type=mention>$/,
    )
    const { 'text/plain': plain, 'text/html': html } = mail!.parts
    for (const words of [did, answer, stop, `https://chat.example/@${bob.username}/${post.id}`]) {
      expect(plain).toContain(words)
      expect(html).toContain(words)
    }
    expect(plain).toContain('Grüße <3 & 🐦')
    expect(html).toContain('Grüße &lt;3 &amp; 🐦')
    expect(html).toContain(`<html lang="${locale}">`)
  })

  test('mails about the account are no list', async () => {
    await resets(alice)
    await app.settle()
    const [mail] = sink.mails
    expect(Object.keys(mail?.headers ?? {}).filter((name) => /^(list-|precedence)/.test(name))).toEqual([])
    expect(mail?.headers['message-id']).toMatch(/^<reset\.\d+\.\d+@chat\.example>$/)
  })

  test('what fails is tried again, as the same mail; the request was answered long before', async () => {
    sink.refusals.push({ code: 451, message: 'later' }, { code: 550, message: 'no such user' })
    await resets(alice)
    for (let i = 0; i < 2; i += 1) {
      await (i === 0 ? app.settle() : tryAgain())
      expect(sink.mails).toEqual([])
    }
    await tryAgain()
    expect(sink.mails.map((mail) => mail.to)).toEqual([[alice.email]])
    await tryAgain()
    expect(sink.mails).toHaveLength(1)
  })

  test('news that a mailbox refuses for good are not tried again', async () => {
    sink.refusals.push({ code: 550, message: 'no such user' })
    await bob.say(`@${alice.username} hello`)
    await settleMails(app)
    await tryAgain()
    expect([sink.mails, sink.refusals]).toEqual([[], []])
    expect(app.logLines.some((line) => JSON.stringify(line).includes('refused for good'))).toBe(true)
  })
})

test('a mail server that hangs keeps other jobs from nothing, and what waits goes out quickly then [ROB-10]', async () => {
  const database = await freshDatabase()
  const hanging = Promise.withResolvers<void>()
  const sent: string[] = []
  const onMail = async (mail: Mail) => {
    sent.push(mail.to)
    await hanging.promise
  }
  const live = await startLiveApp({ databaseUrl: database.url, onMail })
  try {
    const { userId } = await live.person('reader')
    const wanted = Array.from({ length: 30 }, (_, index) => `reader${index}@mail.example`)
    await live.ctx.transaction(async (tx) => {
      for (const to of wanted)
        await tx.emit({ type: 'mail.requested', mail: { kind: 'password-changed', userId: userId, to } })
    })
    const jobs = async (task: string) =>
      (await sql`select 1 from graphile_worker.jobs where task_identifier = ${task}`.execute(live.ctx.db))
        .rows.length
    await expect.poll(() => jobs('effect')).toBe(wanted.length)
    await expect.poll(() => sent.length).toBe(1)
    await live.ctx.jobs.add('close-polls', {})
    await expect.poll(() => jobs('close-polls')).toBe(0)
    expect(sent).toHaveLength(1)
    hanging.resolve()
    // Polled for alone, each would wait for seconds.
    await expect.poll(() => sent.toSorted()).toEqual(wanted.toSorted())
  } finally {
    hanging.resolve()
    await live.close()
    await database.drop()
  }
})
