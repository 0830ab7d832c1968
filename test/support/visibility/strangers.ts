// Pages and feeds, which strangers read: what stands on them is told by its text.
import { expect } from 'vitest'
import * as expected from './expected.ts'
import { expectSet, namesOf, someOf, urlOf } from './checks.ts'
import { localPeople, remotePerson } from './graph.ts'
import { tagName } from './lay.ts'
import type { Probe, Shown } from './probe.ts'
import { originalOf, sees, statusOf, type World } from './world.ts'

/** All of it for a probe without a viewer. */
export async function checkPages(probe: Probe): Promise<void> {
  for (const one of probe.world.statuses) {
    if (one.author === remotePerson) continue
    await checkStatusPage(probe, one.index)
    await checkDocument(probe, one.index)
  }
  for (const who of localPeople) await checkDocumentsOf(probe, who)
  for (const who of localPeople) {
    const first = (probe.laid.run + who) % sections.length
    for (const nth of probe.thorough ? sections.keys() : [first]) await checkProfile(probe, who, nth)
  }
  await checkTagPages(probe)
  await checkFront(probe)
  await checkPublicPages(probe)
}

async function checkStatusPage(probe: Probe, index: number): Promise<void> {
  const { world, laid } = probe
  const one = statusOf(world, index)
  const handle = `@${probe.cast.locals[one.author]?.username}`
  const path = { handle, id: probe.idOf(index) }
  const found = sees(world, null, index)
  const leadsOn = one.kind === 'boost'
  for (const name of someOf(probe, 'page', laid.run + index)) {
    const status = found ? (leadsOn ? (name.endsWith('/embed') ? 404 : 302) : 200) : 404
    expect([name, index, (await probe.call(name, { path })).status]).toEqual([name, index, status])
  }
  const url = encodeURIComponent(urlOf(probe, index))
  const embedded = await probe.call(namesOf('embed')[0] as string, { query: `url=${url}` })
  expect(['oembed', index, embedded.status]).toEqual(['oembed', index, found && !leadsOn ? 200 : 404])
}

/** Other servers read one by one exactly what strangers see, and what stands beside it. */
async function checkDocument(probe: Probe, index: number): Promise<void> {
  const { world, laid } = probe
  const one = statusOf(world, index)
  const username = String(probe.cast.locals[one.author]?.username)
  const path = { username, handle: `@${username}`, id: probe.idOf(index) }
  for (const name of someOf(probe, 'document', laid.run + index)) {
    const shown = await probe.call(name, { path })
    expect([name, index, shown.status === 200]).toEqual([name, index, sees(world, null, index)])
    if (shown.status === 200 && one.kind !== 'boost' && !world.isEdited(index))
      expect([name, index, shown.texts.has(index)]).toEqual([name, index, true])
  }
  const replies = namesOf('documents').find((name) => name.includes('/replies')) as string
  await probe.call(replies, { path, query: 'page=true&only_other_accounts=true' })
}

async function checkDocumentsOf(probe: Probe, who: number): Promise<void> {
  const path = { username: String(probe.cast.locals[who]?.username), id: probe.idOf(0) }
  for (const name of namesOf('documents')) await probe.call(name, { path, query: 'page=true' })
}

/** What a page shows of statuses: the texts of originals, quoted ones besides. */
function expectTexts(world: World, shown: Shown, wanted: readonly number[], what: unknown[]): void {
  const originals = expected.originalsOf(world, wanted)
  const quoted = originals.flatMap((index) => {
    const one = statusOf(world, index)
    return one.kind === 'quote' && one.consent && sees(world, null, one.target as number)
      ? [one.target as number]
      : []
  })
  expectSet(
    [...shown.texts].filter((index) => originals.includes(index) || !quoted.includes(index)),
    originals,
    what,
  )
}

const sections: readonly { options: expected.AccountOptions; feed: expected.AccountOptions }[] = [
  { options: { exclude_replies: true }, feed: { exclude_replies: true } },
  { options: {}, feed: {} },
  { options: { only_media: true, exclude_reblogs: true }, feed: { only_media: true } },
  { options: { tagged: true, exclude_reblogs: true }, feed: { tagged: true } },
]

async function checkProfile(probe: Probe, who: number, nth: number): Promise<void> {
  const { world } = probe
  const section = sections[nth] as (typeof sections)[number]
  const username = probe.cast.locals[who]?.username
  const [profile, feed] = [namesOf('profile')[nth] as string, namesOf('feed')[nth] as string]
  const onPage = await probe.call(profile, { path: { handle: `@${username}`, tag: tagName } })
  const handle = nth === 0 ? `@${username}.rss` : `@${username}`
  const inFeed = await probe.call(feed, { path: { handle, tag: `${tagName}.rss` } })
  const gone = world.isSuspended(who)
  expect([profile, onPage.status, inFeed.status]).toEqual([profile, gone ? 410 : 200, gone ? 410 : 200])
  if (gone) return
  const pinned = nth === 0 ? expected.accountStatuses(world, null, who, { pinned: true }) : []
  const written = expected.accountStatuses(world, null, who, section.options)
  expectTexts(world, onPage, [...written, ...pinned], [profile, who])
  const open = expected
    .accountStatuses(world, null, who, { ...section.feed, exclude_reblogs: true })
    .filter((index) => originalOf(world, statusOf(world, index)).visibility === 'public')
  expectTexts(world, inFeed, open, [feed, who])
}

/** Posts on the front page. */
const newest = 5

async function checkFront(probe: Probe): Promise<void> {
  const wanted = expected.publicTimeline(probe.world, null, { local: true }).slice(-newest)
  for (const name of namesOf('front')) expectTexts(probe.world, await probe.call(name), wanted, [name])
}

/** Posts on the page of a timeline. */
const pageSize = 20

async function checkPublicPages(probe: Probe): Promise<void> {
  for (const [nth, name] of namesOf('publicPage').entries()) {
    const options = ([{}, { local: true }, { remote: true }] as const)[nth] ?? {}
    const wanted = expected.publicTimeline(probe.world, null, options).slice(-pageSize)
    expectTexts(probe.world, await probe.call(name), wanted, [name])
  }
}

async function checkTagPages(probe: Probe): Promise<void> {
  const wanted = expected.tagTimeline(probe.world, null, {})
  for (const name of namesOf('tagPage')) {
    const shown = await probe.call(name, { path: { tag: name.endsWith('}') ? `${tagName}.rss` : tagName } })
    expectTexts(probe.world, shown, wanted, [name])
  }
}
