import { routePath } from 'hono/route'
import type { Context, MiddlewareHandler } from 'hono'
import type { Trace } from '#ports/trace.ts'
import { isProbe } from './probes.ts'

/** What the kit has written down when a request is answered. */
interface Env {
  Variables: { requestId: string }
}

/**
 * A span for each request, but for those by which others look whether this server is well. It continues the trace that
 * the request names. Neither its path nor its query is told: they may hold a secret, or what somebody looks for.
 */
export function traceRequests(trace: Trace): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (isProbe(c.req.path)) return next()
    const { method } = c.req
    const parent = c.req.header('traceparent')
    await trace.span(
      { name: method, kind: 'server', attributes: { 'http.request.method': method }, parent },
      async (span) => {
        await next()
        const route = matchedRoute(c)
        if (route !== null) span.rename(`${method} ${route}`)
        const { status } = c.res
        span.set({
          'http.route': route ?? undefined,
          'http.response.status_code': status,
          'stonechat.request_id': c.get('requestId'),
        })
        if (status >= 500) span.fail(String(status))
      },
    )
  }
}

/** Its pattern; null when none matched. */
function matchedRoute(c: Context<Env>): string | null {
  const route = routePath(c)
  return route === '/*' ? null : route
}
