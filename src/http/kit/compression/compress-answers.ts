// Compresses answers that no proxy will: whole texts in memory, never what is streamed (docs/adr/0023).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '#ports/ctx.ts'
import { pickCoding, type Coding } from './accept-encoding.ts'
import { compress } from './compress.ts'
import {
  headOf,
  isText,
  withVary,
  type Head,
  type HeadRest,
  type VaryingResponse,
} from './varying-response.ts'

/** Below it, a packet is saved at most. */
const minBytes = 1024
/** Above it, one answer would keep a thread for too long. */
const maxBytes = 8 * 1024 * 1024
/** As many may wait for libuv's four threads, which files and passwords need too; others are sent as they are. */
const maxUnderWay = 8

type Listener = (request: IncomingMessage, response: VaryingResponse) => unknown

/** The listener, with its answers compressed as the configuration says. */
export function compressAnswers({ compression }: Pick<Config, 'compression'>, listener: Listener): Listener {
  if (compression === 'off') return listener
  const queue = { underWay: 0 }
  return (request, response) => {
    if (compression === 'always' || !cameByProxy(request)) prepare(request, response, queue)
    return listener(request, response)
  }
}

function prepare(request: IncomingMessage, response: VaryingResponse, queue: { underWay: number }): void {
  const coding = pickCoding(request.headers['accept-encoding'])
  // Who wants it as it is gets it at once, and is told that others do not.
  if (coding === null) response.varies = true
  else holdBack(request, response, { queue, coding })
}

/** Proxies compress themselves, better than twice. A client that pretends to be one gets plain answers. */
const cameByProxy = ({ headers }: IncomingMessage) =>
  ['x-forwarded-for', 'x-forwarded-proto', 'forwarded', 'via'].some((name) => headers[name] !== undefined)

/**
 * A page that somebody reads may hold secrets beside what another site put into its address, and its size would tell of
 * them (BREACH): what another site made the browser ask for with its cookies is not compressed.
 */
const isForeign = ({ headers }: IncomingMessage) =>
  headers.cookie !== undefined &&
  !['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string)

type Chunk = string | Uint8Array

/** Keeps the head of an answer back until it is known whether all of its body is there. */
function holdBack(
  request: IncomingMessage,
  response: ServerResponse,
  { queue, coding }: { queue: { underWay: number }; coding: Coding },
): void {
  const original = {
    writeHead: response.writeHead,
    write: response.write,
    end: response.end,
    flushHeaders: response.flushHeaders,
  }
  let head: Head | null = null
  const chunks: Uint8Array[] = []

  /** From here on the response is as it was, and what was kept back is sent. */
  function release(): ServerResponse {
    Object.assign(response, original)
    if (head) response.writeHead(head.status, head.headers)
    for (const chunk of chunks) response.write(chunk)
    return response
  }

  response.writeHead = ((status: number, ...rest: HeadRest) => {
    head = headOf(status, rest)
    if (!isText(head)) return release()
    head.headers = withVary(head.headers)
    return response
  }) as ServerResponse['writeHead']
  response.flushHeaders = () => release().flushHeaders()
  response.write = ((chunk: Chunk, ...rest: []) => {
    // What does not say its length comes bit by bit, for whoever waits for the first of it.
    if (!head || head.headers['content-length'] === undefined) return release().write(chunk, ...rest)
    chunks.push(Buffer.from(chunk as Uint8Array))
    return true
  }) as ServerResponse['write']
  response.end = ((chunk?: Chunk) => {
    if (chunk) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    const bytes = chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
    chunks.length = 0
    if (!head || queue.underWay >= maxUnderWay || !isWorthwhile(request, bytes)) return release().end(bytes)
    const { status, headers } = head
    head = null
    queue.underWay++
    void send(release(), { status, headers }, { bytes, coding }).finally(() => queue.underWay--)
    return response
  }) as ServerResponse['end']
}

const isWorthwhile = (request: IncomingMessage, { length }: Uint8Array) =>
  length >= minBytes && length <= maxBytes && !isForeign(request)

async function send(
  response: ServerResponse,
  { status, headers }: Head,
  { bytes, coding }: { bytes: Uint8Array; coding: Coding },
): Promise<void> {
  const small = await compress(bytes, coding, 'swift').catch(() => null)
  if (response.destroyed) return
  const length = small?.length ?? bytes.length
  const etag = headers['etag']
  const more = {
    'content-length': length,
    ...(small && { 'content-encoding': coding }),
    // The same meaning in other bytes (RFC 9110 section 8.8.3).
    ...(small && typeof etag === 'string' && etag.startsWith('"') && { etag: `W/${etag}` }),
  }
  response.writeHead(status, { ...headers, ...more }).end(small ?? bytes)
}
