/**
 * Holds every answer of an operation to what its route says that it `returns`. Only tests do this: a server in use
 * trusts the types, which say the same.
 */
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'
import type { z } from 'zod'
import { isRaw, schemaOf } from '#http/kit/route.ts'
import { routes, type ListedRoute } from '#http/routes.ts'
import { normalizePath } from '#lib/net/request-path.ts'

/** As the kit registers them: `PATCH` also answers to `PUT`, unless that is taken. */
function createFinder(): (method: string, path: string) => ListedRoute | undefined {
  const router = new SmartRouter<ListedRoute>({ routers: [new RegExpRouter(), new TrieRouter()] })
  const taken = new Set(routes.map((route) => `${route.method} ${route.path}`))
  for (const route of routes) {
    router.add(route.method, route.path, route)
    if (route.method === 'PATCH' && !taken.has(`PUT ${route.path}`)) router.add('PUT', route.path, route)
  }
  return (method, path) => router.match(method, path)[0][0]?.[0]
}

const findRoute = createFinder()
const maxProblems = 5

/** Throws where a 2xx answer is not what its operation returns: a key too many or too few, or another kind of value. */
export async function assertReturned(method: string, url: URL, response: Response): Promise<void> {
  if (method === 'HEAD' || response.status < 200 || response.status > 299) return
  const route = findRoute(method, normalizePath(url.pathname))
  if (!route) return
  const problems = await findProblems(route, response)
  if (problems.length === 0) return
  throw new Error(
    `${method} ${url.pathname} answers ${response.status}, but not what ${route.file} says that it returns:\n${problems
      .slice(0, maxProblems)
      .join('\n')}`,
  )
}

/** Asks a server over the network, this process's or another one's, and holds what it answers to the same. */
export const checkedFetch =
  (base: string) =>
  async (target: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(target, base)
    const response = await (globalThis.fetchOfNode ?? fetch)(url, init)
    await assertReturned(init.method ?? 'GET', url, response)
    return response
  }

async function findProblems(route: ListedRoute, response: Response): Promise<string[]> {
  if (!route.statuses.includes(response.status)) return [`its statuses are ${route.statuses.join(', ')}`]
  const type = response.headers.get('content-type') ?? ''
  const schema = schemaOf(route)
  if (schema && /\bjson\b/.test(type)) return problemsOf(schema, await response.clone().json())
  const types = isRaw(route.returns) ? route.returns.types : []
  const isSaid = types.some((said) => type.startsWith(said.replace('*', '')))
  return isSaid ? [] : [`its content type is ${type}`]
}

/** What of a body is not as its schema says. */
export function problemsOf(schema: z.ZodType, body: unknown): string[] {
  const parsed = schema.safeParse(body)
  return parsed.success ? [] : parsed.error.issues.flatMap(describe)
}

/** That none of several schemas fits says less than why each did not. */
function describe(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'invalid_union') return issue.errors.flatMap((issues) => issues.flatMap(describe))
  return [`/${issue.path.join('/')} ${issue.message}`]
}
