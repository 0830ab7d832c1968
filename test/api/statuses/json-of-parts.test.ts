// Statuses are written from the JSON of their parts: it has to be theirs.
import { expect, test } from 'vitest'
import { toJson } from '#lib/json/json-text.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { viewStatuses } from '#views/content/statuses.ts'
import { useApp } from '#test/app/app.ts'
import { insertCard, insertMedia } from '#test/people/status-parts.ts'

const app = useApp()

/** What only some statuses have. */
const rare = ['interaction_policy', 'card', 'reactions', 'tagged_collections', 'pinned', 'filtered']

test('what is sent of statuses of all kinds says the same as the objects, to everybody', async () => {
  await setSetting(app.ctx, 'emoji_reactions', true)
  const [alice, bob] = [await app.person('alice'), await app.person('bob')]
  const plain = await alice.say('"quoted" \\ words  #tag', { spoiler_text: 'care', sensitive: true })
  const media = await alice.say('media', { media_ids: [await insertMedia(app.ctx, alice)] })
  const asked = await alice.say('which?', { poll: { options: ['tea', 'milk'], expires_in: 3600 } })
  const answer = await bob.say(`@${alice.username} an answer`, { in_reply_to_id: plain.id })
  const quote = await bob.say('look', { quoted_status_id: asked.id })
  const further = await alice.say('look there', { quoted_status_id: quote.id })
  await insertCard(app.ctx, answer.id, { url: 'https://news.example/1', title: 'News </script>' })
  const limited = await alice.say('for some', { reply_approval_policy: 'followers' })
  const linked = await bob.say('I wrote this')
  const byAlice = { url: 'https://news.example/2', title: 'By her', author_account_id: alice.accountId }
  await insertCard(app.ctx, linked.id, byAlice)
  const { collection } = (await alice.post('/api/v1/collections', { name: 'Good people' })).ok()
  const named = await alice.say(`see ${collection.url}`)
  ;(await alice.post(`/api/v1/statuses/${named.id}/pin`)).ok()
  const boost = (await bob.post(`/api/v1/statuses/${media.id}/reblog`)).ok()
  ;(await bob.post(`/api/v1/statuses/${plain.id}/favourite`)).ok()
  ;(await bob.put(`/api/v1/pleroma/statuses/${plain.id}/reactions/${encodeURIComponent('👍')}`)).ok()
  const filter = { title: 'words', context: ['home'], keywords_attributes: [{ keyword: 'words' }] }
  ;(await bob.post('/api/v2/filters', filter)).ok()
  await app.settle()
  const all = [plain, media, asked, answer, quote, further, limited, linked, named, boost]
  const ids = all.map(({ id }) => id)
  const people = await Promise.all(
    [alice, bob].map(({ accountId }) => findViewer(app.ctx, accountId as never)),
  )
  const seen = new Set<string>()
  for (const viewer of [null, ...people]) {
    const views = await viewStatuses(app.ctx, viewer, ids as never)
    expect(views.length).toBe(ids.length)
    const parsed = (text: string) => JSON.parse(text) as unknown
    const written = (value: unknown) => Buffer.from(toJson(value)).toString()
    const sent = (value: unknown) => parsed(written(value))
    const before = written(views)
    expect(parsed(before)).toEqual(parsed(JSON.stringify(views)))
    // Somebody has looked at all of them now: nothing is written twice.
    expect(written(views)).toBe(before)
    expect(sent({ ancestors: views, descendants: [] })).toEqual(
      parsed(JSON.stringify({ ancestors: views, descendants: [] })),
    )
    for (const status of sent(views) as object[]) for (const key of Object.keys(status)) seen.add(key)
  }
  expect([...seen]).toEqual(expect.arrayContaining(rare))
})
