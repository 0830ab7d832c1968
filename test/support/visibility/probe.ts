// Calls operations and pages as one viewer and tells which statuses of the graph an answer shows. Whatever is asked,
// nothing may come back that the viewer must not see.
import { endpoints } from '#http/activitypub/endpoints.ts'
import { pages } from '#http/web/pages.ts'
import type { TestApp } from '#test/app/app.ts'
import {
  callRoute,
  fillPath,
  nameOf,
  routes,
  type ListedRoute,
  type RouteCall,
} from '#test/client/every-route.ts'
import type { Json } from '#test/client/client.ts'
import type { Viewer } from './graph.ts'
import type { Cast, Laid } from './lay.ts'
import { sees, statusOf, type World } from './world.ts'
import type { StatusId } from '#lib/id.ts'

/** What other servers ask for: many a path is that of a page too. */
const asDocument = ' as a document'

/** Everything that answers, by its method and path. */
export const everything: ReadonlyMap<string, Pick<ListedRoute, 'method' | 'path'>> = new Map([
  ...[...routes, ...pages].map((one) => named(one, '')),
  ...endpoints.map((one) => named(one, one.method === 'GET' ? asDocument : '')),
])

function named(one: { method: string; path: string }, kind: string) {
  return [`${one.method} ${one.path}${kind}`, one as Pick<ListedRoute, 'method' | 'path'>] as const
}

const documentHeaders = { accept: 'application/activity+json' }

export interface Shown {
  status: number
  body: Json
  /** Indexes of statuses at the top of the answer, or under the key given, in their order. */
  list(key?: string): number[]
  /** Indexes of all statuses in the answer, also of those within others. */
  ids: ReadonlySet<number>
  /** Indexes of those whose text is in the answer. */
  texts: ReadonlySet<number>
}

export interface Probe {
  readonly app: TestApp
  readonly cast: Cast
  readonly laid: Laid
  readonly world: World
  readonly viewer: Viewer
  /** Calls all operations where others take turns. */
  readonly thorough: boolean
  /** Calls by name. `lost`: what is told by its id alone is no status. */
  call(name: string, call?: Omit<RouteCall, 'token'> & { lost?: boolean }): Promise<Shown>
  idOf(index: number): StatusId
}

/** Names of what has been called, of all probes. */
export type Called = Map<string, number>

export function createProbe(
  parts: Pick<Probe, 'app' | 'cast' | 'laid' | 'world' | 'viewer' | 'thorough'>,
  called: Called,
): Probe {
  const { app, cast, laid, world, viewer } = parts
  const token = viewer === null ? null : (cast.locals[viewer]?.token ?? null)
  const indexes = new Map(laid.ids.map((id, index) => [id, index]))
  return {
    ...parts,
    idOf: (index) => laid.ids[index] as StatusId,
    async call(name, { lost = false, ...call } = {}) {
      const route = everything.get(name) as ListedRoute | undefined
      if (!route) throw new Error(`no operation is named ${name}`)
      called.set(name, (called.get(name) ?? 0) + 1)
      const headers = name.endsWith(asDocument) ? { headers: documentHeaders } : {}
      const answer = await callRoute(app.fetch, route, { ...headers, ...call, token })
      const where = `${nameOf(route)} (${fillPath(route, call.path)}?${call.query ?? ''}) to ${viewer}`
      if (answer.status >= 500) throw new Error(`${where} answered ${answer.status}`)
      const ids = new Set(lost ? [] : collectIds(answer.body).map((id) => indexOf(indexes, id, where)))
      const texts = findTexts(answer.body, laid.run, where)
      assertAllowed(world, viewer, { where, shown: [...ids, ...texts] })
      const list = (key?: string) =>
        ((key === undefined ? answer.body : answer.body[key]) as { id: StatusId }[]).map((one) =>
          indexOf(indexes, one.id, where),
        )
      return { status: answer.status, body: answer.body, ids, texts, list }
    },
  }
}

function indexOf(indexes: ReadonlyMap<StatusId, number>, id: StatusId, where: string): number {
  const index = indexes.get(id)
  if (index === undefined) throw new Error(`${where} shows a status of another graph: ${id}`)
  return index
}

function assertAllowed(
  world: World,
  viewer: Viewer,
  { where, shown }: { where: string; shown: number[] },
): void {
  const forbidden = shown.filter((index) => !sees(world, viewer, index))
  if (forbidden.length === 0) return
  const told = forbidden.map((index) => describe(statusOf(world, index)))
  throw new Error(`${where} shows what the viewer must not see: ${told.join(', ')}`)
}

const describe = (one: { index: number; kind: string; author: number; visibility: string }) =>
  `#${one.index} (${one.visibility} ${one.kind} by ${one.author})`

/** Ids of all that looks like a Status or tells of one by `quoted_status_id`. */
function collectIds(body: Json): StatusId[] {
  if (typeof body !== 'object' || body === null) return []
  const inside = Object.values(body).flatMap(collectIds)
  if (Array.isArray(body)) return inside
  const isStatus = typeof body.id === 'string' && 'visibility' in body && 'account' in body
  return [
    ...(isStatus ? [body.id] : []),
    ...(typeof body.quoted_status_id === 'string' ? [body.quoted_status_id] : []),
    ...inside,
  ]
}

function findTexts(body: Json, run: number, where: string): Set<number> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const found = new Set<number>()
  for (const [marker, of, index] of text.matchAll(/mk(\d+)n(\d+)e/g)) {
    if (Number(of) !== run) throw new Error(`${where} shows the text of another graph: ${marker}`)
    found.add(Number(index))
  }
  return found
}
