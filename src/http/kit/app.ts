import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Hono, type Context } from 'hono'
import { getPath } from 'hono/utils/url'
import type { Ctx } from '#ports/ctx.ts'
import type { Caller } from '#domain/identity/accounts/viewer.ts'
import { toJson, toLentJson } from '#lib/json/json-text.ts'
import { keepSpecimen } from '#lib/specimens.ts'
import { preflightHeaders } from '#lib/net/preflight.ts'
import { normalizePath, parseRequestUrl, splitRequestUrl } from '#lib/net/request-path.ts'
import { addressOf, assertAccess } from './auth.ts'
import { notFound } from '#lib/errors.ts'
import { counted, isCounted } from './counted.ts'
import { answerError, refusalHeaders } from './errors/errors.ts'
import { getBody, type Exchange } from './body/get-body.ts'
import { languageFor } from './language-for.ts'
import { createLimits, generalThrottles, limitHeaders } from './limits.ts'
import type { Method, Route } from './route.ts'
import { isProbe } from './probes.ts'
import { createRouter } from './router.ts'
import { runRoute } from './run-route.ts'
import { isShared, respondShared } from './shared-answers.ts'
import { traceRequests } from './trace-requests.ts'

export interface Env {
  Bindings: Exchange & {
    /** Of the client for whom this server asks itself. */
    address?: string
  }
  Variables: {
    requestId: string
    /** Of the client. */
    address: string
    caller: Caller | undefined
    extraHeaders: () => Record<string, string>
    /** The answer has all its headers: looking at them again would cost the server's fast path. */
    complete: true
  }
}
export type HttpApp = Hono<Env>

const exposed =
  'Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Deprecation, Mastodon-Async-Refresh'
const openToBrowsers = { 'access-control-allow-origin': '*', 'access-control-expose-headers': exposed }
const crossOrigin = /^\/(api\/|oauth\/(token|revoke|userinfo)$|\.well-known\/|nodeinfo\/|@|users\/)/

/** The HTTP application without its routes: request ids, one log line a request, its span, CORS, errors as JSON. */
export function createHttpApp(ctx: Ctx): HttpApp {
  // Routes, and the rules about them, see a path in its one spelling.
  const app = new Hono<Env>({
    getPath: (request) => normalizePath(getPath(request)),
    router: createRouter(),
  })
  if (ctx.trace.on) app.use(traceRequests(ctx.trace))
  app.use(async (c, next) => {
    const started = performance.now()
    const requestId = randomUUID()
    c.set('requestId', requestId)
    if (c.req.method === 'GET') keepSpecimen('exchange', c)
    await next()
    // Nobody reads the body then, and the file behind it would stay open.
    if (c.req.raw.method === 'HEAD') await c.res.body?.cancel()
    if (!c.get('complete')) addCommonHeaders(c)
    logRequest(ctx, c, performance.now() - started)
  })
  app.use(async (c, next) => {
    const address = addressOf(ctx, c.req.raw, c.env?.incoming?.socket.remoteAddress)
    c.set('address', address)
    await assertAccess(ctx, address)
    if (c.req.method === 'OPTIONS' && crossOrigin.test(c.req.path)) return preflight(c)
    if (!isCounted(c)) await countStranger(ctx, address, c)
    return next()
  })
  app.onError((error, c) => errorResponse(ctx, c, error))
  app.notFound((c) => errorResponse(ctx, c, notFound('page_not_found')))
  return app
}

/** Counts files of the software, documents and unknown paths: so no route is without a limit. */
async function countStranger(ctx: Ctx, address: string, c: Context<Env>): Promise<void> {
  const stranger: Caller = { viewer: null, token: null, address }
  const limits = createLimits(ctx, stranger)
  c.set('extraHeaders', () => limitHeaders(limits.standing()))
  await limits.throttle(generalThrottles(c.req, stranger, splitRequestUrl(c.req.url)))
}

/** Adds REST operations. `PATCH` also answers to `PUT`, which client libraries send, unless that is taken. */
export function addRoutes(app: HttpApp, ctx: Ctx, routes: readonly Route[]): void {
  const taken = new Set(routes.map((route) => `${route.method} ${route.path}`))
  for (const route of routes) {
    const methods: Method[] = [route.method]
    if (route.method === 'PATCH' && !taken.has(`PUT ${route.path}`)) methods.push('PUT')
    const isNamed = route.path.includes(':')
    const answer = (c: Context<Env>) => handle(ctx, route, c, isNamed ? c.req.param() : {})
    app.on(methods, route.path, counted(answer))
  }
}

/**
 * The operations alone, without log, limits of strangers or headers for other sites: for what this server asks itself on
 * behalf of a token.
 */
