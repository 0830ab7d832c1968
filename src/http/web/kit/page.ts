// Pages for browsers: found by their session cookie, guarded against foreign sites, with errors that people can read.
import type { Context } from 'hono'
import { hasAnyPermission, type Permission } from '#domain/identity/accounts/permissions.ts'
import type { Caller, Viewer } from '#domain/identity/accounts/viewer.ts'
import { AppError, forbidden, notFound } from '#lib/errors.ts'
import type { Ctx } from '#ports/ctx.ts'
import { errorResponse, requestUrl, type Env, type HttpApp } from '#http/kit/app.ts'
import { readBody } from '#http/kit/body/body.ts'
import { answerError } from '#http/kit/errors/errors.ts'
import type { Language } from '#lib/messages/catalogue.ts'
import { pickLanguage } from '#lib/messages/pick-language.ts'
import { counted } from '#http/kit/counted.ts'
import { createLimits, generalThrottles, limitHeaders, type Limits } from '#http/kit/limits.ts'
import { mergeTrees, treeFromPairs, type ParamTree } from '#http/kit/params/params.ts'
import { describeReason } from '#lib/messages/describe-error.ts'
import { textsIn } from '#lib/messages/texts.ts'
import { redirectTo } from './layout.ts'
import { renderMessage } from './message.ts'
import { formTokenName } from './form.ts'
import { isOwnForm, readBrowser, type Browser } from './session.ts'

/** What the handler of a page gets. */
export interface PageCall {
  readonly ctx: Ctx
  readonly request: Request
  readonly url: URL
  /** Query, body and path, in this order of precedence (the last wins). */
  readonly params: ParamTree
  /** The address of the client, proxies resolved. */
  readonly address: string
  readonly limits: Limits
  /** Session and cookies. Change them through `session.ts` only. */
  readonly browser: Browser
  /** Who is signed in in this browser. Their `refusal` may be set. */
  readonly viewer: Viewer | null
  readonly language: Language
  /** Asks an operation of the API, by path and query, as whoever holds this token; with a body it is a POST of JSON. */
  ask(path: string, token: string, body?: object): Promise<Response>
}

type Begin = readonly string[] | Response

export interface Page {
  method: 'GET' | 'POST' | 'DELETE'
  /** The full literal path, `:name` for parameters. */
  path: `/${string}`
  /** Bytes of a file that its form may send, by people who are signed in. Without it files are refused. */
  upload?: number
  /** What the viewer's role must allow; of several any one. Others are refused before anything of the request is read. */
  permission?: Permission | readonly Permission[]
  /** Refuses by an error, before anything is uploaded. For what takes much room. */
  admit?(call: Pick<PageCall, 'ctx' | 'viewer' | 'limits' | 'language'>): Promise<void>
  /**
   * Its address carries a signed token that says who may do what: a POST may then come from anywhere, without cookies
   * (RFC 8058 section 3.2).
   */
  signed?: true
  /**
   * Who is signed in gets the web app at this address. Returns the operations of the API, by path and query, whose answers
   * its view begins with, as the app asks for them; or where the app is to be found.
   */
  app?(call: PageCall): Begin | Promise<Begin>
  /** It reads much: a replica of the database may answer, as for operations of the API. */
  replicated?: true
  /** It is for those who are signed in alone: who lacks the second factor that their role demands is led to it first. */
  personal?: true
  /** Returns the page. What changes something comes from a form of this server: that is checked before. */
  handle(call: PageCall): Promise<Response>
}

const maxForm = 256 * 1024

/** What pages are given besides their context. */
export interface PageTools {
  /** The operations of the API, which pages ask as their viewer. */
  operations: HttpApp
  /** The app in the place of a page that has a view in it; null where the page itself is to be shown. */
  renderApp(call: PageCall, begin: NonNullable<Page['app']>): Promise<Response | null>
}

/**
 * Adds pages to the application. Every method but GET is refused unless the request comes from a form of this server
 * in the same browser, so a page cannot forget to check.
 */
export function addPages(app: HttpApp, ctx: Ctx, pages: readonly Page[], tools: PageTools): void {
  for (const page of pages) {
    const answer = (c: Context<Env>) => answerPage({ ctx, tools }, page, c)
    app.on(page.method, page.path, counted(answer))
  }
}

/** Addresses that programs use, whatever they accept. */
const forPrograms = /^\/(api|\.well-known|nodeinfo|health|metrics|inbox|outbox|oauth\/(token|revoke))(\/|$)/

/** Whether somebody looks at the answer. Browsers alone ask for pages by name: other programs take anything. */
const isLookedAt = (c: Context<Env>) =>
  !forPrograms.test(c.req.path) &&
  /\b(text\/html|application\/xhtml\+xml)\b/.test(c.req.header('accept') ?? '')

/**
 * Answers browsers with a page where there is nothing, and where a request is refused before it comes to a page; other
 * programs with JSON.
 */
export function addErrorPages(app: HttpApp, ctx: Ctx, tools: PageTools): void {
  const there = (): never => {
    throw notFound()
  }
  app.notFound((c) => {
    if (!isLookedAt(c)) return errorResponse(ctx, c, notFound('page_not_found'))
    // A form that was sent to nowhere is not read.
    const missing = c.req.method === 'GET' ? { handle: there } : { handle: there, admit: there }
    return answerPage({ ctx, tools }, { method: 'GET', path: '/', signed: true, ...missing }, c)
  })
  app.onError(async (error, c) => {
    if (!isLookedAt(c)) return errorResponse(ctx, c, error)
    const language = pickLanguage(null, c.req.header('accept-language') ?? null)
    const failure = { call: undefined, language, requestId: c.get('requestId') }
    return withHeaders(await answerFailure(ctx, error, failure), undefined, c)
  })
}

