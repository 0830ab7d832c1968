// The whole table of operations, called one by one: what holds for all of them is tested without naming them.
import { routes, type ListedRoute } from '#http/routes.ts'
import type { Fetch, Json } from './client.ts'
import { parseExactly } from './parse-exactly.ts'

export interface RouteAnswer {
  readonly name: string
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

export interface RouteCall {
  token?: string | null
  /** What stands for the parameters of the path; `1` for those that are not named, an id nothing has. */
  path?: Record<string, string>
  query?: string
  /** Sent as JSON. */
  params?: unknown
  headers?: Record<string, string>
}

export const nameOf = (route: ListedRoute) => `${route.method} ${route.path}`

/** The path of a route with its parameters filled in. */
export function fillPath(route: ListedRoute, values: Record<string, string> = {}): string {
  return route.path.replaceAll(/:(\w+)(\{[^}]*\})?/g, (_, name: string) => values[name] ?? '1')
}

/** Calls one operation. A body goes along only where the method may have one. */
export async function callRoute(
  fetch: Fetch,
  route: ListedRoute,
  call: RouteCall = {},
): Promise<RouteAnswer> {
  const headers: Record<string, string> = { ...call.headers }
  if (call.token) headers['authorization'] = `Bearer ${call.token}`
  const hasBody = route.method !== 'GET' && call.params !== undefined
  if (hasBody) headers['content-type'] ??= 'application/json'
  const query = call.query ? `?${call.query}` : ''
  const response = await fetch(fillPath(route, call.path) + query, {
    method: route.method,
    headers,
    ...(hasBody && { body: typeof call.params === 'string' ? call.params : JSON.stringify(call.params) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== ''
  return {
    name: nameOf(route),
    status: response.status,
    headers: response.headers,
    body: isJson ? parseExactly(text) : text,
  }
}

/** The names of the parameters that a route looks at, without those of its path. */
export function paramNames(route: ListedRoute): string[] {
  const inPath = new Set([...route.path.matchAll(/:(\w+)/g)].map(([, name]) => name))
  const shape = (route.params as { shape?: Record<string, unknown> } | undefined)?.shape ?? {}
  return Object.keys(shape).filter((name) => !inPath.has(name))
}

export { routes }
export type { ListedRoute }