export function createOperations(ctx: Ctx, routes: readonly Route[]): HttpApp {
  const app = new Hono<Env>({ router: createRouter() })
  app.use(async (c, next) => {
    c.set('requestId', randomUUID())
    c.set('address', c.env.address ?? '127.0.0.1')
    await next()
  })
  addRoutes(app, ctx, routes)
  app.onError((error, c) => errorResponse(ctx, c, error))
  app.notFound((c) => errorResponse(ctx, c, notFound('page_not_found')))
  return app
}

/** The address that was asked for, with its path as routes are declared. */
export function requestUrl(c: Context<Env>): URL {
  return parseRequestUrl(c.req.url) as URL
}

/** Path and query as they were sent, which a signature is over. */
export function requestTarget(c: Context<Env>): string {
  const sent = c.env?.incoming?.url
  if (sent?.startsWith('/')) return sent
  const url = new URL(c.req.url)
  return url.pathname + url.search
}

async function handle(
  ctx: Ctx,
  route: Route,
  c: Context<Env>,
  pathParams: Record<string, string>,
): Promise<Response> {
  const body = getBody(c.req.raw, c.env ?? {})
  const answer = await runRoute(ctx, route, {
    request: c.req.raw,
    url: splitRequestUrl(c.req.url),
    getBody: body,
    pathParams,
    address: c.get('address'),
    onCaller: (caller) => c.set('caller', caller),
    onLimits: (headers) => c.set('extraHeaders', headers),
  })
  // Shared caches know an answer by its address, which does not say what the body asked for.
  if (body) answer.headers['cache-control'] = 'private, no-store'
  if (isShared(answer.body)) {
    c.set('complete', true)
    return respondShared(c.req.raw, answer.body, jsonHeaders(c, answer.headers))
  }
  if (!(answer.body instanceof Response)) return jsonResponse(c, answer.status, answer.body, answer.headers)
  if (body) answer.body.headers.set('cache-control', 'private, no-store')
  return answer.body
}

function jsonResponse(
  c: Context<Env>,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Response {
  c.set('complete', true)
  return new Response(bodyOf(body, c.env?.outgoing), { status, headers: jsonHeaders(c, headers) })
}

/**
 * In the memory where it is written for as long as it is being sent: until the system has all of it. Of a response whose
 * connection has ended before nothing is told any more.
 */
function bodyOf(body: unknown, outgoing: ServerResponse | undefined): string | Uint8Array<ArrayBuffer> {
  if (!outgoing || outgoing.destroyed) return toJson(body)
  const json = toLentJson(body)
  if (typeof json === 'string' || json instanceof Uint8Array) return json
  let isSent = false
  outgoing.once('finish', () => (isSent = true))
  outgoing.once('close', () => json.giveBack(isSent))
  return json.bytes
}

function jsonHeaders(c: Context<Env>, headers: Record<string, string>): Record<string, string> {
  return {
    'content-type': 'application/json; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'x-request-id': c.get('requestId'),
    ...(crossOrigin.test(c.req.path) && openToBrowsers),
    ...headers,
  }
}

/** An error as JSON, as programs read it. */
export function errorResponse(ctx: Ctx, c: Context<Env>, error: unknown): Response {
  const language = languageFor(c.get('caller'), c.req.raw)
  const answer = answerError(error, ctx.log, { requestId: c.get('requestId'), language })
  const limits = c.get('extraHeaders')?.() ?? {}
  const headers = {
    ...refusalHeaders,
    'content-language': language,
    ...limits,
    ...answer.headers,
  }
  return jsonResponse(c, answer.status, answer.body, headers)
}

function preflight(c: Context<Env>): Response {
  const asked = c.req.header('access-control-request-headers')
  return new Response(null, {
    status: 204,
    headers: preflightHeaders('GET, POST, PUT, PATCH, DELETE, OPTIONS', asked),
  })
}

function addCommonHeaders(c: Context<Env>): void {
  const headers = c.res.headers
  // An answer that is for its own site alone says so itself.
  if (crossOrigin.test(c.req.path) && !headers.has('cross-origin-resource-policy')) {
    for (const [name, value] of Object.entries(openToBrowsers)) headers.set(name, value)
  }
  if (!headers.has('x-request-id')) headers.set('x-request-id', c.get('requestId'))
  headers.set('x-content-type-options', 'nosniff')
}

/** Probes come every few seconds and are no news. The path only: a query may hold a token or somebody's search. */
function logRequest(ctx: Ctx, c: Context<Env>, milliseconds: number): void {
  const caller = c.get('caller')
  const level = isProbe(c.req.path) ? 'debug' : 'info'
  ctx.log[level](
    {
      requestId: c.get('requestId'),
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms: Math.round(milliseconds * 10) / 10,
      account: caller?.viewer?.accountId,
      trace: ctx.trace.id() ?? undefined,
    },
    'request',
  )
}
