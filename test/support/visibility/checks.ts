// For each group of operations: what is called, and what must come back.
import { expect } from 'vitest'
import * as expected from './expected.ts'
import { showing, type Group } from './groups.ts'
import { localPeople, remotePerson, type List } from './graph.ts'
import { famous, page, reportedBy, reportYear, tagName, word } from './lay.ts'
import { nameOf, notifications, notifiedKinds } from './notified.ts'
import type { Probe, Shown } from './probe.ts'
import { originalOf, seen, sees, statusOf, type World } from './world.ts'
import { asId, type AccountId, type StatusId } from '#lib/id.ts'

/** Wide enough that nothing falls off the end. */
const wide = 'limit=40'

/** Compares sets of statuses; says which operation it was. */
export function expectSet(shown: Iterable<number>, wanted: Iterable<number>, what: unknown[]): void {
  const sorted = (list: Iterable<number>) => [...new Set(list)].toSorted((a, b) => a - b)
  expect([...what, sorted(shown)]).toEqual([...what, sorted(wanted)])
}

/** The names of a group's operations. */
export const namesOf = (group: Group): readonly string[] => showing[group] ?? []
const only = (group: Group) => namesOf(group)[0] as string

/** Takes one of several by turns, so that all are taken in the course of a few graphs. */
export function turn<T>(list: readonly T[], nth: number): T {
  return list[nth % list.length] as T
}

/** One of a group's operations by turns, or all of them where the probe is thorough. */
export function someOf(probe: Probe, group: Group, nth: number): readonly string[] {
  return probe.thorough ? namesOf(group) : [turn(namesOf(group), nth)]
}

type Check = (probe: Probe) => Promise<void>

async function list(
  probe: Probe,
  group: Group,
  { query = '', path = {} as Record<string, string> } = {},
): Promise<number[]> {
  const shown = await probe.call(only(group), { query: `${wide}&${query}`, path })
  expect([only(group), probe.viewer, shown.status]).toEqual([only(group), probe.viewer, 200])
  return shown.list()
}

