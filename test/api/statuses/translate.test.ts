import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import type { Json } from '#test/client/client.ts'
import type { Person } from '#test/people/people.ts'
import { shout, startTranslationServer } from '#test/servers/translation-server.ts'
import { asId, type AccountId, type MediaId, type StatusId } from '#lib/id.ts'

const service = await startTranslationServer()
const app = useApp({ env: { LIBRE_TRANSLATE_ENDPOINT: service.endpoint } })
const plain = useApp()

afterAll(() => service.close())
beforeEach(() => {
  Object.assign(service, { status: null, answer: null, translate: shout })
  service.asked.length = 0
})

const translate = (person: Pick<Person, 'post'>, id: string, lang?: string) =>
  person.post(`/api/v1/statuses/${id}/translate`, lang === undefined ? {} : { lang })

describe('translating a status', () => {
  test('text and warning come in the wanted language, cleaned, with names and emoji as they were', async () => {
    const alice = await app.person('alice')
    const posted = await alice.say(
      `grüße @${alice.username} :blob_cat: https://example.com/x #tag <i>\n\nende`,
      {
        language: 'de',
        spoiler_text: 'achtung & :blob_cat:',
      },
    )
    const bob = await app.person('bob')
    const translated = (await translate(bob, posted.id, 'en')).ok()
    expect(translated).toEqual({
      content: expect.stringContaining('GRÜSSE '),
      spoiler_text: 'ACHTUNG & :blob_cat:',
      poll: null,
      media_attachments: [],
      language: 'en',
      detected_source_language: 'de',
      provider: 'LibreTranslate',
    })
    expect(translated.content).toContain('> :blob_cat: <a href="https://example.com/x"')
    expect(translated.content).toContain('&lt;I&gt;</p><p>ENDE</p>')
    expect(translated.content).not.toContain('<span translate="no">')
    expect(service.asked[0]?.body).toMatchObject({ source: 'de', target: 'en', format: 'html' })
    expect(service.asked[0]?.body.q[0]).toContain('<span translate="no">:blob_cat:</span>')
    expect(service.asked[0]?.body.q[1]).toBe('achtung &amp; <span translate="no">:blob_cat:</span>')
  })

  test('options of a poll and descriptions of media are translated too', async () => {
    const alice = await app.person('alice')
    const asked = await alice.say('frage', {
      language: 'de',
      poll: { options: ['ja <3', 'nein'], expires_in: 3600 },
    })
    expect((await translate(alice, asked.id)).ok().poll).toEqual({
      id: asked.poll.id,
      options: [{ title: 'JA <3' }, { title: 'NEIN' }],
    })
    const shown = await alice.say('bilder', { language: 'de' })
    const ids = await attachMedia(asId<StatusId>(shown.id), alice.accountId, ['eine\nkatze', ''])
    expect((await translate(alice, shown.id)).ok().media_attachments).toEqual([
      { id: ids[0], description: 'EINE\nKATZE' },
      { id: ids[1], description: '' },
    ])
    expect(service.asked.at(-1)?.body.q).toEqual(['<p>bilder</p>', 'eine<br>katze'])
  })

  test('without a language it is the one of the user, or English', async () => {
    const alice = await app.person('alice')
    const posted = await alice.say('hallo', { language: 'de' })
    expect((await translate(alice, posted.id)).ok().language).toBe('en')
    const application = await app.application(['read:statuses'])
    expect((await translate(application, posted.id)).ok()).toMatchObject({
      language: 'en',
      content: '<p>HALLO</p>',
    })
  })

  test('a boost is what it boosts', async () => {
    const alice = await app.person('alice')
    const posted = await alice.say('hallo', { language: 'de' })
    const boost = (await alice.post(`/api/v1/statuses/${posted.id}/reblog`)).ok()
    expect((await translate(alice, boost.id)).ok().content).toBe('<p>HALLO</p>')
  })

  test('unlisted statuses and regional languages work', async () => {
    const alice = await app.person('alice')
    const posted = await alice.say('hello', { language: 'en', visibility: 'unlisted' })
    expect((await translate(alice, posted.id, 'de-AT')).ok().language).toBe('de')
    expect((await translate(alice, posted.id, 'zh-CN')).ok().language).toBe('zh-CN')
    expect(service.asked.map(({ body }) => body.target)).toEqual(['de', 'zh-Hans'])
  })

  test('a translation is kept for a day, for everybody, until the status changes', async () => {
    const alice = await app.person('alice')
    const posted = await alice.say('hallo', { language: 'de' })
    await translate(alice, posted.id, 'en')
    await translate(await app.person('bob'), posted.id, 'en-GB')
    expect(service.asked).toHaveLength(1)
    await app.ctx.db
      .updateTable('statuses')
      .set((expression) => ({ content: '<p>neu</p>', version: expression('version', '+', 1) }))
      .where('id', '=', asId<StatusId>(posted.id))
      .execute()
    expect((await translate(alice, posted.id, 'en')).ok().content).toBe('<p>NEU</p>')
    app.clock.advance(24 * 3600 * 1000)
    await translate(alice, posted.id, 'en')
    expect(service.asked).toHaveLength(3)
  })
})

