import type { Config, Ctx } from '#ports/ctx.ts'
import type { Caller } from '#domain/identity/accounts/viewer.ts'
import { badRequest, notFound, invalidForm, type ProblemCode } from '#lib/errors.ts'
import type { RequestUrl } from '#lib/net/request-path.ts'
import { isField } from '#lib/messages/describe-error.ts'
import { authenticate, bearerIn, bearerOf } from './auth.ts'
import { refusalHeaders } from './errors/errors.ts'
import { isMultipartForm, readBody, type BodyLimits, type ReadBody } from './body/body.ts'
import { holdsParameters } from './body/get-body.ts'
import { missingId } from './params/fields.ts'
import { maxListBytes } from '#domain/trust/block-lists/import.ts'
import {
  createLimits,
  generalThrottles,
  isPaging,
  limitHeaders,
  pagingThrottles,
  type Limits,
} from './limits.ts'
import { linkHeader } from './paging.ts'
import { mergeTrees, treeFromPairs, type ParamTree } from './params/params.ts'
import { isShared, mayShare, shareAnswer } from './shared-answers.ts'
import { isListed, isReply, type Listed, type Route, type UploadKind } from './route.ts'

const maxText = 1024 * 1024

type AllLimits = ReturnType<typeof createLimits>

/** What one request turned into, before it is a Response. */
export interface RouteAnswer {
  status: number
  body: unknown
  headers: Record<string, string>
}

export interface RouteRequest {
  request: Request
  url: RequestUrl
  pathParams: Record<string, string>
  /** Of the client. */
  address: string
  /** Opens the body of a GET that has parameters. */
  getBody: (() => ReadableStream<Uint8Array>) | null
  /** Told as soon as it is known, for the log line. */
  onCaller(caller: Caller): void
  /** Headers that hold for errors too. */
  onLimits(headers: () => Record<string, string>): void
}

/** Caller, limits, parameters, handler: in this order for every operation. */
export async function runRoute(ctx: Ctx, route: Route, incoming: RouteRequest): Promise<RouteAnswer> {
  const { request, url, address } = incoming
  const named = bearerOf(request, url)
  const early = named === null && mayNameToken(route, incoming) ? await readEarly(ctx, route, incoming) : null
  let body = early?.body ?? null
  try {
    const secret = body ? bearerIn(body.params) : named
    const caller = await authenticate(ctx, route, secret, address).catch(async (error) => {
      if (!early) await throttleStranger(ctx, route, incoming)
      throw error
    })
    incoming.onCaller(caller)
    const isCounted = early !== null && caller.token === null
    const limits = isCounted ? early.limits : createLimits(ctx, caller)
    incoming.onLimits(() => limitHeaders(limits.standing()))
    if (!isCounted) await limits.throttle(generalThrottles(route, caller, url))
    body ??= await readBody(request, bodyLimits(ctx, route), incoming.getBody)
    return await answer(ctx, route, incoming, { caller, secret, limits, body })
  } finally {
    await body?.dispose()
  }
}

/** Who is refused counts as a stranger from there: tokens are not guessed, nor the database kept busy, for free. */
async function throttleStranger(ctx: Ctx, route: Route, incoming: RouteRequest): Promise<AllLimits> {
  const stranger: Caller = { viewer: null, token: null, address: incoming.address }
  const limits = createLimits(ctx, stranger)
  incoming.onLimits(() => limitHeaders(limits.standing()))
  await limits.throttle(generalThrottles(route, stranger, incoming.url))
  return limits
}

/** Whether a token may be in the body: nobody's files are read before it is known whose they are. */
function mayNameToken(route: Route, { request, getBody }: RouteRequest): boolean {
  if (route.auth === 'none') return false
  if (getBody) return true
  if (request.method === 'GET' || request.method === 'HEAD') return false
  const type = request.headers.get('content-type') ?? ''
  return holdsParameters(type) && (route.uploads === null || !isMultipartForm(type))
}

/** Reads the body of somebody of whom nothing is known yet, and who counts as a stranger meanwhile. */
async function readEarly(ctx: Ctx, route: Route, incoming: RouteRequest) {
  const limits = await throttleStranger(ctx, route, incoming)
  const noFiles = { ...bodyLimits(ctx, route), file: 0 }
  return { limits, body: await readBody(incoming.request, noFiles, incoming.getBody) }
}

interface Admitted {
  caller: Caller
  secret: string | null
  limits: AllLimits
  body: ReadBody
}