const queryOf = (options: object) =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${value === true && name === 'tagged' ? tagName : String(value)}`)
    .join('&')

const accountOptions: readonly expected.AccountOptions[] = [
  {},
  { only_media: true },
  { exclude_replies: true },
  { exclude_reblogs: true },
  { pinned: true },
  { tagged: true },
]

const account: Check = async (probe) => {
  for (const [author, id] of probe.cast.ids.entries()) {
    const further = turn(accountOptions.slice(1), probe.laid.run + author + (probe.viewer ?? 4))
    for (const options of [{}, further]) {
      const shown = await list(probe, 'account', { path: { id }, query: queryOf(options) })
      const wanted = expected.accountStatuses(probe.world, probe.viewer, author, options)
      expectSet(shown, wanted, ['account', probe.viewer, author, options])
    }
  }
}

const publicOptions: readonly expected.PublicOptions[] = [
  {},
  { local: true },
  { remote: true },
  { only_media: true },
]

const publicTimeline: Check = async (probe) => {
  for (const options of [{}, turn(publicOptions.slice(1), probe.laid.run + (probe.viewer ?? 4))]) {
    const shown = await list(probe, 'public', { query: queryOf(options) })
    expectSet(shown, expected.publicTimeline(probe.world, probe.viewer, options), [
      'public',
      probe.viewer,
      options,
    ])
  }
}

const tag: Check = async (probe) => {
  const options = turn(publicOptions, probe.laid.run + (probe.viewer ?? 4))
  const shown = await list(probe, 'tag', { path: { hashtag: tagName }, query: queryOf(options) })
  expectSet(shown, expected.tagTimeline(probe.world, probe.viewer, options), ['tag', probe.viewer, options])
}

const link: Check = async (probe) => {
  if (!probe.world.statuses.some((one) => one.card)) return
  const shown = await list(probe, 'link', { query: `url=${encodeURIComponent(page)}` })
  expectSet(shown, expected.linkTimeline(probe.world, probe.viewer), ['link', probe.viewer])
}

const trends: Check = async (probe) => {
  const shown = await list(probe, 'trends')
  const wanted = expected.trendingStatuses(probe.world, probe.viewer, famous(probe.world.graph))
  expectSet(shown, wanted, ['trends', probe.viewer])
}

const marked =
  (kind: 'favourite' | 'bookmark'): Check =>
  async (probe) => {
    if (probe.viewer === null) return
    const shown = await list(probe, `${kind}s`)
    expectSet(shown, expected.marked(probe.world, probe.viewer, kind), [kind, probe.viewer])
  }

const mutedConversations: Check = async (probe) => {
  if (probe.viewer !== null) await probe.call(only('mutedConversations'), { query: wide })
}

const batch: Check = async (probe) => {
  const query = probe.laid.ids.map((id) => `id[]=${id}`).join('&')
  const shown = await probe.call(only('batch'), { query })
  expectSet(shown.list(), seen(probe.world, probe.viewer), ['batch', probe.viewer])
}

/** There exactly when the viewer may see it; else as if it did not exist. */
function expectFound(probe: Probe, shown: Shown, index: number, name: string): boolean {
  const found = sees(probe.world, probe.viewer, index)
  expect([name, probe.viewer, index, shown.status]).toEqual([name, probe.viewer, index, found ? 200 : 404])
  return found
}

/** One operation on each status, by turns. */
async function eachStatus(
  probe: Probe,
  group: Group,
  check: (shown: Shown, index: number, name: string) => void,
): Promise<void> {
  for (const { index } of probe.world.statuses) {
    for (const name of someOf(probe, group, probe.laid.run + index + (probe.viewer ?? 4))) {
      const wantsToken = /quotes$|source$/.test(name)
      if (wantsToken && probe.viewer === null) continue
      check(await probe.call(name, { path: { id: probe.idOf(index) }, query: wide }), index, name)
    }
  }
}

const status: Check = (probe) =>
  eachStatus(probe, 'status', (shown, index, name) => {
    const original = originalOf(probe.world, statusOf(probe.world, index)).index
    // A boost has no source, but what it boosts has.
    if (!expectFound(probe, shown, index, name)) return
    if (probe.world.isEdited(original)) return
    expect([name, index, shown.texts.has(original)]).toEqual([name, index, true])
  })

const context: Check = (probe) =>
  eachStatus(probe, 'context', (shown, index, name) => {
    if (!expectFound(probe, shown, index, name)) return
    const { above, below } = expected.context(probe.world, probe.viewer, index)
    expectSet(shown.list('ancestors'), above, ['ancestors', probe.viewer, index])
    expectSet(shown.list('descendants'), below, ['descendants', probe.viewer, index])
  })

const quotes: Check = (probe) =>
  eachStatus(probe, 'quotes', (shown, index, name) => {
    if (!expectFound(probe, shown, index, name)) return
    expectSet(shown.list(), expected.quotes(probe.world, probe.viewer, index), [
      'quotes',
      probe.viewer,
      index,
    ])
  })

const poll: Check = async (probe) => {
  for (const { index } of probe.world.statuses) {
    const id = probe.laid.pollIds[index]
    if (!id) continue
    const shown = await probe.call(only('poll'), { path: { id } })
    expectFound(probe, shown, index, 'poll')
  }
}

const search: Check = async (probe) => {
  const { viewer, world } = probe
  const words = await probe.call(only('search'), { query: `q=${word}&type=statuses&${wide}` })
  expectSet(words.list('statuses'), viewer === null ? [] : expected.found(world, viewer), ['search', viewer])
  const one = turn(
    world.statuses.filter(({ author }) => author !== remotePerson),
    probe.laid.run + (viewer ?? 4),
  )
  if (!one) return
  const url = encodeURIComponent(urlOf(probe, one.index))
  const named = await probe.call(only('search'), { query: `q=${url}` })
  expectSet(named.list('statuses'), sees(world, viewer, one.index) ? [one.index] : [], [
    'search by address',
    viewer,
  ])
}

export function urlOf(probe: Probe, index: number): string {
  const author = probe.cast.locals[statusOf(probe.world, index).author]
  return `${probe.app.ctx.config.baseUrl}/@${author?.username}/${probe.idOf(index)}`
}

const reports: Check = async (probe) => {
  const { viewer, world } = probe
  if (viewer === null) return
  const wanted = reportedBy(world.graph, viewer).filter((index) => sees(world, viewer, index))
  for (const name of someOf(probe, 'reports', probe.laid.run + viewer)) {
    const shown = await probe.call(name, { path: { year: String(reportYear) } })
    expectSet(shown.list('statuses'), wanted, [name, viewer])
  }
}

const requests: Check = async (probe) => {
  if (probe.viewer === null) return
  const [all, one] = namesOf('requests') as [string, string]
  const shown = await probe.call(all, { query: wide })
  for (const { id } of shown.body.slice(0, 1)) await probe.call(one, { path: { id } })
}

const conversations: Check = async (probe) => {
  if (probe.viewer === null) return
  const [all, read, unread] = namesOf('conversations') as [string, string, string]
  const shown = await probe.call(all, { query: wide })
  for (const { id, last_status } of shown.body.slice(0, 2)) {
    expect(last_status).not.toBeNull()
    for (const name of [unread, read]) await probe.call(name, { path: { id } })
  }
}

/** What is shown by operations of each group, at any time. */
export const checks: Readonly<Partial<Record<Group, Check>>> = {
  account,
  public: publicTimeline,
  tag,
  link,
  trends,
  favourites: marked('favourite'),
  bookmarks: marked('bookmark'),
  mutedConversations,
  batch,
  status,
  context,
  quotes,
  poll,
  search,
  reports,
  requests,
  conversations,
}

/**
 * Feeds as they are now. `rebuilt`: they have been written anew, so that they hold exactly what their rules say; else
 * which boost stands for an original depends on what came first. `exact` false: they are what remains after changes.
 */
export async function checkFeeds(probe: Probe, how: { exact: boolean; rebuilt: boolean }): Promise<void> {
  const who = probe.viewer
  if (who === null) return
  const { world } = probe
  const compare = (shown: number[], wanted: number[], what: unknown[]) => {
    const of = (indexes: number[]) => (how.rebuilt ? indexes : expected.originalsOf(world, indexes))
    if (how.exact) expectSet(of(shown), of(wanted), what)
  }
  const home = expected.shownInFeed(world, who, expected.homeEntries(world, who))
  const shown = await list(probe, 'home')
  compare(shown, home, ['home', who, how])
  await checkCatchUp(
    probe,
    shown.filter((index) => statusOf(world, index).author !== who),
  )
  for (const [nth, { owner }] of world.graph.lists.entries()) {
    const path = { id: probe.laid.listIds[nth] as string }
    if (owner === who) {
      const one = world.graph.lists[nth] as List
      const wanted = expected.shownInFeed(world, who, expected.listEntries(world, one))
      compare(await list(probe, 'list', { path }), wanted, ['list', nth, who, how])
    } else if (how.rebuilt) {
      expect((await probe.call(only('list'), { path })).status).toBe(404)
    }
  }
}

/** `wanted`: what home shows of others. */
async function checkCatchUp(probe: Probe, wanted: number[]): Promise<void> {
  const span = 'since_id=0'
  expectSet(await list(probe, 'catchUp', { query: span }), wanted, ['catch-up', probe.viewer])
  const overview = await probe.call(namesOf('catchUp')[1] as string, { query: span })
  const named: string[] = overview.body.authors.flatMap((one: { status_ids: string[] }) => one.status_ids)
  expectSet(
    named.map((id) => probe.laid.ids.indexOf(asId<StatusId>(id))),
    wanted,
    ['catch-up by authors', probe.viewer],
  )
}

/** `before`: what was so when things happened. */
export async function checkNotifications(probe: Probe, before: World): Promise<void> {
  const who = probe.viewer
  if (who === null) return
  const shown = await probe.call(only('notifications'), { query: `${wide}&include_filtered=true` })
  const people = new Map(probe.cast.ids.map((id, index) => [id, index]))
  const told = shown.body.filter((one: { type: string }) => notifiedKinds.includes(one.type))
  const names = told.map((one: { type: string; account: { id: string }; status: { id: string } }) =>
    nameOf(
      one.type,
      people.get(asId<AccountId>(one.account.id)) as number,
      probe.laid.ids.indexOf(asId<StatusId>(one.status.id)),
    ),
  )
  expect([who, names.toSorted()]).toEqual([who, notifications(before, probe.world, who).toSorted()])
  const grouped = await probe.call(only('grouped'), { query: `${wide}&include_filtered=true` })
  const statuses = shown.body.flatMap((one: { status?: { id: string } }) => one.status?.id ?? [])
  expectSet(
    grouped.list('statuses'),
    statuses.map((id: string) => probe.laid.ids.indexOf(asId<StatusId>(id))),
    ['grouped', who],
  )
  const one = turn(shown.body, probe.laid.run) as { id: string; group_key: string } | undefined
  if (!one) return
  for (const name of someOf(probe, 'notification', probe.laid.run + who)) {
    expect((await probe.call(name, { path: one })).status).toBe(200)
    const other = turn(localPeople, who + 1 + (probe.laid.run % 3))
    if (name.includes(':id')) await expectMissing(probe, { name, id: one.id, as: other })
  }
}

/** What belongs to one person is nothing to another. Who is suspended is not let in at all. */
async function expectMissing(
  { cast, world }: Probe,
  { name, id, as }: { name: string; id: string; as: number },
): Promise<void> {
  const answer = await cast.locals[as]?.get(name.replace('GET ', '').replace(':id', id))
  expect([name, as, answer?.status]).toEqual([name, as, world.isSuspended(as) ? 403 : 404])
}
