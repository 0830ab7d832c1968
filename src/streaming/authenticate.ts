// Who opens a stream. Every stream wants the token of a person, the public ones too.
import type { IncomingMessage } from 'node:http'
import type { Ctx } from '#ports/ctx.ts'
import { findIpBlock } from '#domain/identity/sign-up-restrictions/find-ip-block.ts'
import { recordActivity } from '#domain/identity/accounts/record-activity.ts'
import { findToken } from '#domain/identity/oauth/find-caller.ts'
import { clientAddress } from '#lib/net/cidr.ts'
import type { Identity } from './connection.ts'
import type { Refusal } from './streams.ts'

const missing: Refusal = { error: 'Missing access token', status: 401 }
const shutOut: Refusal = { error: 'This action is not allowed', status: 403 }
const invalid: Refusal = { error: 'Invalid access token', status: 401 }

/** The client's address, proxies resolved. */
export function addressOf(ctx: Ctx, request: IncomingMessage): string {
  const forwarded = request.headers['x-forwarded-for']
  return clientAddress({
    remoteAddress: request.socket.remoteAddress ?? '127.0.0.1',
    forwardedFor: Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
    trusted: ctx.config.trustedProxies,
  })
}

/** Why nobody gets in from there, or null. */
export async function refuseAddress(ctx: Ctx, address: string): Promise<Refusal | null> {
  const block = await findIpBlock(ctx, address)
  return block?.severity === 'no_access' ? shutOut : null
}

/** From the header, the query or the sub-protocol, the only way that a WebSocket of a browser has to be silent about it. */
export function secretOf(request: IncomingMessage, query: URLSearchParams): string | null {
  const header = /^Bearer +(\S+)\s*$/i.exec(request.headers.authorization ?? '')?.[1]
  const protocol = request.headers['sec-websocket-protocol']?.split(',')[0]?.trim()
  return header ?? (query.get('access_token') || protocol || null)
}

/** The person behind a request, or why there is none. */
export async function identify(
  ctx: Ctx,
  secret: string | null,
  where: Pick<Identity, 'address' | 'client'>,
): Promise<Identity | Refusal> {
  if (secret === null) return missing
  const found = await findToken(ctx, secret)
  if (found.state !== 'valid' || !found.viewer || found.viewer.refusal) return invalid
  await recordActivity(ctx, found.viewer, found.lastActiveAt)
  return {
    accountId: found.viewer.accountId,
    userId: found.viewer.userId,
    tokenId: found.token.id,
    scopes: found.token.scopes,
    ...where,
  }
}
