// Where other servers ask and tell (https://www.w3.org/TR/activitypub/#server-to-server-interactions). Not part of the
// REST API: nobody has a token here, requests are signed instead.
import type { Context, MiddlewareHandler } from 'hono'
import type { Ctx } from '#ports/ctx.ts'
import type { SignedRequest } from '#ports/activity-pub.ts'
import { addressBlock } from '#lib/net/cidr.ts'
import type { Caller } from '#domain/identity/accounts/viewer.ts'
import { requestTarget, requestUrl, type Env, type HttpApp } from '../kit/app.ts'
import { counted } from '../kit/counted.ts'
import { createLimits, federationThrottles } from '../kit/limits.ts'

export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: `/${string}`
  /** A page is at the same address: only whoever asks for a document gets it. */
  readonly besidePage?: boolean
  handle(call: EndpointCall): Promise<Response>
}

export interface EndpointCall {
  readonly ctx: Ctx
  readonly request: Request
  readonly url: URL
  /** Path and query as they were sent. */
  readonly target: string
  /** The network from which it comes. */
  readonly sender: string
  /** Those of the path. */
  readonly params: Readonly<Record<string, string>>
}

/** Adds endpoints to the application, before the pages that share their addresses. */
export function addEndpoints(app: HttpApp, ctx: Ctx, endpoints: readonly Endpoint[]): void {
  for (const endpoint of endpoints) {
    app.on(endpoint.method, endpoint.path, counted(takeOrPass(ctx, endpoint)))
  }
}

function takeOrPass(ctx: Ctx, endpoint: Endpoint): MiddlewareHandler<Env> {
  return async (c, next) => {
    if (!endpoint.besidePage || wantsDocument(c.req.header('accept') ?? '')) return answer(ctx, endpoint, c)
    await next()
    // A shared cache must not answer with the page where the document is wanted.
    if (!/\baccept\b(?!-)/i.test(c.res.headers.get('vary') ?? '')) c.res.headers.append('vary', 'Accept')
  }
}

async function answer(ctx: Ctx, endpoint: Endpoint, c: Context<Env>): Promise<Response> {
  const address = c.get('address')
  const caller: Caller = { viewer: null, token: null, address }
  await createLimits(ctx, caller).throttle(federationThrottles(endpoint.method, caller))
  const params = c.req.param() as Record<string, string>
  const sender = addressBlock(address)
  const sent = { request: c.req.raw, url: requestUrl(c), target: requestTarget(c) }
  return endpoint.handle({ ctx, ...sent, sender, params })
}

/** Whether a document is wanted rather than a page: it is named, with no less weight and not after a page. */
function wantsDocument(accept: string): boolean {
  const types = readAccept(accept)
  const document = types.findIndex(({ type }) => documentTypes.has(type))
  const page = types.findIndex(({ type }) => pageTypes.has(type))
  return document >= 0 && (page < 0 || document < page)
}

const documentTypes = new Set(['application/activity+json', 'application/ld+json', 'application/json'])
const pageTypes = new Set(['text/html', 'application/xhtml+xml'])

/** What an `Accept` header names, the most wanted first (RFC 9110, section 12.5.1). */
function readAccept(accept: string): { type: string; weight: number }[] {
  return accept
    .toLowerCase()
    .split(',')
    .map((entry) => {
      const [type = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const weight = Number(parameters.find((part) => part.startsWith('q='))?.slice(2) ?? 1)
      return { type, weight: Number.isNaN(weight) ? 1 : weight }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
}

/** The request as its signature is over it. */
export function toSigned({ request, target, sender }: EndpointCall, body: Buffer | null): SignedRequest {
  return { method: request.method, target, headers: request.headers, body, sender }
}
