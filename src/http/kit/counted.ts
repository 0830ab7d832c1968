// That no route is without a limit: those which know their caller count by themselves, all others are counted here.
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Ctx } from '#ports/ctx.ts'
import type { Caller } from '#domain/accounts/viewer.ts'
import type { Env } from './app.ts'
import { addressOf } from './auth.ts'
import { createLimits, generalThrottles, limitHeaders } from './limits.ts'

type Handler = (...args: never[]) => unknown

const countsItself = new WeakSet<Handler>()

/** Marks a handler that passes the limits itself, because it has to learn first who calls. */
export function counted<T extends Handler>(handler: T): T {
  countsItself.add(handler)
  return handler
}

/** Counts by address what no marked handler answers: files of the software, documents, unknown paths. */
export function limitOthers(ctx: Ctx): MiddlewareHandler<Env> {
  return async (c: Context<Env>, next) => {
    if (!matchedRoutes(c).some(({ handler }) => countsItself.has(handler as Handler))) {
      const address = addressOf(ctx, c.req.raw, c.env?.incoming?.socket.remoteAddress)
      const stranger: Caller = { viewer: null, token: null, address }
      const limits = createLimits(ctx, stranger)
      c.set('extraHeaders', () => limitHeaders(limits.standing()))
      await limits.throttle(generalThrottles(c.req, stranger, new URL(c.req.url)))
    }
    return next()
  }
}
