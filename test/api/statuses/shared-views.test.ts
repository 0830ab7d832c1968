// A status is rendered once for all who did nothing to it: nobody may get what is another's, nor what is no longer so.
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { toJsonText } from '#lib/json/json-text.ts'
import { setSetting } from '#domain/server/instance/settings.ts'
import { findViewer } from '#domain/identity/oauth/find-viewer.ts'
import { viewStatuses } from '#views/content/statuses.ts'
import { useApp } from '#test/app/app.ts'
import type { Person } from '#test/people/people.ts'

const app = useApp()

let people: Person[]
let ids: string[]

beforeAll(async () => {
  people = [await app.person('alice'), await app.person('bob'), await app.person('carol')]
})

/** Posts that nobody has done anything to. */
async function write(): Promise<void> {
  const [alice, bob] = people as [Person, Person]
  const plain = await alice.say('plain words')
  const open = await bob.say('with more words', { sensitive: true, spoiler_text: 'care' })
  const boost = (await bob.post(`/api/v1/statuses/${plain.id}/reblog`)).ok() as { id: string }
  ids = [plain.id, open.id, boost.id]
}

type Deed = (who: Person, id: string) => Promise<unknown>
const act =
  (name: string): Deed =>
  (who, id) =>
    who.post(`/api/v1/statuses/${id}/${name}`)
const deeds: Record<string, Deed> = {
  favourite: act('favourite'),
  unfavourite: act('unfavourite'),
  bookmark: act('bookmark'),
  unbookmark: act('unbookmark'),
  reblog: act('reblog'),
  unreblog: act('unreblog'),
  mute: act('mute'),
  unmute: act('unmute'),
  rename: (who) => who.patch('/api/v1/accounts/update_credentials', { display_name: `of ${who.username}` }),
  filter: (who) =>
    who.post('/api/v2/filters', {
      title: 'words',
      context: ['home'],
      keywords_attributes: [{ keyword: 'words' }],
    }),
  reactions: () => setSetting(app.ctx, 'emoji_reactions', true),
  'no reactions': () => setSetting(app.ctx, 'emoji_reactions', false),
  react: (who, id) => who.put(`/api/v1/pleroma/statuses/${id}/reactions/${encodeURIComponent('👍')}`),
}

const steps = fc.array(
  fc.record({
    deed: fc.constantFrom(...Object.keys(deeds)),
    who: fc.integer({ min: 0, max: 2 }),
    which: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 5 },
)

/** What each of them gets of all statuses, strangers first, of what is kept; `anew`: made for each of them alone. */
async function looks({ anew }: { anew: boolean }): Promise<string[]> {
  const viewers = await Promise.all(people.map(({ accountId }) => findViewer(app.ctx, accountId as never)))
  const found: string[] = []
  for (const viewer of [null, ...viewers]) {
    if (anew) app.ctx.changes.hear([])
    found.push(toJsonText(await viewStatuses(app.ctx, viewer, ids as never)))
  }
  return found
}

test('whatever people do, each of them sees the same of what is shared as of what was just made for them', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (some) => {
      await write()
      await looks({ anew: false })
      for (const { deed, who, which } of some) await deeds[deed]!(people[who]!, ids[which]!)
      await app.settle()
      const shared = await looks({ anew: false })
      expect(await looks({ anew: false })).toEqual(shared)
      expect(await looks({ anew: true })).toEqual(shared)
    }),
    { numRuns: 40 },
  )
})
