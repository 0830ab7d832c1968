// What many kinds of servers send, in their own forms, and what is made of it. The cases: corpus/README.md.
import { expect, test } from 'vitest'
import { useApp } from '#test/app/app.ts'
import { isNight } from '#test/run/night.ts'
import { fill, oneOfEach, readCases } from './corpus/cases.ts'
import { look, toPattern } from './corpus/look.ts'
import { createWorld } from './corpus/world.ts'

const app = useApp({ host: '127.11.255.1' })
const cases = readCases()
/** By day one of each kind and of each server: how notes are written is read without a server in src/federation/ingest. */
const played = isNight ? cases : oneOfEach(cases)

test('there are at least 60 cases, of all servers that are named', () => {
  expect(cases.length).toBeGreaterThanOrEqual(60)
  const servers = new Set(cases.map(({ name }) => name.split('/')[0]))
  const named =
    'mastodon gotosocial misskey pleroma pixelfed peertube lemmy wordpress ghost mobilizon bookwyrm friendica hubzilla'
  for (const one of named.split(' ')) expect(servers).toContain(one)
})

test.each(played.map(({ title, source }) => [title, source] as const))('%s', async (_, source) => {
  const world = await createWorld(app)
  world.serve(fill(source.documents, world.names))
  await world.arrange(source.local ?? {})
  // What is in `documents` may name the posts that were just made.
  world.serve(fill(source.documents, world.names))
  const { before = [], after, activity, inbox, expect: expected } = fill(source, world.names)
  for (const earlier of before) await world.deliver(earlier, inbox)
  if (after) world.serve(after)
  if (activity) await world.deliver(activity, inbox)
  expect(await look(world, expected)).toMatchObject(toPattern(expected, app.clock.now()))
})
