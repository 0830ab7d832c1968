// Random small graphs of people, what is between them and what they wrote, and every operation and page that shows
// statuses. Nobody sees what the domain's `canSee` forbids, and every list has all that it must, by its own rules.
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { isNight } from '#test/run/night.ts'
import { useApp, type TestApp } from '#test/app/app.ts'
import { checkHidden } from '#test/visibility/acts.ts'
import { checkFeeds, checkNotifications, checks } from '#test/visibility/checks.ts'
import { anyGraph, knownGraph, localPeople, type Graph, type Viewer } from '#test/visibility/graph.ts'
import { groups, showing } from '#test/visibility/groups.ts'
import { castOf, change, lay, type Cast, type Laid } from '#test/visibility/lay.ts'
import { createProbe, everything, type Called, type Probe } from '#test/visibility/probe.ts'
import { silent } from '#test/visibility/silent.ts'
import { checkPages } from '#test/visibility/strangers.ts'
import { worldOf, type World } from '#test/visibility/world.ts'

const app = useApp()
/** Another one each time; what fails is run again with the seed that it prints. */
const seed = Number(process.env['VISIBILITY_SEED'] ?? Date.now() % 2 ** 31)
/** The graph that is known has every case by itself; each random one adds what nobody thought of. */
const runs = Number(process.env['VISIBILITY_RUNS'] ?? (isNight ? 60 : 3))
const called: Called = new Map()
let cast: Cast

beforeAll(async () => {
  cast = await castOf(app)
})

describe('who sees which statuses [ACC-1] [ACC-4] [ACC-14] [ACC-16]', () => {
  test('every operation and page says how it shows statuses, or that it shows none', () => {
    const classified = [...Object.values(showing).flat(), ...silent]
    expect(classified.toSorted()).toEqual([...new Set(classified)].toSorted())
    expect([...everything.keys()].filter((name) => !classified.includes(name))).toEqual([])
    expect(classified.filter((name) => !everything.has(name))).toEqual([])
    for (const [group, { excludes }] of Object.entries(groups))
      expect([group, excludes]).not.toEqual([group, ''])
  })

  test('all of them show what `canSee` allows and their own rules ask for [ACC-12] [ACC-13] [ACC-17] [ACC-20] [ACC-23]', async () => {
    const property = fc.asyncProperty(anyGraph, (graph) => checkGraph(app, graph))
    await fc.assert(property, { numRuns: runs, seed, endOnFailure: true, examples: [[knownGraph]] })
    const names = Object.entries(showing).flatMap(([group, list]) =>
      group === 'own' || group === 'staff' ? [] : list,
    )
    expect(names.filter((name) => !called.has(name))).toEqual([])
  })

  test('what is said to show no status shows none', async () => {
    const [graph] = fc.sample(anyGraph, { seed, numRuns: 1 }) as [Graph]
    const laid = await lay(app, cast, graph)
    const values = {
      id: laid.ids[0] as string,
      handle: `@${cast.locals[0]?.username}`,
      username: cast.locals[0]?.username,
    }
    for (const viewer of [null, 0, 1] as Viewer[]) {
      const probe = probeOf(laid, worldOf(graph), viewer)
      for (const name of silent.filter((one) => one.startsWith('GET '))) {
        for (const id of [laid.ids[0] as string, cast.ids[0] as string]) {
          // Pages of other servers' accounts are at handles with a domain.
          const handle = name.includes('@[^/@]+@') ? `@${cast.remote.acct}` : values.handle
          const path = { ...values, handle, id, name: 'matrix' } as Record<string, string>
          const query = `q=pebble&acct=${values.username}&id[]=${id}&resource=acct:${values.username}@chat.example`
          const shown = await probe.call(name, { path, query })
          expect([name, ...shown.ids, ...shown.texts]).toEqual([name])
        }
      }
    }
  })
})

async function checkGraph(here: TestApp, graph: Graph): Promise<void> {
  const laid = await lay(here, cast, graph)
  const before = worldOf(graph)
  const after = worldOf(graph, graph.changes)
  for (const viewer of localPeople) {
    const probe = probeOf(laid, before, viewer)
    await checkFeeds(probe, { exact: true, rebuilt: false })
    await checkNotifications(probe, before)
  }
  await change(here, cast, graph, laid)
  const viewers = [null, ...localPeople].filter((who) => who === null || !after.isSuspended(who))
  for (const viewer of viewers)
    await checkFeeds(probeOf(laid, after, viewer), { exact: false, rebuilt: false })
  await forgetFeeds(here)
  for (const viewer of viewers) {
    const probe = probeOf(laid, after, viewer)
    await checkFeeds(probe, { exact: true, rebuilt: true })
    await checkNotifications(probe, before)
    for (const check of Object.values(checks)) await check(probe)
  }
  await checkPages(probeOf(laid, after, null))
  for (const viewer of viewers) await checkHidden(probeOf(laid, after, viewer))
}

function probeOf(laid: Laid, world: World, viewer: Viewer): Probe {
  return createProbe({ app, cast, laid, world, viewer, thorough: world.graph === knownGraph }, called)
}

/** As after a long absence: feeds are built anew when they are next read. */
async function forgetFeeds({ ctx }: TestApp): Promise<void> {
  await sql
    .raw('delete from home_entries; delete from home_feeds; delete from list_entries; delete from list_feeds')
    .execute(ctx.db)
}