test('what the service answers is cleaned like a post [CNT-5]', async () => {
  const alice = await app.person('alice')
  const posted = await alice.say('hallo', {
    language: 'de',
    spoiler_text: 'achtung',
    poll: { options: ['ja', 'nein'], expires_in: 3600 },
  })
  service.translate = (text) =>
    `${text}<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:x" onclick="y">z</a><b>&lt;u&gt;`
  const translated = (await translate(alice, posted.id)).ok()
  expect(translated.content).toBe('<p>hallo</p>z<b>&lt;u&gt;</b>')
  expect(translated.spoiler_text).toBe('achtungz<u>')
  expect(translated.poll.options).toEqual([{ title: 'jaz<u>' }, { title: 'neinz<u>' }])
})

describe('what is refused', () => {
  test('statuses for fewer people, even their own author [403]', async () => {
    const alice = await app.person('alice')
    for (const visibility of ['private', 'direct']) {
      const posted = await alice.say('geheim', { language: 'de', visibility })
      const answer = await translate(alice, posted.id)
      expect([answer.status, answer.body]).toEqual([403, { error: 'This action is not allowed' }])
    }
    expect(service.asked).toEqual([])
  })

  test('languages that are not translated', async () => {
    const alice = await app.person('alice')
    const german = await alice.say('hallo', { language: 'de' })
    const welsh = await alice.say('bore da', { language: 'cy' })
    const refused: [Json, string][] = [
      [german, 'fr'],
      [german, 'de'],
      [german, 'xx-nonsense'],
      [welsh, 'en'],
    ]
    for (const [status, lang] of refused) expect((await translate(alice, status.id, lang)).status).toBe(403)
    expect(service.asked).toEqual([])
  })

  test('statuses that one may not see are not found [ACC-1]', async () => {
    const alice = await app.person('alice')
    const bob = await app.person('bob')
    const hidden = await alice.say('geheim', { language: 'de', visibility: 'private' })
    const open = await alice.say('offen', { language: 'de' })
    await alice.post(`/api/v1/accounts/${bob.accountId}/block`)
    const strangers = [await app.person('carol'), bob, await app.application(['read'])]
    for (const person of strangers) expect((await translate(person, hidden.id)).status).toBe(404)
    // What was translated for others is no way around it.
    await translate(alice, open.id)
    expect((await translate(bob, open.id)).status).toBe(404)
    expect((await translate(bob, '1')).status).toBe(404)
    await bob.follow(await app.person('dora'))
    expect(service.asked).toHaveLength(1)
  })

  test('an ex-follower is not found out either [ACC-1]', async () => {
    const alice = await app.person('alice')
    const bob = await app.person('bob')
    await bob.follow(alice)
    const posted = await alice.say('geheim', { language: 'de', visibility: 'private' })
    expect((await translate(bob, posted.id)).status).toBe(403)
    await bob.post(`/api/v1/accounts/${alice.accountId}/unfollow`)
    expect((await translate(bob, posted.id)).status).toBe(404)
  })

  test('no token, and one without the scope', async () => {
    const alice = await app.person('alice')
    const posted = await alice.say('hallo', { language: 'de' })
    expect((await translate(app.anonymous, posted.id)).status).toBe(401)
    const other = await app.withScopes(alice, ['read:accounts', 'write'])
    expect((await translate(other, posted.id)).status).toBe(403)
  })
})

describe('a service that fails', () => {
  test('is a temporary problem, and nothing is kept of it', async () => {
    const alice = await app.person('alice')
    const posted = await alice.say('hallo', { language: 'de' })
    for (const [status, error] of [
      [500, 'There was a temporary problem serving your request, please try again'],
      [429, 'The translation service gets too many requests just now'],
      [403, 'The translation service has been used as much as this server may'],
    ] as const) {
      service.status = status
      const answer = await translate(alice, posted.id)
      expect([answer.status, answer.body]).toEqual([503, { error }])
    }
    service.status = null
    service.answer = '<html>'
    expect((await translate(alice, posted.id)).status).toBe(503)
    service.answer = null
    expect((await translate(alice, posted.id)).ok().content).toBe('<p>HALLO</p>')
  })
})

describe('the instance tells', () => {
  test('which languages are translated', async () => {
    const pairs = (await app.anonymous.get('/api/v1/instance/translation_languages')).ok()
    expect(pairs).toEqual({
      en: ['de', 'fr', 'zh-CN'],
      de: ['en'],
      'pt-BR': ['en'],
      'zh-CN': ['en'],
      und: ['de', 'en', 'fr', 'zh-CN'],
    })
    const { configuration } = (await app.anonymous.get('/api/v2/instance')).ok()
    expect(configuration.translation).toEqual({ enabled: true })
  })

  test('that nothing is, without a service', async () => {
    expect((await plain.anonymous.get('/api/v1/instance/translation_languages')).ok()).toEqual({})
    const { configuration } = (await plain.anonymous.get('/api/v2/instance')).ok()
    expect(configuration.translation).toEqual({ enabled: false })
    const alice = await plain.person('alice')
    const posted = await alice.say('hallo', { language: 'de' })
    expect((await translate(alice, posted.id)).status).toBe(403)
  })
})

/** Attachments as an upload leaves them. */
async function attachMedia(
  statusId: StatusId,
  accountId: AccountId,
  descriptions: string[],
): Promise<string[]> {
  const ids = descriptions.map(() => app.ctx.newId<MediaId>())
  for (const [index, id] of ids.entries()) {
    await app.ctx.db
      .insertInto('media_attachments')
      .values({
        id,
        account_id: accountId,
        status_id: statusId,
        type: 'image',
        description: descriptions[index],
      })
      .execute()
  }
  await app.ctx.db.updateTable('statuses').set({ media_ids: ids }).where('id', '=', statusId).execute()
  return ids
}
