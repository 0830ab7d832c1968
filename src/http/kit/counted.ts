// Which routes pass the limits themselves, because they have to learn first who calls.
import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'

type Handler = (...args: never[]) => unknown

const countsItself = new WeakSet<Handler>()

/** Marks a handler that passes the limits itself. What no marked one answers is counted by address before it. */
export function counted<T extends Handler>(handler: T): T {
  countsItself.add(handler)
  return handler
}

/** Whether a marked handler answers the request. */
export function isCounted(c: Context): boolean {
  return matchedRoutes(c).some(({ handler }) => countsItself.has(handler as Handler))
}
