// The pages on which people see what staff decided about them, and object.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Client } from '#test/client/client.ts'
import { mailsTo, setLocale } from '#test/app/mails.ts'
import type { Person } from '#test/people/people.ts'
import { newBrowser, personWithPassword, signedIn } from '#test/people/sign-in.ts'

const app = useApp()
const path = '/disputes/strikes'
const day = 86_400_000

const staff = () => app.person('staff', { role: 'Admin' })
const act = async (by: Client, target: Person, params: Record<string, unknown>) =>
  (await by.post(`/api/v1/admin/accounts/${target.accountId}/action`, params)).ok()

/** The link of the newest mail about a decision. */
function linkOf(person: Person): string {
  const text = mailsTo(app, person).findLast((mail) => mail.text.includes(path))?.text ?? ''
  const [link] = /http\S+\/disputes\/strikes\/\S+/.exec(text) ?? []
  const url = new URL(link as string)
  return url.pathname + url.search
}

describe('whoever is signed in', () => {
  test('sees the decisions about them, with words, rules and posts, and nobody’s name', async () => {
    const admin = await staff()
    const [alice, bob] = [await personWithPassword(app, 'alice'), await app.person('bob')]
    const rule = app.ctx.newId()
    await sql`insert into rules (id, text, translations)
      values (${rule}, 'Be kind', '{"de": {"text": "Sei nett", "hint": ""}}')`.execute(app.ctx.db)
    const { id } = await alice.say('<b>rude</b> words', { spoiler_text: 'ahem' })
    const reported = { account_id: alice.accountId, status_ids: [id], rule_ids: [rule], comment: 'bob says' }
    const report_id = (await bob.post('/api/v1/reports', reported)).ok().id
    await act(admin, alice, { type: 'none', text: 'Not <i>so</i>,\nplease', report_id })
    await act(admin, alice, { type: 'silence' })
    const browser = await signedIn(app, alice)
    const list = await browser.get(path)
    expect(list.status).toBe(200)
    for (const words of ['Warning', 'Account limited', `@${alice.username}`])
      expect(list.text).toContain(words)
    const [, second = ''] = list.text.match(/\/disputes\/strikes\/\d+/g) ?? []
    const shown = await browser.get(second)
    expect(shown.text).toContain('Not &lt;i&gt;so&lt;/i&gt;,\nplease')
    for (const words of ['Be kind', 'ahem', '&lt;b&gt;rude&lt;/b&gt; words'])
      expect(shown.text).toContain(words)
    for (const secret of [admin.username, bob.username, 'bob says'])
      expect(shown.text + list.text).not.toContain(secret)
    const german = await browser.get(second, { 'accept-language': 'de' })
    for (const words of ['Verwarnung', 'Sei nett', 'Widersprechen']) expect(german.text).toContain(words)
  })

  test('objects there, once', async () => {
    const [admin, alice] = [await staff(), await personWithPassword(app, 'alice')]
    await act(admin, alice, { type: 'silence' })
    const browser = await signedIn(app, alice)
    const [strike = ''] = (await browser.get(path)).text.match(/\/disputes\/strikes\/\d+/) ?? []
    const form = (await browser.get(strike)).form(`${strike}/appeal`)
    const empty = await browser.submit(form, { text: ' ' })
    expect([empty.status, empty.text.includes('Say why')]).toEqual([422, true])
    const long = await browser.submit(form, { text: `${'x'.repeat(2001)}<` })
    expect(long.status).toBe(422)
    expect(long.text).toContain('x&lt;</textarea')
    const sent = await browser.submit(form, { text: 'I was <kind>' })
    expect([sent.status, sent.location]).toEqual([303, strike])
    const shown = await browser.get(strike)
    expect(shown.text).toContain('I was &lt;kind&gt;')
    expect(shown.text).toContain('not decided')
    expect(shown.forms.map((one) => one.action)).not.toContain(`${strike}/appeal`)
    expect((await browser.get(path)).text).toContain('Objection waits')
    const again = await browser.submit(form, { text: 'again' })
    expect(again.status).toBe(422)
    expect((await alice.get('/api/v1/strikes')).ok()[0].appeal.text).toBe('I was <kind>')
  })

  test('does not see those of others, nor objects for them [ACC-7]', async () => {
    const admin = await staff()
    const [alice, bob] = [await app.person('alice'), await personWithPassword(app, 'bob')]
    await act(admin, alice, { type: 'none', text: 'secret words' })
    await act(admin, bob, { type: 'none' })
    const [{ id }] = (await alice.get('/api/v1/strikes')).ok()
    const browser = await signedIn(app, bob)
    const own = (await browser.get(path)).text.match(/\/disputes\/strikes\/\d+/)?.[0] ?? ''
    const form = (await browser.get(own)).form(`${own}/appeal`)
    for (const target of [`${path}/${id}`, `${path}/99`, `${path}/99999999999999999999`]) {
      const page = await browser.get(target)
      expect([page.status, page.text.includes('secret words')]).toEqual([404, false])
      const sent = await browser.post(`${target}/appeal`, { ...form.fields, text: 'x' })
      expect(sent.status).toBe(404)
    }
    expect((await alice.get(`/api/v1/strikes/${id}`)).ok().appeal).toBeNull()
  })

  test('has to come from the form', async () => {
    const [admin, alice] = [await staff(), await personWithPassword(app, 'alice')]
    await act(admin, alice, { type: 'none' })
    const [{ id }] = (await alice.get('/api/v1/strikes')).ok()
    const browser = await signedIn(app, alice)
    expect((await browser.post(`${path}/${id}/appeal`, { text: 'x' })).status).toBe(422)
    expect((await alice.get(`/api/v1/strikes/${id}`)).ok().appeal).toBeNull()
  })
})

