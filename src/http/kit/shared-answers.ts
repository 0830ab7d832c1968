// Answers that are the same for all who ask without a token: made once, kept as finished bytes for a moment.
import { createHash } from 'node:crypto'
import type { Ctx } from '#ports/ctx.ts'
import type { Caller } from '#domain/identity/accounts/viewer.ts'
import { toJson } from '#lib/json/json-text.ts'
import { pickCoding, type Coding } from './compression/accept-encoding.ts'
import { compress } from './compression/compress.ts'
import { varyByCoding } from './compression/varying-response.ts'
import { isListed, isReply, type Listed, type Route } from './route.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** A successful answer in JSON. */
export interface SharedAnswer {
  readonly kind: 'shared'
  readonly status: number
  /** What the operation says beside the usual ones. */
  readonly headers: Record<string, string>
  /** For the `Link` header, which follows the address that was asked for. */
  readonly listed: Listed | null
  /** A short one as text: Node sends it in one piece with its head. */
  readonly body: string | Bytes
  readonly length: number
  /** Of its bytes; what they are compressed to has the same one with the coding behind it. */
  readonly mark: string
  readonly compressed: Map<Coding, Promise<Bytes>>
}

export const isShared = (value: unknown): value is SharedAnswer =>
  (value as SharedAnswer | null)?.kind === 'shared'

/** Whether all who call like this get the same answer. */
export const mayShare = (route: Route, { viewer, token }: Caller): boolean =>
  route.shared !== null && viewer === null && token === null

/** Characters of parameters from which on an answer is not kept: nobody else asks at such length, and they are kept too. */
const maxKey = 1_000

/** What `handle` answers, as it is kept for these parameters, or made now for all who ask meanwhile. */
export async function shareAnswer(
  ctx: Ctx,
  { route, params }: { route: Route; params: unknown },
  handle: () => Promise<unknown>,
): Promise<SharedAnswer> {
  const key = `${route.path} ${JSON.stringify(params)}`
  if (key.length > maxKey) return finishAnswer(await handle())
  const made = ctx.caches.answers.get(key, async () => ({
    value: finishAnswer(await handle()),
    changesWith: route.shared,
  }))
  return (await made) as SharedAnswer
}

function finishAnswer(result: unknown): SharedAnswer & { size: number } {
  const { status, body, headers } = isReply(result) ? result : { status: 200, body: result, headers: {} }
  const json = toJson(isListed(body) ? body.body : body)
  const bytes: Bytes = typeof json === 'string' ? new Uint8Array(Buffer.from(json)) : json
  return {
    kind: 'shared',
    status,
    headers,
    listed: isListed(body) ? body : null,
    body: bytes.length < maxText ? Buffer.from(bytes).toString() : bytes,
    length: bytes.length,
    mark: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    compressed: new Map(),
    // With what it is compressed to.
    size: 2 * bytes.length,
  }
}

/** In bytes. */
const maxText = 16 * 1024
/** Below it, a packet is saved at most. */
const minBytes = 1024

/** The body, or that the client has it already (RFC 9110 section 13.1.2). `headers` go out with either, and are completed. */
export async function respondShared(
  request: Request,
  answer: SharedAnswer,
  headers: Record<string, string>,
): Promise<Response> {
  const coding = answer.length < minBytes ? null : pickCoding(request.headers.get('accept-encoding'))
  headers['vary'] = varyByCoding(headers['vary'])
  headers['etag'] = coding === null ? `"${answer.mark}"` : `"${answer.mark}-${coding}"`
  if (coding) headers['content-encoding'] = coding
  // Weakly compared: a proxy may have compressed it.
  if (request.headers.get('if-none-match')?.includes(`"${answer.mark}`))
    return new Response(null, { status: 304, headers })
  const body = coding === null ? answer.body : await compressed(answer, coding)
  // Else the text is counted anew each time.
  headers['content-length'] = String(coding === null ? answer.length : body.length)
  return new Response(body, { status: answer.status, headers })
}

function compressed({ body, compressed: made }: SharedAnswer, coding: Coding): Promise<Bytes> {
  const known = made.get(coding)
  if (known) return known
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const making = compress(bytes, coding, 'swift').then((buffer) => new Uint8Array(buffer))
  made.set(coding, making)
  making.catch(() => made.delete(coding))
  return making
}
