// One request that delivers one activity to one inbox, and what its answer means (docs/developers/federation.md).
import type { Ctx } from '#ports/ctx.ts'
import { RemoteError, type HttpResponse } from '#ports/http-client.ts'
import type { OutgoingBody } from '#domain/federation/queue/delivery-queue.ts'
import { readRetryAfter } from '#lib/net/retry-after.ts'
import { digestOf, signRequest, type SignatureScheme } from '../signatures/sign-request.ts'
import { ensureSigningKeys } from '../signatures/signing-keys.ts'
import type { AccountId } from '#lib/id.ts'

/** An activity with what is the same for all inboxes. */
export interface SignedActivity {
  senderId: AccountId | null
  /** The sender was deleted: who forgot it already cannot check its signature. */
  senderGone: boolean
  body: Buffer
  /** SHA-256 of the body in base64. */
  digest: string
  /** The header of FEP-8fcf goes along. */
  synchronise: boolean
  /** It goes to a host with which this server has broken off as well. */
  severing: boolean
  /** See `OutgoingBody`. */
  traceparent: string | null
}

export interface Outcome {
  /** `again`: it may succeed later. Otherwise the inbox has it, or will never take it. */
  result: 'delivered' | 'refused' | 'again'
  /** Whether the host answered, whatever it said; null: it was not asked. */
  answered: boolean | null
  /** When the host wants to be asked again, in milliseconds since the epoch. */
  restUntil: number | null
  /** The kind of signature it turned out to accept. */
  scheme: SignatureScheme | null
  /** Why it was not delivered, for the log; null: it was, or was not to be. */
  reason: string | null
}

const timeout = 15_000
/** Nobody reads what inboxes say; a short text leaves the connection usable. */
const maxBytes = 16_384
const maxRest = 86_400_000
const usualRest = 60_000
/** Of a host that says that it gets too much, whatever time it names. */
const minRest = 5_000

export function toSignedActivity({
  senderId,
  senderGone,
  body: text,
  synchronise,
  severing,
  traceparent,
}: Omit<OutgoingBody, 'id'>): SignedActivity {
  // In memory of its own: it is kept, and a piece of Buffer's pool would keep all 64 KB of that alive.
  const body = Buffer.from(new TextEncoder().encode(text).buffer)
  return { senderId, senderGone, body, digest: digestOf(body), synchronise, severing, traceparent }
}

/**
 * Posts an activity, signed. A host that does not accept the signature is asked once more with one of the other kind:
 * `scheme` is the one to begin with. Never throws for what the other side does.
 */
export async function deliver(
  ctx: Ctx,
  activity: SignedActivity,
  to: { inboxUrl: string; scheme: SignatureScheme | null; headers?: Readonly<Record<string, string>> },
): Promise<Outcome> {
  const first = to.scheme ?? 'cavage'
  const answer = await post(ctx, activity, { ...to, scheme: first })
  if (answer instanceof RemoteError) return failed(answer)
  const { senderGone } = activity
  if (!mayBeSignature(answer)) return outcomeOf(ctx, answer, { scheme: null, senderGone })
  const second = first === 'cavage' ? 'rfc9421' : 'cavage'
  const other = await post(ctx, activity, { ...to, scheme: second })
  const isWorse = other instanceof RemoteError || mayBeSignature(other)
  return outcomeOf(ctx, isWorse ? answer : other, {
    scheme: !isWorse && isSuccess(other) ? second : null,
    senderGone,
  })
}

async function post(
  ctx: Ctx,
  { senderId, body, digest, severing }: SignedActivity,
  to: { inboxUrl: string; scheme: SignatureScheme; headers?: Readonly<Record<string, string>> },
): Promise<HttpResponse | RemoteError> {
  const { rsa } = await ensureSigningKeys(ctx, senderId)
  const { inboxUrl, scheme } = to
  const headers = { 'content-type': 'application/activity+json', accept: '*/*', ...to.headers }
  const sign = ({ method, url }: { method: string; url: URL }) =>
    signRequest(rsa, { method, url, digest, headers, scheme, now: ctx.clock.now() })
  try {
    return await ctx.http.send({
      url: inboxUrl,
      method: 'POST',
      headers,
      body,
      sign,
      redirects: 0,
      timeout,
      maxBytes,
      longer: 'cut',
      repeatable: true,
      despiteBlock: severing,
    })
  } catch (error) {
    if (error instanceof RemoteError) return error
    throw error
  }
}

const isSuccess = ({ status }: HttpResponse) => status >= 200 && status < 300
const mayBeSignature = ({ status }: HttpResponse) => status === 401 || status === 400

/** An address that must not be reached will not be later either. Only of a success it matters in what form it is. */
function failed({ problem }: RemoteError): Outcome {
  const rest = { restUntil: null, scheme: null, reason: problem }
  if (problem === 'forbidden') return refusedUnasked
  if (problem === 'wrong-type') return { ...rest, result: 'delivered', answered: true, reason: null }
  return { ...rest, result: 'again', answered: problem === 'too-large' }
}

/** Of what is not to be sent after all. */
export const refusedUnasked: Outcome = {
  result: 'refused',
  answered: null,
  restUntil: null,
  scheme: null,
  reason: null,
}

/** Redirects are not followed and no success: the address will have changed, and the actor's document says where to. */
function outcomeOf(
  ctx: Ctx,
  answer: HttpResponse,
  { scheme, senderGone }: { scheme: SignatureScheme | null; senderGone: boolean },
): Outcome {
  const { status } = answer
  if (isSuccess(answer)) return { result: 'delivered', answered: true, restUntil: null, scheme, reason: null }
  const reason = `status ${status}`
  if (status === 429) {
    const now = ctx.clock.now()
    const restUntil = Math.max(readRest(ctx, answer) ?? now + usualRest, now + minRest)
    return { result: 'again', answered: true, restUntil, scheme, reason }
  }
  if (status >= 500 && status !== 501)
    return { result: 'again', answered: false, restUntil: readRest(ctx, answer), scheme, reason }
  const again = (status === 401 && !senderGone) || status === 408 || (status >= 300 && status < 400)
  return { result: again ? 'again' : 'refused', answered: true, restUntil: null, scheme, reason }
}

/** Until when the host wants to be left alone. Nobody is believed beyond a day. */
function readRest({ clock }: Ctx, { headers }: HttpResponse): number | null {
  const now = clock.now()
  const time = readRetryAfter(headers.get('retry-after'), now)
  return time === null ? null : Math.min(time, now + maxRest)
}

/** Tries after the first one. The last comes some two and a half days after it. */
const maxRetries = 16

/**
 * When a delivery that failed for the `attempts`th time (from 1) is tried again, in milliseconds since the epoch; null:
 * never. The delays grow with the fourth power, with jitter so that a host is not met by all at once.
 */
export function retryTime(now: number, attempts: number, random: number): number | null {
  if (attempts > maxRetries) return null
  const grown = attempts ** 4
  return now + Math.round((grown + 15 + random * (0.5 * grown + 9 * (attempts + 1))) * 1000)
}