interface Server {
  ctx: Ctx
  tools: PageTools
}

async function answerPage({ ctx, tools }: Server, page: Page, c: Context<Env>): Promise<Response> {
  const url = requestUrl(c)
  const language = pickLanguage(url.searchParams.get('lang'), c.req.header('accept-language') ?? null)
  const address = c.get('address')
  let call: PageCall | undefined
  const dispose: (() => Promise<void>)[] = []
  try {
    const browser = await readBrowser(ctx, c.req.raw)
    const viewer = browser.session?.viewer ?? null
    const caller: Caller = { viewer, token: null, address }
    const limits = createLimits(ctx, caller)
    c.set('caller', caller)
    c.set('extraHeaders', () => limitHeaders(limits.standing()))
    await limits.throttle(generalThrottles(page, caller, url))
    if (page.upload !== undefined && viewer === null)
      throw new AppError('unauthorized', { said: textsIn(language).pages.common.signInFirst })
    assertPermitted(page, viewer)
    await page.admit?.({ ctx, viewer, limits, language })
    const body = await readBody(c.req.raw, {
      text: maxForm,
      file: page.upload ?? 0,
      directory: `${ctx.config.dataDir}/tmp/uploads`,
    })
    dispose.push(body.dispose)
    const params = mergeTrees(
      treeFromPairs(url.searchParams),
      body.params,
      treeFromPairs(Object.entries(c.req.param() as Record<string, string>)),
    )
    const chosen = textOf(params['lang']) ?? viewer?.settings.interface_language ?? null
    const spoken = pickLanguage(chosen, c.req.header('accept-language') ?? null)
    call = {
      ctx: page.replicated ? ctx.replicated : ctx,
      request: c.req.raw,
      url,
      params,
      address,
      limits,
      browser,
      viewer,
      language: spoken,
      ask: (path, token, body) => askOperation(tools, { path, token, body, address, language: spoken }),
    }
    if (!page.signed) assertOwnForm(call)
    const isLedAway = viewer?.refusal === 'factorless' && isPersonal(page)
    if (isLedAway) return withHeaders(leadToFactor(call), call, c)
    const app = page.app && viewer ? await tools.renderApp(call, page.app) : null
    return withHeaders(app ?? (await page.handle(call)), call, c)
  } catch (error) {
    const failure = { call, language, requestId: c.get('requestId') }
    return withHeaders(await answerFailure(ctx, error, failure), call, c)
  } finally {
    for (const step of dispose) await step()
  }
}

/** Who may not act yet may nothing, and is told so by the page. */
function assertPermitted({ permission }: Page, viewer: Viewer | null): void {
  if (permission === undefined || viewer === null || viewer.refusal !== null) return
  if (!hasAnyPermission(viewer, permission)) throw forbidden()
}

interface Asked {
  path: string
  token: string
  body: object | undefined
  address: string
  language: Language
}

async function askOperation(
  { operations }: PageTools,
  { path, token, body, address, language }: Asked,
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    'accept-language': language,
  }
  if (body === undefined) return await operations.request(path, { headers }, { address })
  const json = { ...headers, 'content-type': 'application/json' }
  const init = { method: 'POST', headers: json, body: JSON.stringify(body) }
  return await operations.request(path, init, { address })
}

/** Where somebody sets up the second factor that their role demands, before anything else that is theirs. */
const factorPath = '/settings/two-factor'

const personalPaths =
  /^\/(settings|oauth|auth\/edit|authorize_interaction|disputes|invites|pinned|statuses_cleanup)(\/|$)/

const isPersonal = ({ path, personal }: Page) =>
  personal === true || (personalPaths.test(path) && !path.startsWith(factorPath))

function leadToFactor({ request, url }: PageCall): Response {
  const from =
    request.method === 'GET' ? `?${new URLSearchParams({ return_to: url.pathname + url.search })}` : ''
  return redirectTo(factorPath + from, from === '' ? 303 : 302)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function assertOwnForm(call: PageCall): void {
  if (call.request.method === 'GET' || call.request.method === 'HEAD') return
  const token = textOf(call.params[formTokenName]) ?? call.request.headers.get('x-csrf-token')
  if (!isOwnForm(call.ctx, call.request, call.browser, token))
    throw new AppError('invalid', { said: textsIn(call.language).pages.common.stale })
}

function withHeaders(response: Response, call: PageCall | undefined, c: Context<Env>): Response {
  // A shared cache would hand one browser's cookie to all.
  const isShared = response.headers.get('cache-control')?.startsWith('public') ?? false
  for (const cookie of isShared ? [] : (call?.browser.cookies ?? []))
    response.headers.append('set-cookie', cookie)
  for (const [name, value] of Object.entries(c.get('extraHeaders')?.() ?? {}))
    response.headers.set(name, value)
  return response
}

interface Failure {
  call: PageCall | undefined
  language: Language
  requestId: string
}

/** An error as a page. Its status is the one that the API would answer. */
async function answerFailure(ctx: Ctx, error: unknown, failure: Failure): Promise<Response> {
  const language = failure.call?.language ?? failure.language
  const { status, headers } = answerError(error, ctx.log, { requestId: failure.requestId, language })
  const t = textsIn(language).pages.common
  const known: Partial<Record<number, string>> = {
    404: t.notFound,
    410: t.gone,
    429: t.tooMany,
    500: t.broken,
    503: t.broken,
  }
  const message =
    known[status] ?? (error instanceof AppError ? describeReason(error.reason, language) : t.broken)
  const about = {
    ctx,
    viewer: failure.call?.viewer ?? null,
    language: failure.language,
    browser: failure.call?.browser,
  }
  const response = await renderMessage(failure.call ?? about, { title: t.errorTitle, message, status })
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
  return response
}
