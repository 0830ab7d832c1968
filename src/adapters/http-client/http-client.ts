// The one way out: every request to another server is sent here.

import packageDescription from '../../../package.json' with { type: 'json' }
import type { Config } from '#config/config.ts'
import { RemoteError, type HttpClient, type HttpRequest } from '#ports/http-client.ts'
import type { Log } from '#ports/log.ts'
import { noTrace, type Span, type SpanStart, type Trace } from '#ports/trace.ts'
import { acceptedEncodings } from './body.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import { createDestinations, type Destinations } from './destinations.ts'
import { cleanHeaders, nextHop, redirectTarget, type Hop } from './hop.ts'
import { receive, receiveStream, type Answer } from './receive.ts'
import type { Resolve } from './resolve.ts'
import { openBody, sendHop } from './send-hop.ts'
import { collect, saveTo } from './sinks.ts'
import { createSlots, type Slots } from './slots.ts'

export interface HttpClientOptions {
  config: Config
  log: Log
  /** `strangers`: whatever people and other servers name. `configured`: services that the operator chose. */
  destinations: 'strangers' | 'configured'
  /** Instead of the DNS. */
  resolve?: Resolve
  /** Whether the operator has broken off with a host: then nothing is asked of it, at any hop. */
  isBlocked?: (hostname: string) => Promise<boolean>
  /** Is told of each request. Its context goes to no other server: what is done here is not their business. */
  trace?: Trace
}

const defaultTimeout = 10_000
const defaultRedirects = 3
/** Requests that run at a time, besides bodies that are streamed; more wait. */
const slotLimits = {
  strangers: { perHost: 8, total: 256 },
  configured: { perHost: 64, total: 256 },
}

/** `close` ends all connections; requests that still run are rejected. */
export function createHttpClient(options: HttpClientOptions): HttpClient & { close(): Promise<void> } {
  const destinations = createDestinations(options)
  const client: Client = {
    log: options.log,
    destinations,
    slots: createSlots(slotLimits[options.destinations]),
    isBlocked: options.isBlocked ?? (async () => false),
    trace: options.trace ?? noTrace,
    userAgent: `Stonechat/${packageDescription.version} (+${options.config.baseUrl}/)`,
  }
  return {
    async send(request) {
      const { response } = await run(client, request, (answer) => receive(answer, request, collect))
      return response
    },
    async download(request) {
      const sink = saveTo(request.path)
      const { response, saved } = await run(client, request, (answer) => receive(answer, request, sink))
      return { ...response, bytes: saved }
    },
    stream(request) {
      const headers = { 'accept-encoding': 'identity', ...request.headers }
      const patience = request.timeout ?? defaultTimeout
      return run(client, { ...request, headers }, (answer) => receiveStream(answer, request, patience))
    },
    close: () => destinations.close(),
  }
}

interface Client {
  log: Log
  destinations: Destinations
  slots: Slots
  isBlocked(hostname: string): Promise<boolean>
  trace: Trace
  userAgent: string
}

type Finish<T> = (answer: Answer) => Promise<T>

function run<T>(client: Client, request: HttpRequest, finish: Finish<T>): Promise<T> {
  const { trace } = client
  if (!trace.on) return runInTime(client, request, finish)
  return trace.child(describe(request), (span) => runInTime(client, request, observed(span, finish)))
}

/** The host alone: paths may be secret, such as those of push endpoints. */
function describe({ method = 'GET', url }: HttpRequest): SpanStart {
  const to = URL.parse(url)
  const port = to && (Number(to.port) || (to.protocol === 'https:' ? 443 : 80))
  const attributes = {
    'http.request.method': method,
    ...(to && { 'server.address': to.hostname }),
    ...(port && { 'server.port': port }),
  }
  return { name: method, kind: 'client', attributes }
}

function observed<T>(span: Span, finish: Finish<T>): Finish<T> {
  return (answer) => {
    span.set({ 'http.response.status_code': answer.status })
    if (answer.status >= 400) span.fail(String(answer.status))
    return finish(answer)
  }
}

/** Everything until `finish` is done happens before the deadline. */
async function runInTime<T>(client: Client, request: HttpRequest, finish: Finish<T>): Promise<T> {
  const deadline = startDeadline(request.timeout ?? defaultTimeout)
  try {
    return await follow(client, { request, deadline }, finish)
  } catch (error) {
    if (error instanceof RemoteError && error.problem === 'forbidden')
      client.log.debug({ reason: error.message }, 'a request was not sent')
    throw error
  } finally {
    deadline.stop()
  }
}

interface Call {
  request: HttpRequest
  deadline: Deadline
}

/** Goes from hop to hop, each checked as if it were the first. */
async function follow<T>(client: Client, call: Call, finish: Finish<T>): Promise<T> {
  const { request, deadline } = call
  const redirects = request.redirects ?? defaultRedirects
  const repeatable = request.repeatable ?? false
  const first = client.destinations.check(request.url, null)
  let target = first
  let hop = firstHop(client, request, first.url)
  for (let followed = 0; ; followed += 1) {
    const { agent } = target
    if (!request.despiteBlock && (await deadline.race(client.isBlocked(hop.url.hostname))))
      throw blocked(hop.url)
    const headers = await signedHeaders(hop, call)
    const result = await client.slots.run(hop.url.hostname, deadline.signal, async () => {
      const answer = await sendHop({
        agent,
        hop,
        deadline,
        repeatable,
        ...(await openBody(headers, hop.body)),
      })
      const location = redirects > 0 ? redirectTarget(answer.status, answer.headers) : null
      if (location === null) return { isLast: true as const, value: await finish(answer) }
      answer.body.destroy()
      return { isLast: false as const, location, status: answer.status }
    })
    if (result.isLast) return result.value
    if (followed === redirects) throw tooManyRedirects(first.url, redirects)
    const next = nextHop(hop, result.status, result.location)
    target = client.destinations.check(next.url, first.url)
    hop = { ...next, url: target.url }
  }
}

function firstHop({ userAgent }: Client, { method = 'GET', headers = {}, body }: HttpRequest, url: URL): Hop {
  const defaults = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': acceptedEncodings }
  return { method, url, body, headers: { ...defaults, ...cleanHeaders(headers) } }
}

/** What `sign` adds belongs to this hop alone. */
async function signedHeaders({ method, url, headers }: Hop, { request, deadline }: Call) {
  if (!request.sign) return headers
  return { ...headers, ...cleanHeaders(await deadline.race(request.sign({ method, url: new URL(url) }))) }
}

function blocked({ host }: URL): RemoteError {
  return new RemoteError('forbidden', `${host} must not be reached: it is on the block list`)
}

function tooManyRedirects(first: URL, redirects: number): RemoteError {
  return new RemoteError('redirects', `${first.host} redirects more than ${redirects} times`)
}
