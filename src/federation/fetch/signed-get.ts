// Every document is asked for with a signature: servers in secure mode answer nothing else.
import {
  findSignatureScheme,
  rememberSignatureScheme,
  type HostScheme,
} from '#domain/server/hosts/signature-scheme.ts'
import { onlyFederated } from '#domain/server/hosts/check-hops.ts'
import type { Ctx } from '#ports/ctx.ts'
import type { HttpRequest, HttpResponse } from '#ports/http-client.ts'
import { hostOf } from '../kit/json.ts'
import { ensureSigningKeys, type SigningKeys } from '../signatures/signing-keys.ts'
import { signRequest } from '../signatures/sign-request.ts'
import type { AccountId } from '#lib/id.ts'

export interface SignedGet {
  url: string
  /** Who asks. Default: the instance actor. */
  asAccountId?: AccountId | null
  accept: string
  types: readonly string[]
  maxBytes: number
  timeout?: number
}

/** Answers by which a server says that it does not take the signature. */
const refusals = [400, 401]

/**
 * A GET, signed anew at each hop and checked to be one with a server with which this one speaks. What a server refuses
 * is asked once more with the other kind of signature, which is remembered if it helps. Throws a RemoteError.
 */
export async function signedGet(ctx: Ctx, get: SignedGet): Promise<HttpResponse> {
  const keys = await ensureSigningKeys(ctx, get.asAccountId ?? null)
  const host = hostOf(get.url) ?? ''
  const known = await findSignatureScheme(ctx, host)
  const first = known ?? 'cavage'
  const answer = await send(ctx, get, { keys, scheme: first })
  if (!refusals.includes(answer.status)) {
    if (known === null && isSuccess(answer)) await rememberSignatureScheme(ctx, host, first)
    return answer
  }
  const other = first === 'cavage' ? 'rfc9421' : 'cavage'
  const second = await send(ctx, get, { keys, scheme: other })
  if (isSuccess(second)) await rememberSignatureScheme(ctx, host, other)
  return isSuccess(second) || !refusals.includes(second.status) ? second : answer
}

const isSuccess = ({ status }: HttpResponse) => status >= 200 && status < 300

function send(
  ctx: Ctx,
  get: SignedGet,
  by: { keys: SigningKeys; scheme: HostScheme },
): Promise<HttpResponse> {
  const check = onlyFederated(ctx)
  const request: HttpRequest = {
    url: get.url,
    headers: { accept: get.accept },
    types: get.types,
    maxBytes: get.maxBytes,
    ...(get.timeout !== undefined && { timeout: get.timeout }),
    async sign({ method, url }) {
      await check({ method, url })
      const { id, privateKey } = by.keys.rsa
      return signRequest({ id, privateKey }, { method, url, now: ctx.clock.now(), scheme: by.scheme })
    },
  }
  return ctx.http.send(request)
}