async function answer(
  ctx: Ctx,
  route: Route,
  { request, url, getBody, pathParams }: RouteRequest,
  { caller, secret, limits, body }: Admitted,
): Promise<RouteAnswer> {
  if (getBody && isPaging(Object.keys(body.params)) && !isPaging(url.searchParams.keys()))
    await limits.throttle(pagingThrottles(caller))
  const params = route.params === undefined ? {} : parseParams(route.params, treeOf(url, body, pathParams))
  const call = {
    ctx: route.replicated ? ctx.replicated : ctx,
    params: params as never,
    caller,
    viewer: caller.viewer as never,
    limits,
    request,
    secret,
  }
  const handle = () => route.handle(call)
  const result = mayShare(route, caller) ? await shareAnswer(ctx, { route, params }, handle) : await handle()
  return finish(ctx, route, { result, caller, limits, url })
}

function bodyLimits(ctx: Ctx, route: Route): BodyLimits {
  return {
    text: maxText,
    file: route.uploads === null ? 0 : maxBytes[route.uploads](ctx.config.limits),
    directory: `${ctx.config.dataDir}/tmp/uploads`,
  }
}

/** Up to twice the limit a picture is read, so that the answer can name the limit; what is larger is cut off. */
const maxBytes: Record<UploadKind, (limits: Config['limits']) => number> = {
  avatar: ({ avatarBytes }) => 2 * avatarBytes,
  media: ({ imageBytes, videoBytes }) => Math.max(imageBytes, videoBytes),
  thumbnail: ({ imageBytes }) => 2 * imageBytes,
  list: () => maxListBytes,
}

const treeOf = (url: RequestUrl, body: ReadBody, pathParams: Record<string, string>): ParamTree =>
  mergeTrees(treeFromPairs(url.searchParams), body.params, treeFromPairs(Object.entries(pathParams)))

/** The parameters as the route wants them. Throws `bad_request` for a missing one, `invalid` for a wrong one. */
function parseParams(params: NonNullable<Route['params']>, tree: ParamTree): unknown {
  const parsed = params.safeParse(tree)
  if (parsed.success) {
    if ((parsed.data as { id?: unknown } | null)?.id === missingId) throw notFound()
    return parsed.data
  }
  const issue = parsed.error.issues[0]
  const name = issue?.path.join('.') ?? ''
  if (issue?.code === 'invalid_type' && /received undefined/.test(issue.message)) {
    throw badRequest('param_missing', { name })
  }
  const problem = { field: isField(name) ? name : label(name), code: 'invalid' satisfies ProblemCode }
  throw invalidForm([problem])
}

/** The name of a parameter that has no words in the catalogues. */
function label(name: string): string {
  const words = name.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

interface Done {
  result: unknown
  caller: Caller
  limits: Limits
  url: RequestUrl
}

function finish(ctx: Ctx, route: Route, done: Done): RouteAnswer {
  const headers: Record<string, string> = {
    'cache-control': cacheControl(ctx, route, done.caller),
    vary: 'Authorization, Origin, Accept-Encoding',
    ...limitHeaders(done.limits.standing()),
  }
  const { result } = done
  if (isReply(result)) {
    const own = result.status >= 400 ? { ...headers, ...refusalHeaders } : headers
    return { status: result.status, body: result.body, headers: { ...own, ...result.headers } }
  }
  if (isShared(result)) {
    const own = result.listed ? withLink(ctx, headers, { url: done.url, listed: result.listed }) : headers
    return { status: result.status, body: result, headers: { ...own, ...result.headers } }
  }
  if (!isListed(result)) return { status: 200, body: result, headers }
  return {
    status: 200,
    body: result.body,
    headers: { ...withLink(ctx, headers, { url: done.url, listed: result }), ...result.headers },
  }
}

function withLink(
  { config }: Ctx,
  headers: Record<string, string>,
  { url, listed }: { url: RequestUrl; listed: Listed },
): Record<string, string> {
  const link = linkHeader(config.baseUrl + url.pathname + url.search, listed)
  return link ? { ...headers, link } : headers
}

function cacheControl(ctx: Ctx, route: Route, caller: Caller): string {
  const closed = ctx.config.limitedFederation || ctx.config.disallowUnauthenticatedApi
  if (closed || route.caching === 'private') return 'private, no-store'
  if (route.caching === 'public')
    return 'public, max-age=300, stale-while-revalidate=30, stale-if-error=86400'
  if (route.caching === 'counted') return 'public, max-age=5, stale-if-error=86400'
  if (caller.token) return 'private, no-store'
  return 'public, max-age=15, stale-while-revalidate=30, stale-if-error=86400'
}