describe('a stranger', () => {
  test('is sent to sign in, and back', async () => {
    const browser = newBrowser(app)
    for (const target of [path, `${path}/12`]) {
      const seen = await browser.get(target)
      expect(seen.status).toBe(302)
      expect(seen.location).toBe(`/auth/sign_in?${new URLSearchParams({ return_to: target })}`)
    }
  })
})

describe('the link of the mail', () => {
  test.each(['suspend', 'disable'])('lets who cannot sign in see a %s and object', async (type) => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    const { id } = await alice.say('my words')
    const reported = { account_id: alice.accountId, status_ids: [id] }
    const report_id = (await (await app.person('bob')).post('/api/v1/reports', reported)).ok().id
    await act(admin, alice, { type, text: 'Enough', report_id })
    await app.settle()
    const browser = newBrowser(app)
    const link = linkOf(alice)
    const page = await browser.get(link)
    expect(page.status).toBe(200)
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    for (const words of ['Enough', 'my words']) expect(page.text).toContain(words)
    expect(page.text).not.toContain(admin.username)
    const action = `${new URL(link, app.baseUrl).pathname}/appeal`
    const sent = await browser.submit(page.form(action), { text: 'Not enough' })
    expect([sent.status, sent.location]).toEqual([303, link])
    expect((await browser.get(link)).text).toContain('Not enough')
    // It opens this strike alone, and no session.
    expect((await browser.get(path)).status).toBe(302)
    expect((await browser.get('/settings/export')).status).toBe(302)
  })

  test('is in the language of the mail', async () => {
    const [admin, alice] = [await staff(), await app.person('alice')]
    await setLocale(app, alice, 'de')
    await act(admin, alice, { type: 'silence' })
    await app.settle()
    expect(mailsTo(app, alice).at(-1)?.text).toContain('widersprechen')
    expect(linkOf(alice)).toContain('?token=')
  })

  test('opens nothing else, and ends when it is too late to object', async () => {
    const admin = await staff()
    const [alice, bob] = [await app.person('alice'), await app.person('bob')]
    await act(admin, alice, { type: 'none', text: 'to alice' })
    await act(admin, bob, { type: 'none', text: 'to bob' })
    await app.settle()
    const browser = newBrowser(app)
    const [own, other] = [linkOf(alice), linkOf(bob)]
    const token = new URL(own, app.baseUrl).searchParams.get('token') as string
    const remote = new URL(other, app.baseUrl).pathname
    for (const wrong of [token, `${token}x`, remote.split('/').at(-1) as string]) {
      const seen = await browser.get(`${remote}?${new URLSearchParams({ token: wrong })}`)
      expect([seen.status, seen.text.includes('to bob')]).toEqual([302, false])
    }
    const form = (await browser.get(own)).form(`${new URL(own, app.baseUrl).pathname}/appeal`)
    app.clock.advance(20 * day)
    expect((await browser.get(own)).status).toBe(302)
    expect((await browser.submit(form, { text: 'late' })).status).toBe(302)
    expect((await alice.get('/api/v1/strikes')).ok()[0].appeal).toBeNull()
  })
})
