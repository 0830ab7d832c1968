// Documents of other servers, each from the one server that may speak for it.
import { mayFederate } from '#domain/server/hosts/may-federate.ts'
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError, type HttpResponse } from '#ports/http-client.ts'
import { hostOf, isSameHost, toText, typeOf, type JsonObject } from '../kit/json.ts'
import { isOwnUri } from '../kit/uris.ts'
import { acceptDocuments, documentTypes, isDocumentType, parseDocument } from './document-types.ts'
import { recallFailure, rememberFailure } from './failures.ts'
import { mayMeet } from './new-hosts.ts'
import { createSingleFlight } from '#lib/concurrency/single-flight.ts'
import { signedGet } from './signed-get.ts'
import type { AccountId } from '#lib/id.ts'

export type Fetched =
  /** `uri` is its id: of the server that sent it, but not always what was asked for. */
  | { kind: 'document'; document: JsonObject; uri: string }
  /** It was there and is no more (410, or a Tombstone), or was never there (404). */
  | { kind: 'gone'; status: 404 | 410 }
  /** It must not be asked for, is not shown to us, or is no document that could be believed. */
  | { kind: 'refused'; reason: string }
  /** Its server does not answer now. */
  | { kind: 'failed'; reason: string }

export interface FetchOptions {
  /** Who asks, so that a document for a few can be had. Default: the instance actor. */
  asAccountId?: AccountId
  maxBytes?: number
  /** Asks although it failed some minutes ago. */
  again?: boolean
  /** Somebody here asks for just this: it does not matter how many servers its domain has. */
  isWanted?: boolean
}

const maxBytes = 1024 * 1024
/** How long a failure is remembered, in seconds. */
const quietTime = { gone: 300, refused: 300, failed: 120 }

const share = createSingleFlight<Fetched>()

/**
 * The document at an address, asked for with a signature. Its `id` must be the address asked for, or it is fetched once
 * more from there; and the host of the id must be the one that answered. Never throws for what others do. Failures are
 * remembered for some minutes, and all who ask for the same at once share one request.
 */
export async function fetchDocument(ctx: Ctx, uri: string, options: FetchOptions = {}): Promise<Fetched> {
  const url = withoutFragment(uri)
  const name = `${options.asAccountId ?? ''} ${url}`
  return share(ctx, name, async () => {
    const refusal = await refusalOf(ctx, url)
    if (refusal !== null) return { kind: 'refused', reason: refusal }
    const earlier = options.again ? null : await recallFailure<Fetched>(ctx, 'fetch', name)
    if (earlier) return earlier
    const fetched = await fetchFromOrigin(ctx, url, options)
    if (fetched.kind !== 'document') {
      await rememberFailure(ctx, { kind: 'fetch', name, seconds: quietTime[fetched.kind] }, fetched)
      ctx.log.debug({ uri: url, ...fetched }, 'a document could not be fetched')
    }
    return fetched
  })
}

export const withoutFragment = (uri: string) => uri.split('#', 1)[0] as string

/** Whether two spellings are of one address: as they are, or as they are asked for. */
export function isSameUri(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && URL.parse(one)?.href === URL.parse(other)?.href)
}

/** Why an address is not asked at all; null when it may be. */
export async function refusalOf(ctx: Ctx, url: string): Promise<string | null> {
  const host = hostOf(url)
  if (host === null) return 'it is no address of a server'
  if (isOwnUri(ctx.config, url)) return 'it is an address of this server'
  return (await mayFederate(ctx, host)) ? null : 'its server is blocked'
}

async function fetchFromOrigin(ctx: Ctx, url: string, options: FetchOptions): Promise<Fetched> {
  return settle(ctx, { url, options, first: await fetchOnce(ctx, url, options) })
}

/** What an answer to `url` is worth: believed as it is, or after asking at the id that it names. */
export function fromAnswer(ctx: Ctx, url: string, answer: HttpResponse): Promise<Fetched> {
  return settle(ctx, { url, options: {}, first: readAnswer(answer) })
}

async function settle(
  ctx: Ctx,
  { url, options, first }: { url: string; options: FetchOptions; first: AnsweredRequest },
): Promise<Fetched> {
  if (first.kind !== 'document' || isFrom(first, url)) return plain(first)
  const refusal = await refusalOf(ctx, withoutFragment(first.uri))
  if (refusal !== null) return { kind: 'refused', reason: `the id in the document: ${refusal}` }
  const second = await fetchOnce(ctx, withoutFragment(first.uri), options)
  if (second.kind !== 'document') return second
  return isFrom(second, withoutFragment(first.uri))
    ? plain(second)
    : { kind: 'refused', reason: 'the document is not of the server that its id names' }
}

type AnsweredRequest = Fetched & { from?: string }

/** The server of the id answered, and it was asked for, or sent us to, just that id. */
function isFrom({ uri = '', from = '' }: { uri?: string; from?: string }, asked: string): boolean {
  return isSameHost(uri, from) && (isSameUri(uri, asked) || isSameUri(uri, from))
}

function plain(answered: AnsweredRequest): Fetched {
  if (answered.kind !== 'document') return answered
  const { kind, document, uri } = answered
  return { kind, document, uri }
}

async function fetchOnce(ctx: Ctx, url: string, options: FetchOptions): Promise<AnsweredRequest> {
  if (!options.isWanted && !(await mayMeet(ctx, hostOf(url) ?? '')))
    return { kind: 'failed', reason: 'too many new servers of its domain' }
  try {
    const answer = await signedGet(ctx, {
      url,
      asAccountId: options.asAccountId ?? null,
      accept: acceptDocuments,
      types: documentTypes,
      maxBytes: options.maxBytes ?? maxBytes,
    })
    return readAnswer(answer)
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    const isAway = error.problem === 'unreachable' || error.problem === 'timeout'
    return { kind: isAway ? 'failed' : 'refused', reason: error.message }
  }
}

/** What an answer is, whoever gave it. */
function readAnswer({ status, headers, body, url }: HttpResponse): AnsweredRequest {
  if (status === 404 || status === 410) return { kind: 'gone', status }
  if (status >= 500 || status === 429 || status === 408) return { kind: 'failed', reason: `status ${status}` }
  if (status < 200 || status > 299) return { kind: 'refused', reason: `status ${status}` }
  if (!isDocumentType(headers.get('content-type'))) return { kind: 'refused', reason: 'another media type' }
  const document = parseDocument(body)
  const uri = document && toText(document['id'])
  if (!document || uri === null || hostOf(uri) === null) {
    return { kind: 'refused', reason: 'it is no document with an id' }
  }
  if (typeOf(document) === 'Tombstone') return { kind: 'gone', status: 410 }
  return { kind: 'document', document, uri, from: url }
}
